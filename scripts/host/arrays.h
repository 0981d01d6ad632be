// Exported arrays between machines and Lua: tables in C order, [height][width][count].
#pragma once

#include <lua.hpp>
#include <string>
#include <vector>

#include "isa/formula/formula.h"
#include "scripts/host/binding.h"
#include "vm/run/machine.h"

namespace wse::script {

// The number on top as a word of the type.
isa::Result<std::uint32_t> word_on_top(lua_State* L, isa::Type type);

// The words of the array from the value at `index`: a flat table, a nested one, or a function of
// (x, y, i), all of which count from 0.
std::expected<std::vector<std::uint32_t>, BindingError> words_of_value(lua_State* L, int index,
                                                                       const vm::ArrayInfo& array);

// Pushes a float or an integer.
void push_number(lua_State* L, const isa::Number& number);

// Pushes {1st, 2nd, ..., width=, height=, count=, x0=, y0=, type=}. False: the error is on top.
bool push_array(lua_State* L, const vm::ArrayInfo& array, const std::vector<std::uint32_t>& words);

// Pushes the same of integers, one for each PE of a mesh, without a type.
bool push_numbers(lua_State* L, std::uint32_t width, std::uint32_t height,
                  const std::vector<std::uint64_t>& numbers);

// Pushes a number, or the list of them. False: the error is on top.
bool push_symbol(lua_State* L, const vm::SymbolValue& value);

}  // namespace wse::script
