// wsevm.h: machines, their arrays and their runs.
#include <fmt/format.h>

#include <cstring>

#include "vm/library/handles.h"
#include "vm/library/machine.h"

using namespace wse::library;
namespace isa = wse::isa;
namespace vm = wse::vm;

namespace {

// Calls work(machine) while nobody else uses the machine.
template <class Work>
int use(wsevm_machine handle, Work work) noexcept {
  return call([&]() -> Done {
    const Fallible<Use> machine = Use::begin(handle);
    if (!machine) return std::unexpected(machine.error());
    return work(**machine);
  });
}

// Checks the pointers of a copy; `data` may be NULL where there are no bytes. `what`: the argument
// that is the name.
Done check_copy(std::string_view what, const char* name, const void* data, std::size_t bytes) {
  if (name == nullptr) return null_argument(what);
  if (data == nullptr && bytes > 0) return null_argument("data");
  return {};
}

std::span<const std::byte> bytes_of(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}
std::span<std::byte> bytes_of(void* data, std::size_t bytes) {
  return {static_cast<std::byte*>(data), bytes};
}

template <std::size_t kSize>
void copy_name(std::string_view name, char (&to)[kSize]) {
  const std::size_t length = std::min(name.size(), kSize - 1);
  std::memcpy(to, name.data(), length);
  to[length] = '\0';
}

wsevm_array description(const vm::ArrayInfo& array) {
  wsevm_array described{};
  const auto& type = isa::info(array.type);
  copy_name(type.text, described.type);
  copy_name(type.numpy, described.dtype);
  described.element_bytes = static_cast<std::uint32_t>(type.bytes);
  described.place = {array.x0, array.y0, array.width, array.height};
  described.count = array.count;
  if (array.shape.empty()) {
    described.dimensions = array.is_array ? 1 : 0;
    described.extents[0] = array.is_array ? array.count : 0;
    return described;
  }
  described.dimensions = static_cast<std::uint32_t>(array.shape.size());
  std::ranges::copy(array.shape, described.extents);
  return described;
}

}  // namespace

int wsevm_machine_new(wsevm_program program, const char* const* options, wsevm_machine* machine) {
  return call([&]() -> Done {
    if (machine == nullptr) return null_argument("machine");
    *machine = 0;
    std::shared_ptr<Program> found = programs().find(program);
    if (!found) {
      return fault(WSEVM_BAD_HANDLE, fmt::format("handle {} names no program", program));
    }
    Fallible<Choices> choices = read_choices(options);
    if (!choices) return std::unexpected(choices.error());
    auto made = Machine::create(std::move(found), std::move(*choices));
    if (!made) return std::unexpected(made.error());
    *machine = machines().add(std::move(*made));
    return {};
  });
}

int wsevm_machine_free(wsevm_machine machine) {
  return call([&]() -> Done {
    const std::shared_ptr<Machine> found = machines().take(machine);
    if (!found) {
      return fault(WSEVM_BAD_HANDLE, fmt::format("handle {} names no machine", machine));
    }
    found->interrupt();
    return {};
  });
}

int wsevm_on_print(wsevm_machine machine, wsevm_print print, void* user) {
  return use(machine, [&](Machine& used) -> Done {
    used.hear_prints(print, user);
    return {};
  });
}

int wsevm_on_progress(wsevm_machine machine, wsevm_progress progress, void* user) {
  return use(machine, [&](Machine& used) { return used.hear_progress(progress, user); });
}

int wsevm_array_info(wsevm_machine machine, const char* name, wsevm_array* array) {
  return use(machine, [&](Machine& used) -> Done {
    if (name == nullptr) return null_argument("name");
    if (array == nullptr) return null_argument("array");
    const auto found = used.array(name);
    if (!found) return std::unexpected(found.error());
    *array = description(*found);
    return {};
  });
}

int wsevm_write(wsevm_machine machine, const char* name, const wsevm_rectangle* place,
                const wsevm_elements* elements, const void* data, size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("name", name, data, bytes); !fine) return fine;
    return used.write(name, place, elements, bytes_of(data, bytes));
  });
}

