// Finds the machine of the record, argument 1, and asks it.
#include "scripts/host/record_methods.h"

#include <fmt/format.h>

#include "scripts/host/arrays.h"
#include "scripts/host/comparison.h"
#include "scripts/host/files.h"
#include "scripts/host/limits.h"
#include "scripts/host/records.h"
#include "scripts/host/run_reads.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kElementsPerInstruction = 4;  // that are copied out of a machine

std::unexpected<BindingError> no_record() { return problem("this is no record of wse.run"); }

std::expected<std::string, BindingError> name_argument(lua_State* L, int index) {
  std::optional<std::string> name = text_at(L, index);
  if (!name) {
    return problem(fmt::format("the name of an array is wanted, not {}", shown_value(L, index)));
  }
  return std::move(*name);
}

struct AskedArray {
  RunReads run;
  std::string name;
  vm::ArrayInfo array;
};

// Returns the array of the record and the name, arguments 1 and 2.
std::expected<AskedArray, BindingError> asked_array(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return no_record();
  const auto name = name_argument(L, 2);
  if (!name) return std::unexpected(name.error());
  const isa::Result<vm::ArrayInfo> array = machine->array(*name);
  if (!array) return problem(array.error());
  return AskedArray{{*machine, shared_of(L, 1)}, *name, *array};
}

}  // namespace

Returned read_array(lua_State* L) {
  const auto asked = asked_array(L);
  if (!asked) return std::unexpected(asked.error());
  const auto& [run, name, array] = *asked;
  const std::uint64_t elements = std::uint64_t{array.width} * array.height * array.count;
  if (!limits_of(L).charge(elements / kElementsPerInstruction)) {
    return problem(limits_of(L).text());
  }
  const auto words = run.array(name);
  if (!words) return std::unexpected(words.error());
  if (!push_array(L, array, *words)) return problem_on_stack();
  return 1;
}

Returned read_symbol(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return no_record();
  const auto x = count_at(L, 2);
  const auto y = count_at(L, 3);
  if (!x || !y || *x > UINT32_MAX || *y > UINT32_MAX) {
    return problem("x and y of a PE are wanted: numbers that are not negative");
  }
  const auto name = name_argument(L, 4);
  if (!name) return std::unexpected(name.error());
  const RunReads run{*machine, shared_of(L, 1)};
  const auto value =
      run.symbol(static_cast<std::uint32_t>(*x), static_cast<std::uint32_t>(*y), *name);
  if (!value) return std::unexpected(value.error());
  if (!limits_of(L).charge(value->words.size())) return problem(limits_of(L).text());
  if (!push_symbol(L, *value)) return problem_on_stack();
  return 1;
}

Returned profile_arrays(lua_State* L) {
  const vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return no_record();
  const std::vector<std::string> names = machine->profile_arrays();
  const bool pushed = protect(L, 0, [&names](lua_State* inner) {
    lua_createtable(inner, static_cast<int>(names.size()), 0);
    for (std::size_t k = 0; k < names.size(); ++k) {
      lua_pushlstring(inner, names[k].data(), names[k].size());
      lua_rawseti(inner, -2, static_cast<lua_Integer>(k + 1));
    }
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

Returned read_profile(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return no_record();
  const auto name = name_argument(L, 2);
  if (!name) return std::unexpected(name.error());
  const std::uint32_t width = machine->image().width;
  const std::uint32_t height = machine->image().height;
  if (!limits_of(L).charge(std::uint64_t{width} * height / kElementsPerInstruction)) {
    return problem(limits_of(L).text());
  }
  const auto values = RunReads{*machine, shared_of(L, 1)}.profile(*name);
  if (!values) return problem(values.error().message + "; wse.run{profile = true} keeps one");
  return push_numbers(L, width, height, *values) ? Returned(1) : problem_on_stack();
}

Returned compare_array(lua_State* L) {
  const auto asked = asked_array(L);
  if (!asked) return std::unexpected(asked.error());
  const auto& [run, name, array] = *asked;
  const auto expected = expected_of_value(L, 3, array);
  if (!expected && expected.error().on_stack) return std::unexpected(expected.error());
  if (!expected)
    return problem(fmt::format("what '{}' is to be: {}", name, expected.error().message));
  std::vector<std::uint32_t> words;  // a machine of one process shows its own, PE by PE
  if (run.shared != nullptr) {
    auto told = run.array(name);
    if (!told) return std::unexpected(told.error());
    words = std::move(*told);
  }
  const auto compared = compare(limits_of(L), run.machine, name, array, *expected, words);
  if (!compared) return problem(compared.error());
  return push_comparison(L, *compared) ? Returned(1) : problem_on_stack();
}

Returned save_array(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return no_record();
  const auto name = name_argument(L, 2);
  if (!name) return std::unexpected(name.error());
  const std::optional<std::string> file = text_at(L, 3);
  if (!file) return problem("the name of a file is wanted");
  const RunReads run{*machine, shared_of(L, 1)};
  const auto bytes = run.file(*name, session_of(L).options.format_array);
  if (!bytes) return std::unexpected(bytes.error());
  return write_file(L, *file, *bytes);
}

}  // namespace wse::script
