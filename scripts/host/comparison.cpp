// PEs whose words are the expected ones cost a memcmp; elements are looked at where they are not.
#include "scripts/host/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "scripts/host/arrays.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kEqualWordsPerInstruction = 64;  // of Lua, that are compared at once
constexpr std::uint64_t kPairsPerInstruction = 4;        // that are looked at

class Comparer {
 public:
  explicit Comparer(isa::Type type) : type_(type) { result_.of_floats = isa::is_float(type); }

  const Comparison& result() const { return result_; }

  // Compares the elements of the PE (x, y). Returns its price, in instructions of Lua.
  std::uint64_t add(std::uint32_t x, std::uint32_t y, std::span<const std::uint32_t> found,
                    std::span<const std::uint32_t> expected) {
    result_.compared += found.size();
    if (std::memcmp(found.data(), expected.data(), found.size_bytes()) == 0) {
      return 1 + found.size() / kEqualWordsPerInstruction;
    }
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      if (found[i] == expected[i]) continue;
      add({x, y, i, isa::from_bits(found[i], type_), isa::from_bits(expected[i], type_)});
    }
    return 1 + found.size() / kPairsPerInstruction;
  }

 private:
  void add(const ElementPair& pair) {
    const double found = pair.found.as_double();
    const double expected = pair.expected.as_double();
    if (found == expected || (std::isnan(found) && std::isnan(expected))) return;
    ++result_.differing;
    const double difference = std::abs(found - expected);
    if (std::isnan(result_.largest) || difference <= result_.largest) return;
    result_.largest = difference;
    result_.worst = pair;
  }

  isa::Type type_;
  Comparison result_;
};

void set_integer(lua_State* L, const char* name, std::uint64_t value) {
  lua_pushinteger(L, static_cast<lua_Integer>(value));
  lua_setfield(L, -2, name);
}

void set_pair(lua_State* L, const ElementPair& pair) {
  set_integer(L, "x", pair.x);
  set_integer(L, "y", pair.y);
  set_integer(L, "i", pair.i);
  push_number(L, pair.found);
  lua_setfield(L, -2, "found");
  push_number(L, pair.expected);
  lua_setfield(L, -2, "expected");
}

}  // namespace

std::expected<Expected, BindingError> expected_of_value(lua_State* L, int index,
                                                        const vm::ArrayInfo& array) {
  if (is_windows(L, index)) return windows_of_value(L, index, array);
  if (!lua_istable(L, index) && !lua_isfunction(L, index)) {
    return problem(fmt::format("a table or a function is wanted, not {}", shown_value(L, index)));
  }
  return words_of_value(L, index, array);
}

isa::Result<Comparison> compare(Limits& limits, const vm::Machine& machine, const std::string& name,
                                const vm::ArrayInfo& array, const Expected& expected,
                                std::span<const std::uint32_t> words) {
  Comparer comparer(array.type);
  bool within_limits = true;
  const auto part_at = [&](std::span<const std::uint32_t> all, std::uint32_t x, std::uint32_t y) {
    const std::size_t pe = std::size_t{y - array.y0} * array.width + (x - array.x0);
    return all.subspan(pe * array.count, array.count);
  };
  const auto expected_at = [&](std::uint32_t x, std::uint32_t y) {
    if (const auto* windows = std::get_if<Windows>(&expected)) return windows->of(array, x, y);
    return part_at(std::get<0>(expected), x, y);
  };
  const auto look = [&](std::uint32_t x, std::uint32_t y, std::span<const std::uint32_t> here) {
    const auto found = words.empty() ? here : part_at(words, x, y);
    within_limits = limits.charge(comparer.add(x, y, found, expected_at(x, y)));
    return within_limits;
  };
  const isa::Status read = machine.read_array_by_pe(name, look);
  if (!read) return std::unexpected(read.error());
  if (!within_limits) return isa::fail(limits.text());
  return comparer.result();
}

bool push_comparison(lua_State* L, const Comparison& comparison) {
  return protect(L, 0, [&comparison](lua_State* inner) {
    lua_createtable(inner, 0, 8);
    set_integer(inner, "compared", comparison.compared);
    set_integer(inner, "differing", comparison.differing);
    if (comparison.of_floats) {
      lua_pushnumber(inner, comparison.largest);
    } else {
      lua_pushinteger(inner, static_cast<lua_Integer>(comparison.largest));
    }
    lua_setfield(inner, -2, "largest");
    if (comparison.worst) set_pair(inner, *comparison.worst);
    return 1;
  });
}

}  // namespace wse::script
