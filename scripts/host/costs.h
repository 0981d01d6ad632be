// Prices of calls, in instructions of Lua, told by their arguments: the columns of charges.cpp.
// Each is called in the frame of the function, before it, and leaves the stack as it is. Plain C:
// it may raise, as the function itself would. Must never be less than a tenth of the work.
#pragma once

#include <cstdint>
#include <lua.hpp>

namespace wse::script {

using Cost = std::uint64_t (*)(lua_State* L);

// Short, whatever it is given.
inline constexpr Cost kShort = nullptr;

// It charges by itself, as it works.
inline constexpr Cost kItself = nullptr;

// Always the same.
template <std::uint64_t instructions>
std::uint64_t fixed(lua_State*) {
  return instructions;
}

namespace costs {

std::uint64_t values(lua_State* L);          // that are passed
std::uint64_t texts(lua_State* L);           // bytes of all texts that are passed
std::uint64_t date(lua_State* L);            // bytes of a format, each of which may be a whole date
std::uint64_t bytes(lua_State* L);           // (text, first, last)
std::uint64_t characters(lua_State* L);      // (text, first, last), by default all
std::uint64_t way(lua_State* L);             // utf8.offset(text, count, at)
std::uint64_t next_character(lua_State* L);  // (text, at)
std::uint64_t repeated(lua_State* L);        // string.rep
std::uint64_t unpacked(lua_State* L);        // string.unpack
std::uint64_t collection(lua_State* L);      // collectgarbage

// Ranges of table. One longer than any table that the memory limit allows is an error: lengths may
// come from __len, and elements from __index.
std::uint64_t concat(lua_State* L);
std::uint64_t insert(lua_State* L);
std::uint64_t move(lua_State* L);
std::uint64_t remove(lua_State* L);
std::uint64_t sort(lua_State* L);
std::uint64_t unpack(lua_State* L);

}  // namespace costs

// Of compiling a text: Lua's compiler walks lists of jumps anew for each branch of a long `if`, so
// that long texts take the square of their length.
std::uint64_t compile_cost(std::uint64_t bytes);

}  // namespace wse::script
