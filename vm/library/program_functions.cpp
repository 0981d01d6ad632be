// wsevm.h: the library itself, and programs.
#include <fmt/format.h>

#include <cstdlib>

#include "isa/machine/profile.h"
#include "vm/library/handles.h"
#include "vm/library/program.h"

using namespace wse::library;

namespace {

Fallible<std::shared_ptr<Program>> find(wsevm_program handle) {
  std::shared_ptr<Program> program = programs().find(handle);
  if (program) return program;
  return fault(WSEVM_BAD_HANDLE, fmt::format("handle {} names no program{}", handle,
                                             handle == 0 ? "" : "; it may be freed"));
}

// Gives the caller the number of a program.
Done give(Fallible<std::shared_ptr<Program>> program, wsevm_program* handle) {
  if (!program) return std::unexpected(program.error());
  *handle = programs().add(std::move(*program));
  return {};
}

Fallible<Origin> origin_of(const char* file, const char* text, const char* machine,
                           const char* const* values) {
  Origin origin;
  if (file != nullptr) origin.file = file;
  if (text != nullptr) origin.text = text;
  if (machine != nullptr) origin.machine = machine;
  Fallible<Pairs> pairs = read_pairs(values, "value");
  if (!pairs) return std::unexpected(pairs.error());
  origin.values = std::move(*pairs);
  return origin;
}

}  // namespace

const char* wsevm_version(void) { return WSE_VERSION; }

const char* wsevm_error_text(void) { return kept_text(); }

int wsevm_profiles(char** names) {
  return call([&]() -> Done {
    if (names == nullptr) return null_argument("names");
    std::string text;
    for (const std::string& name : wse::isa::profile_names()) text += name + "\n";
    *names = owned_text(text);
    return {};
  });
}

void wsevm_free(char* text) { std::free(text); }

int wsevm_program_load(const char* file, const char* text, const char* machine,
                       const char* const* values, wsevm_program* program) {
  return call([&]() -> Done {
    if (program == nullptr) return null_argument("program");
    *program = 0;
    if (file == nullptr && text == nullptr)
      return bad_input("file and text are NULL; one is wanted");
    Fallible<Origin> origin = origin_of(file, text, machine, values);
    if (!origin) return std::unexpected(origin.error());
    return give(Program::load(std::move(*origin), new_inputs()), program);
  });
}

int wsevm_layout_run(const char* file, const char* machine, const char* const* arguments,
                     uint64_t number, wsevm_print print, void* user, wsevm_program* program) {
  return call([&]() -> Done {
    if (program == nullptr) return null_argument("program");
    *program = 0;
    if (file == nullptr) return null_argument("file");
    const Fallible<Origin> origin = origin_of(file, nullptr, machine, arguments);
    if (!origin) return std::unexpected(origin.error());
    return give(load_layout(*origin, number, print, user), program);
  });
}

int wsevm_program_free(wsevm_program program) {
  return call([&]() -> Done {
    const Fallible<std::shared_ptr<Program>> found = find(program);
    if (!found) return std::unexpected(found.error());
    programs().take(program);
    return {};
  });
}

int wsevm_program_symbols(wsevm_program program, char** json) {
  return call([&]() -> Done {
    if (json == nullptr) return null_argument("json");
    const auto found = find(program);
    if (!found) return std::unexpected(found.error());
    *json = owned_text((*found)->symbols_json());
    return {};
  });
}

int wsevm_program_text(wsevm_program program, char** text) {
  return call([&]() -> Done {
    if (text == nullptr) return null_argument("text");
    const auto found = find(program);
    if (!found) return std::unexpected(found.error());
    *text = owned_text((*found)->text());
    return {};
  });
}

int wsevm_program_listing(wsevm_program program, char** text) {
  return call([&]() -> Done {
    if (text == nullptr) return null_argument("text");
    const auto found = find(program);
    if (!found) return std::unexpected(found.error());
    *text = owned_text((*found)->listing());
    return {};
  });
}