int wsevm_read(wsevm_machine machine, const char* name, const wsevm_rectangle* place,
               const wsevm_elements* elements, void* data, size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("name", name, data, bytes); !fine) return fine;
    return used.read(name, place, elements, bytes_of(data, bytes));
  });
}

int wsevm_symbol_set(wsevm_machine machine, uint32_t x, uint32_t y, const char* name,
                     const void* data, size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("name", name, data, bytes); !fine) return fine;
    return used.write_symbol(x, y, name, bytes_of(data, bytes));
  });
}

int wsevm_symbol_get(wsevm_machine machine, uint32_t x, uint32_t y, const char* name, void* data,
                     size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("name", name, data, bytes); !fine) return fine;
    return used.read_symbol(x, y, name, bytes_of(data, bytes));
  });
}

int wsevm_run_until(wsevm_machine machine, uint64_t cycle, int* status) {
  return use(machine, [&](Machine& used) -> Done {
    const Fallible<wsevm_status> state = used.run_until(cycle);
    if (!state) return std::unexpected(state.error());
    if (status != nullptr) *status = *state;
    return used.verdict(*state, cycle);
  });
}

int wsevm_launch(wsevm_machine machine, const char* task, const double* arguments, size_t count,
                 const wsevm_rectangle* place, int* status) {
  return use(machine, [&](Machine& used) -> Done {
    if (task == nullptr) return null_argument("task");
    if (arguments == nullptr && count > 0) return null_argument("arguments");
    const auto state = used.launch(task, {arguments, count}, place);
    if (!state) return std::unexpected(state.error());
    if (status != nullptr) *status = *state;
    return used.verdict(*state, WSEVM_TO_THE_END);
  });
}

int wsevm_prepare(wsevm_machine machine, const char* task, const double* arguments, size_t count,
                  const wsevm_rectangle* place) {
  return use(machine, [&](Machine& used) -> Done {
    if (task == nullptr) return null_argument("task");
    if (arguments == nullptr && count > 0) return null_argument("arguments");
    return used.prepare(task, {arguments, count}, place);
  });
}

int wsevm_send(wsevm_machine machine, const char* stream, const void* data, size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("stream", stream, data, bytes); !fine) return fine;
    return used.send(stream, bytes_of(data, bytes));
  });
}

int wsevm_receive(wsevm_machine machine, const char* stream, void* data, size_t bytes) {
  return use(machine, [&](Machine& used) -> Done {
    if (const Done fine = check_copy("stream", stream, data, bytes); !fine) return fine;
    return used.receive(stream, bytes_of(data, bytes));
  });
}

int wsevm_arrived(wsevm_machine machine, const char* stream, size_t* count) {
  return use(machine, [&](Machine& used) -> Done {
    if (stream == nullptr) return null_argument("stream");
    if (count == nullptr) return null_argument("count");
    const Fallible<std::size_t> there = used.arrived(stream);
    if (!there) return std::unexpected(there.error());
    *count = *there;
    return {};
  });
}

int wsevm_launches(wsevm_machine machine, char** json) {
  return use(machine, [&](Machine& used) -> Done {
    if (json == nullptr) return null_argument("json");
    *json = owned_text(used.launches_json());
    return {};
  });
}

int wsevm_interrupt(wsevm_machine machine) {
  return call([&]() -> Done {
    if (const std::shared_ptr<std::atomic<bool>> run = runs().find(machine)) {
      *run = true;
      return {};
    }
    const std::shared_ptr<Machine> found = machines().find(machine);
    if (!found) {
      return fault(WSEVM_BAD_HANDLE, fmt::format("handle {} names no machine", machine));
    }
    found->interrupt();
    return {};
  });
}

int wsevm_cycle(wsevm_machine machine, uint64_t* cycles) {
  return use(machine, [&](Machine& used) -> Done {
    if (cycles == nullptr) return null_argument("cycles");
    *cycles = used.cycles();
    return {};
  });
}
