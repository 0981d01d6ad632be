// How far an array of a machine is from what it is expected to be, without a table of its elements.
#pragma once

#include <lua.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "isa/formula/formula.h"
#include "scripts/host/binding.h"
#include "scripts/host/limits.h"
#include "scripts/host/windows.h"
#include "vm/run/machine.h"

namespace wse::script {

// Words of the array's type: of all elements in C order, or of windows.
using Expected = std::variant<std::vector<std::uint32_t>, Windows>;

// From a table, a function of (x, y, i) or windows at `index`, as inputs are given (inputs.h).
std::expected<Expected, BindingError> expected_of_value(lua_State* L, int index,
                                                        const vm::ArrayInfo& array);

// Element i of the PE (x, y).
struct ElementPair {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t i = 0;
  isa::Number found;
  isa::Number expected;
};

struct Comparison {
  std::uint64_t compared = 0;   // elements
  std::uint64_t differing = 0;  // of them; a NaN differs from all but a NaN
  double largest = 0;           // |found - expected|; NaN if one of them is NaN
  bool of_floats = false;
  std::optional<ElementPair> worst;  // the first with the largest difference; none if all are equal
};

// Compares all PEs that have the array. `words`: what it holds, if others have parts of the
// machine; empty: the machine knows. Errors: a limit has tripped.
isa::Result<Comparison> compare(Limits& limits, const vm::Machine& machine, const std::string& name,
                                const vm::ArrayInfo& array, const Expected& expected,
                                std::span<const std::uint32_t> words = {});

// Pushes {compared=, differing=, largest=, x=, y=, i=, found=, expected=}, the last five only where
// elements differ. False: the error is on top.
bool push_comparison(lua_State* L, const Comparison& comparison);

}  // namespace wse::script
