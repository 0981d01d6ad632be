// Reads each input as what it is, and writes it.
#include "scripts/host/inputs.h"

#include <fmt/format.h>

#include "scripts/host/arrays.h"
#include "scripts/host/files.h"
#include "scripts/host/run_spec.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/windows.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kWordsPerInstruction = 64;  // that are copied into a machine

// The windows on top, of which the host holds the list alone.
Done set_windows(lua_State* L, vm::Machine& machine, const std::string& name,
                 const vm::ArrayInfo& array) {
  const std::uint64_t words = std::uint64_t{array.width} * array.height * array.count;
  if (!limits_of(L).charge(words / kWordsPerInstruction)) return problem(limits_of(L).text());
  const auto windows = windows_of_value(L, lua_absindex(L, -1), array);
  if (!windows) return std::unexpected(windows.error());
  const isa::Status written = machine.write_array_by_pe(
      name, array, [&](std::uint32_t x, std::uint32_t y) { return windows->of(array, x, y); });
  if (!written) return problem(written.error());
  return {};
}

// The value on top for one array.
Done set_input(lua_State* L, vm::Machine& machine, const std::string& name) {
  Session& session = session_of(L);
  const isa::Result<vm::ArrayInfo> array = machine.array(name);
  if (!array) return problem(array.error());
  if (const std::optional<std::string> file = text_at(L, -1)) {
    if (!session.limits.charge(kInstructionsPerFile)) return problem(session.limits.text());
    const auto bytes = session.files.read(session.find_input(*file), session.limits.memory_bytes());
    if (!bytes) return problem(bytes.error().message);
    const isa::Status set =
        session.options.set_array(machine, name, *file, std::as_bytes(std::span(*bytes)));
    if (!set) return problem(set.error());
    return {};
  }
  if (is_windows(L, -1)) return set_windows(L, machine, name, *array);
  const auto words = words_of_value(L, lua_absindex(L, -1), *array);
  if (!words) return std::unexpected(words.error());
  const isa::Status written = machine.write_array(name, *array, *words);
  if (!written) return problem(written.error());
  return {};
}

std::vector<std::string> field_names(lua_State* L, int table) {
  std::vector<std::string> names;
  static_cast<void>(for_each_field(L, table, [&](const std::string& name) -> isa::Status {
    names.push_back(name);
    return {};
  }));
  return names;
}

}  // namespace

// The names are taken first: what an input calls may change the table.
Done set_inputs(lua_State* L, std::string_view caller, int spec, vm::Machine& machine) {
  if (!push_field(L, spec, "inputs")) return {};
  const int inputs = lua_gettop(L);
  for (const std::string& name : field_names(L, inputs)) {
    if (!push_field(L, inputs, name)) continue;
    const Done done = set_input(L, machine, name);
    if (!done && done.error().on_stack) return done;
    if (!done) {
      return problem(fmt::format("{}: inputs.{}: {}", caller, name, done.error().message));
    }
    lua_settop(L, inputs);
  }
  lua_settop(L, inputs - 1);
  return {};
}

}  // namespace wse::script
