// Reads tables and values that a script gave, without calling anything of Lua that can raise: no
// metamethods, no conversions in place.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <lua.hpp>
#include <optional>
#include <string>

#include "isa/support/result.h"

namespace wse::script {

// A text; a number is not taken for one.
inline std::optional<std::string> text_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return std::nullopt;
  std::size_t size = 0;
  const char* const text = lua_tolstring(L, index, &size);
  return std::string(text, size);
}

// An integer, or a float that is one.
inline std::optional<lua_Integer> integer_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) return std::nullopt;
  int exact = 0;
  const lua_Integer value = lua_tointegerx(L, index, &exact);
  return exact != 0 ? std::optional(value) : std::nullopt;
}

inline std::optional<std::uint64_t> count_at(lua_State* L, int index) {
  const std::optional<lua_Integer> value = integer_at(L, index);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

// For messages: "a table", "3.5", "'text'".
std::string shown_value(lua_State* L, int index);

// Calls each(key) with the value on top of the stack, until one fails; the stack is as before.
// Keys must be texts.
template <class Each>
isa::Status for_each_field(lua_State* L, int table, Each each) {
  if (lua_checkstack(L, 4) == 0) return isa::fail("tables are nested too deeply");
  table = lua_absindex(L, table);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    const std::optional<std::string> key = text_at(L, -2);
    const isa::Status status =
        key ? each(*key)
            : isa::Status(isa::fail(fmt::format("a name is wanted, not {}", shown_value(L, -2))));
    if (!status) {
      lua_pop(L, 2);
      return status;
    }
    lua_pop(L, 1);
  }
  return {};
}

}  // namespace wse::script
