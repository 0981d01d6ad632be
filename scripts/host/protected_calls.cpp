// Plain C: nothing here has a destructor, errors are raised directly.
#include "scripts/host/protected_calls.h"

#include "scripts/host/charges.h"
#include "scripts/host/limits.h"

namespace wse::script {
namespace {

bool is_error(int status) { return status != LUA_OK && status != LUA_YIELD; }

// After everything that caught an error: continues with it if it is that of a limit.
void pass_on(lua_State* L, int status) {
  Limits& limits = limits_of(L);
  if (status == LUA_ERRMEM) limits.trip(Trip::Memory);
  if (limits.tripped() != Trip::None) limits.raise(L);
}

// `below`: how many values at the bottom of the stack are no results.
int finish_pcall(lua_State* L, int status, lua_KContext below) {
  if (!is_error(status)) return lua_gettop(L) - static_cast<int>(below);
  pass_on(L, status);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

int pcall(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(L, status, 0);
}

// The stack: function, handler, true, results; or, at the end, the error.
int finish_xpcall(lua_State* L, int status, lua_KContext below) {
  if (!is_error(status)) return lua_gettop(L) - static_cast<int>(below);
  pass_on(L, status);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -3);
  const int handled = lua_pcall(L, 1, 1, 0);
  if (is_error(handled)) pass_on(L, handled);
  return 2;
}

int xpcall(lua_State* L) {
  const int arguments = lua_gettop(L) - 2;
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);  // both below the arguments
  const int status = lua_pcallk(L, arguments, LUA_MULTRET, 0, 2, finish_xpcall);
  return finish_xpcall(L, status, 2);
}

lua_State* coroutine_argument(lua_State* L) {
  lua_State* const coroutine = lua_tothread(L, 1);
  luaL_argexpected(L, coroutine != nullptr, 1, "coroutine");
  return coroutine;
}

// Moves the arguments over and the results back; -1 and the error on top if it failed.
int resume_with(lua_State* L, lua_State* coroutine, int arguments) {
  if (lua_checkstack(coroutine, arguments) == 0) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, coroutine, arguments);
  int results = 0;
  const int status = lua_resume(coroutine, L, arguments, &results);
  if (is_error(status)) {
    pass_on(L, status);
    lua_xmove(coroutine, L, 1);
    return -1;
  }
  if (lua_checkstack(L, results + 1) == 0) {
    lua_pop(coroutine, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(coroutine, L, results);
  return results;
}

int resume(lua_State* L) {
  lua_State* const coroutine = coroutine_argument(L);
  const int results = resume_with(L, coroutine, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0 ? 1 : 0);
  const int count = results >= 0 ? results : 1;
  lua_insert(L, -(count + 1));
  return count + 1;
}

int create(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State* const coroutine = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
  return 1;
}

// Upvalue: the coroutine.
int call_wrapped(lua_State* L) {
  limits_of(L).charge_or_raise(L, costs::values(L));
  lua_State* const coroutine = lua_tothread(L, lua_upvalueindex(1));
  const int results = resume_with(L, coroutine, lua_gettop(L));
  if (results >= 0) return results;
  const int status = lua_status(coroutine);
  if (is_error(status)) {  // it died: its __close handlers run now
    const int closed = lua_resetthread(coroutine);
    pass_on(L, closed);
    if (is_error(closed)) {
      lua_pop(L, 1);
      lua_xmove(coroutine, L, 1);
    }
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int wrap(lua_State* L) {
  create(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

// Upvalue: the standard function.
int close(lua_State* L) {
  pass_on(L, LUA_OK);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  pass_on(L, LUA_OK);
  return lua_gettop(L);
}

}  // namespace

void replace_protected_calls(lua_State* L) {
  set_function(L, "", "pcall", pcall);
  set_function(L, "", "xpcall", xpcall);
}

void replace_coroutine_functions(lua_State* L) {
  set_instead(L, LUA_COLIBNAME, "close", close);
  set_function(L, LUA_COLIBNAME, "create", create);
  set_function(L, LUA_COLIBNAME, "resume", resume);
  set_function(L, LUA_COLIBNAME, "wrap", wrap);
  declare(L, "coroutine.wrap function", call_wrapped);
}

}  // namespace wse::script
