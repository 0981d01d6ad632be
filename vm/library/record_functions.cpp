// wsevm.h: what a run leaves, and runs in one call.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <list>

#include "isa/support/atomic_file.h"
#include "vm/front/json_record.h"
#include "vm/front/machine_file.h"
#include "vm/front/program_file.h"
#include "vm/front/script_options.h"
#include "vm/library/handles.h"
#include "vm/library/machine.h"
#include "vm/library/machine_file.h"
#include "vm/library/script.h"
#include "vm/page/page.h"
#include "vm/run/judge.h"

using namespace wse::library;
namespace isa = wse::isa;
namespace vm = wse::vm;
namespace front = wse::front;
namespace numpy = wse::numpy;

namespace {

Done written(const std::expected<void, isa::FileError>& done) {
  if (!done) return fault(done.error());
  return {};
}

// Finds an array of the machine's profile.
Fallible<const numpy::PackedArray*> profile_array(Machine& machine, const std::string& name) {
  const Fallible<const vm::Profile*> profile = machine.profile();
  if (!profile) return std::unexpected(profile.error());
  if (const numpy::PackedArray* const found = (*profile)->find(name)) return found;
  std::string names;
  for (const numpy::PackedArray& array : (*profile)->arrays) names += " " + array.name;
  return bad_input(fmt::format("the profile has no array '{}'; it has{}", name, names));
}

wsevm_numbers description(const numpy::PackedArray& array) {
  wsevm_numbers numbers{};
  std::memcpy(numbers.dtype, array.dtype.data(),
              std::min(array.dtype.size(), sizeof numbers.dtype - 1));
  numbers.bytes = array.data_bytes();
  numbers.dimensions =
      static_cast<std::uint32_t>(std::min(array.shape.size(), std::size(numbers.extents)));
  std::copy_n(array.shape.begin(), numbers.dimensions, numbers.extents);
  return numbers;
}

// The machines of a page, in use while it is made.
Done write_page(std::span<const wsevm_machine> handles, const char* const* names, const char* title,
                const std::string& file) {
  std::list<Use> uses;
  std::vector<vm::PageRun> runs;
  for (std::size_t k = 0; k < handles.size(); ++k) {
    Fallible<Use> machine = Use::begin(handles[k]);
    if (!machine) return std::unexpected(machine.error());
    uses.push_back(std::move(*machine));
    const Fallible<const vm::Profile*> profile = uses.back()->profile();
    if (!profile) return std::unexpected(profile.error());
    const bool named = names != nullptr && names[k] != nullptr;
    runs.push_back(
        {named ? names[k] : front::page_name(uses.back()->program().origin().file), *profile});
  }
  const isa::Result<std::string> page =
      vm::report_page(runs, {.title = title != nullptr ? title : runs.front().name, .model = {}});
  if (!page) return bad_input(page.error());
  return written(isa::write_whole_file(file, *uses.front()->program().inputs(),
                                       std::as_bytes(std::span(*page))));
}

// A run in one call: what it was asked, and its record.
class FileRun {
 public:
  FileRun(Origin origin, Choices choices, wsevm_print print, void* user, uint64_t* handle)
      : origin_(std::move(origin)),
        choices_(std::move(choices)),
        print_(print),
        user_(user),
        handle_(runs().add(interrupt_)) {
    if (handle != nullptr) *handle = handle_;
  }
  FileRun(const FileRun&) = delete;
  FileRun& operator=(const FileRun&) = delete;
  ~FileRun() { runs().take(handle_); }

  // Returns how it ended; `json` gets the record in any case.
  Done run(std::string& json) {
    Done ended = front::is_script(origin_.file) ? run_script_file(json) : run_program(json);
    if (json.empty()) {
      json = front::unfinished_json("error", ended ? "" : ended.error().message,
                                    front::machine_name(origin_.machine));
    }
    return ended;
  }

 private:
  Done run_program(std::string& json) {
    auto program = Program::load(origin_, new_inputs());
    if (!program) return std::unexpected(program.error());
    Fallible<MadeMachine> made = make_machine(**program, choices_);
    if (!made) return std::unexpected(made.error());
    vm::RunOptions options = run_options(choices_, *interrupt_);
    options.print = [this](std::string_view line) {
      if (print_ != nullptr) print_(user_, std::string(line).c_str());
    };
    vm::Record record = made->machine->run(options);
    const bool is_good = vm::judge(*made->machine, {choices_.strict, choices_.expect}, record);
    json = front::record_json(record);
    if (is_good) return {};
    const bool interrupted = record.status == vm::RunStatus::Interrupted;
    return fault(interrupted ? WSEVM_INTERRUPTED : WSEVM_ENDED_BADLY, record.message);
  }

