// Each function: how many elements it will touch, then the standard one, which is its upvalue.
#include "scripts/host/table_functions.h"

#include <algorithm>
#include <bit>

#include "scripts/host/limits.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kBytesPerElement = 16;

// Elements first..last, none if the range is empty. Never overflows.
std::uint64_t elements(lua_Integer first, lua_Integer last) {
  if (last < first) return 0;
  const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  return span == kNoLimit ? span : span + 1;
}

int call_standard(lua_State* L, const char* name, std::uint64_t count) {
  Limits& limits = limits_of(L);
  if (count > limits.memory_bytes() / kBytesPerElement) {
    return luaL_error(L, "table.%s: a range of more elements than the memory limit allows", name);
  }
  limits.charge_or_raise(L, count);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

int concat(lua_State* L) {
  luaL_checkany(L, 1);
  const lua_Integer first = luaL_optinteger(L, 3, 1);
  const lua_Integer last = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4);
  return call_standard(L, "concat", elements(first, last));
}

int insert(lua_State* L) {
  luaL_checkany(L, 1);
  const bool at_end = lua_gettop(L) != 3;
  const lua_Integer first = at_end ? 1 : luaL_checkinteger(L, 2);
  return call_standard(L, "insert", at_end ? 1 : elements(first, luaL_len(L, 1)));
}

int remove(lua_State* L) {
  luaL_checkany(L, 1);
  const lua_Integer size = luaL_len(L, 1);
  return call_standard(L, "remove", elements(luaL_optinteger(L, 2, size), size));
}

int move(lua_State* L) {
  return call_standard(L, "move", elements(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
}

int sort(lua_State* L) {
  luaL_checkany(L, 1);
  const std::uint64_t count = elements(1, luaL_len(L, 1));
  limits_of(L).charge_or_raise(L, std::min<std::uint64_t>(count, 1u << 31) * std::bit_width(count));
  return call_standard(L, "sort", count);
}

}  // namespace

void replace_table_functions(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {
      {"concat", concat}, {"insert", insert}, {"move", move}, {"remove", remove}, {"sort", sort}};
  for (const luaL_Reg& function : kFunctions) {
    lua_getfield(L, -1, function.name);
    lua_pushcclosure(L, function.func, 1);
    lua_setfield(L, -2, function.name);
  }
}

}  // namespace wse::script
