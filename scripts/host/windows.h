// An input that is one list for all PEs, each of which gets a part of it:
//
//     {list = numbers, first = function(x, y) return k end}      list   1 2 3 4 5 6 7
//                                                                k = 3      [ 3 4 5 ]
//
// For many PEs with long arrays: the list is read once, and the function is called once for a PE.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <span>
#include <vector>

#include "scripts/host/binding.h"
#include "vm/run/machine.h"

namespace wse::script {

struct Windows {
  std::vector<std::uint32_t> list;   // words of the array's type
  std::vector<std::uint32_t> first;  // where each PE's begins, from 0; row by row

  // Returns the window of the PE (x, y) of the array's rectangle.
  std::span<const std::uint32_t> of(const vm::ArrayInfo& array, std::uint32_t x,
                                    std::uint32_t y) const {
    const std::size_t pe = std::size_t{y - array.y0} * array.width + (x - array.x0);
    return std::span(list).subspan(first[pe], array.count);
  }
};

// Whether the value is meant as such: a table with one of these fields.
bool is_windows(lua_State* L, int index);

// Errors name the field. Each window lies in the list.
std::expected<Windows, BindingError> windows_of_value(lua_State* L, int index,
                                                      const vm::ArrayInfo& array);

}  // namespace wse::script