  Done run_script_file(std::string& json) {
    const ScriptHost host{.print = print_, .user = user_, .interrupt = interrupt_.get()};
    const auto result = run_script(origin_, choices_, host, *new_inputs());
    if (!result) return std::unexpected(result.error());
    json = front::script_json(*result, front::machine_name(origin_.machine));
    if (result->ending == wse::script::Ending::Fine) return {};
    return fault(code_of(result->ending), result->message);
  }

  Origin origin_;
  Choices choices_;
  wsevm_print print_;
  void* user_;
  const std::shared_ptr<std::atomic<bool>> interrupt_ = std::make_shared<std::atomic<bool>>(false);
  std::uint64_t handle_;
};

}  // namespace

int wsevm_record_json(wsevm_machine machine, char** json) {
  return call([&]() -> Done {
    if (json == nullptr) return null_argument("json");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    const auto record = (**used).record();
    if (!record) return std::unexpected(record.error());
    *json = owned_text(front::record_json(**record));
    return {};
  });
}

int wsevm_profile_names(wsevm_machine machine, char** names) {
  return call([&]() -> Done {
    if (names == nullptr) return null_argument("names");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    const Fallible<const vm::Profile*> profile = (**used).profile();
    if (!profile) return std::unexpected(profile.error());
    std::string text;
    for (const numpy::PackedArray& array : (*profile)->arrays) text += array.name + "\n";
    *names = owned_text(text);
    return {};
  });
}

int wsevm_profile_array(wsevm_machine machine, const char* name, wsevm_numbers* numbers, void* data,
                        size_t bytes) {
  return call([&]() -> Done {
    if (name == nullptr) return null_argument("name");
    if (numbers == nullptr && data == nullptr) return null_argument("numbers");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    const auto array = profile_array(**used, name);
    if (!array) return std::unexpected(array.error());
    const std::uint64_t wanted = (*array)->data_bytes();
    if (data != nullptr && bytes != wanted) {
      return bad_input(fmt::format("array '{}' of the profile: {} bytes are given, {} are wanted",
                                   name, bytes, wanted));
    }
    if (numbers != nullptr) *numbers = description(**array);
    if (data == nullptr) return {};
    numpy::for_each_piece(
        **array, [to = static_cast<std::byte*>(data)](std::span<const std::byte> piece) mutable {
          to = std::ranges::copy(piece, to).out;
        });
    return {};
  });
}

int wsevm_checkpoint_write(wsevm_machine machine, const char* file) {
  return call([&]() -> Done {
    if (file == nullptr) return null_argument("file");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    const Fallible<std::vector<std::byte>> checkpoint = MachineFile(**used).bytes();
    if (!checkpoint) return std::unexpected(checkpoint.error());
    return written(isa::write_whole_file(file, *(**used).program().inputs(), *checkpoint));
  });
}

int wsevm_restore(wsevm_machine machine, const char* file) {
  return call([&]() -> Done {
    if (file == nullptr) return null_argument("file");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    // No input of the program: the machine may write another one to the same file.
    const auto checkpoint = isa::read_whole_file(file, *new_inputs());
    if (!checkpoint) return fault(checkpoint.error());
    return MachineFile(**used).take_up(*checkpoint);
  });
}

int wsevm_profile_write(wsevm_machine machine, const char* file) {
  return call([&]() -> Done {
    if (file == nullptr) return null_argument("file");
    const Fallible<Use> used = Use::begin(machine);
    if (!used) return std::unexpected(used.error());
    const Fallible<const vm::Profile*> profile = (**used).profile();
    if (!profile) return std::unexpected(profile.error());
    return written(vm::write_profile(file, *(**used).program().inputs(), **profile));
  });
}

int wsevm_report_write(const wsevm_machine* machines, size_t count, const char* const* names,
                       const char* title, const char* file) {
  return call([&]() -> Done {
    if (machines == nullptr) return null_argument("machines");
    if (file == nullptr) return null_argument("file");
    if (count == 0) return bad_input("count is 0; a page shows one run or more");
    return write_page({machines, count}, names, title, file);
  });
}

int wsevm_run_file(const char* file, const char* const* values, const char* const* options,
                   wsevm_print print, void* user, uint64_t* run, char** json) {
  return call([&]() -> Done {
    if (json != nullptr) *json = nullptr;
    if (file == nullptr) return null_argument("file");
    Fallible<Pairs> pairs = read_pairs(values, "value");
    if (!pairs) return std::unexpected(pairs.error());
    Fallible<Choices> choices = read_choices(options);
    if (!choices) return std::unexpected(choices.error());
    Origin origin{file, std::nullopt, choices->machine.value_or("wse2"), std::move(*pairs)};
    std::string record;
    FileRun file_run(std::move(origin), std::move(*choices), print, user, run);
    const Done ended = file_run.run(record);
    if (json != nullptr) *json = owned_text(record);
    return ended;
  });
}
