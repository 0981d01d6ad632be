// A session is a plain table, as a record is: what it holds is a userdata in a table of the
// registry whose keys are weak.
#include "scripts/host/held_session.h"

#include <new>
#include <utility>

#include "scripts/host/binding.h"

namespace wse::script {
namespace {

constexpr const char* kSessions = "wse.sessions";  // in the registry: table -> userdata
constexpr const char* kSessionType = "wse.session";

int destroy_session(lua_State* L) {
  static_cast<HeldSession*>(lua_touserdata(L, 1))->~HeldSession();
  return 0;
}

}  // namespace

bool push_session(lua_State* L, HeldSession held) {
  return protect(L, 0, [&held](lua_State* inner) {
    lua_newtable(inner);
    lua_getfield(inner, LUA_REGISTRYINDEX, kSessions);
    lua_pushvalue(inner, -2);
    auto* const holder = new (lua_newuserdatauv(inner, sizeof(HeldSession), 0)) HeldSession();
    luaL_setmetatable(inner, kSessionType);
    lua_rawset(inner, -3);
    *holder = std::move(held);
    lua_pop(inner, 1);
    return 1;
  });
}

HeldSession* held_session(lua_State* L, int index) {
  if (!lua_istable(L, index)) return nullptr;
  index = lua_absindex(L, index);
  const bool found = protect(L, 0, [](lua_State* inner) {
    lua_getfield(inner, LUA_REGISTRYINDEX, kSessions);
    return 1;
  });
  HeldSession* held = nullptr;
  if (found) {
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    held = static_cast<HeldSession*>(lua_touserdata(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return held;
}

void open_sessions(lua_State* L) {
  luaL_newmetatable(L, kSessionType);
  lua_pushcfunction(L, destroy_session);
  lua_setfield(L, -2, "__gc");
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_setfield(L, LUA_REGISTRYINDEX, kSessions);
  lua_pop(L, 1);
}

}  // namespace wse::script
