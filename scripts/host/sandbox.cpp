// Builds the globals. Plain C: what is here raises directly and holds nothing with a destructor.
#include "scripts/host/sandbox.h"

#include <cstdio>
#include <cstring>

#include "scripts/host/modules.h"
#include "scripts/host/protected_calls.h"
#include "scripts/host/session.h"
#include "scripts/host/string_functions.h"
#include "scripts/host/table_functions.h"

namespace wse::script {
namespace {

constexpr luaL_Reg kLibraries[] = {
    {LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
    {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
    {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine}};

constexpr const char* kOsFunctions[] = {"clock", "date", "difftime", "time"};

// What would reach out of the sandbox. A null library: a global.
struct Refused {
  const char* library;
  const char* name;
};
constexpr Refused kRefused[] = {
    {nullptr, "dofile"},
    {nullptr, "loadfile"},
    {"string", "dump"},
    {"os", "execute"},
    {"os", "exit"},
    {"os", "getenv"},
    {"os", "remove"},
    {"os", "rename"},
    {"os", "setlocale"},
    {"os", "tmpname"},
    {"io", "close"},
    {"io", "input"},
    {"io", "lines"},
    {"io", "open"},
    {"io", "output"},
    {"io", "popen"},
    {"io", "read"},
    {"io", "tmpfile"},
    {"io", "type"},
    {"debug", "debug"},
    {"debug", "gethook"},
    {"debug", "getinfo"},
    {"debug", "getlocal"},
    {"debug", "getmetatable"},
    {"debug", "getregistry"},
    {"debug", "getupvalue"},
    {"debug", "getuservalue"},
    {"debug", "sethook"},
    {"debug", "setlocal"},
    {"debug", "setmetatable"},
    {"debug", "setupvalue"},
    {"debug", "upvalueid"},
    {"debug", "upvaluejoin"},
    {"package", "loadlib"},
    {"package", "searchpath"},
};

constexpr int kBytesPerInstruction = 64;  // of a collection

// Upvalue: the full name.
int refuse(lua_State* L) {
  return luaL_error(L, "%s is not available in a script; --unsafe lifts this",
                    lua_tostring(L, lua_upvalueindex(1)));
}

// To stdout; a byte counts as an instruction.
void print_value(lua_State* L, int index) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, index, &size);
  limits_of(L).charge_or_raise(L, size);
  session_of(L).print({text, size});
}

int write(lua_State* L) {
  const int count = lua_gettop(L);
  for (int k = 1; k <= count; ++k) print_value(L, k);
  return 0;
}

// traceback(message): for handlers of xpcall.
int traceback(lua_State* L) {
  if (lua_isnoneornil(L, 1) || lua_isstring(L, 1) != 0) {
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
  } else {
    lua_settop(L, 1);
  }
  return 1;
}

int print(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int k = 1; k <= count; ++k) {
    if (k > 1) luaL_addchar(&line, '\t');
    luaL_tolstring(L, k, nullptr);
    luaL_addvalue(&line);
  }
  luaL_addchar(&line, '\n');
  luaL_pushresult(&line);
  print_value(L, -1);
  return 0;
}

// A finalizer would run where no limit holds.
int set_metatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) {
      return luaL_error(L, "__gc is not available in a script; use a local <close> variable");
    }
    lua_pop(L, 1);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// load(chunk, name, mode, env): only text.
int load(lua_State* L) {
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  if (std::strchr(luaL_optstring(L, 3, "t"), 't') == nullptr) {
    return luaL_error(L, "load takes only text in a script; --unsafe lifts this");
  }
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

int collect(lua_State* L) {
  Limits& limits = limits_of(L);
  limits.charge_or_raise(L, limits.memory_used() / kBytesPerInstruction);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

// table[name] = function with what stood there as its upvalue; the table is on top.
void wrap(lua_State* L, const char* name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

void remove_field(lua_State* L, const char* name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
}

void set_global_functions(lua_State* L) {
  lua_pushglobaltable(L);
  wrap(L, "setmetatable", set_metatable);
  wrap(L, "load", load);
  wrap(L, "collectgarbage", collect);
  remove_field(L, "warn");
  replace_protected_calls(L);
  lua_pop(L, 1);
}

void set_library_functions(lua_State* L) {
  lua_getglobal(L, LUA_STRLIBNAME);
  replace_string_functions(L);
  lua_getglobal(L, LUA_TABLIBNAME);
  replace_table_functions(L);
  lua_getglobal(L, LUA_COLIBNAME);
  replace_coroutine_functions(L);
  lua_pop(L, 3);
}

// os, io and debug, with what is harmless of them.
void open_remains(lua_State* L) {
  luaL_requiref(L, LUA_OSLIBNAME, luaopen_os, 0);
  lua_newtable(L);
  for (const char* name : kOsFunctions) {
    lua_getfield(L, -2, name);
    lua_setfield(L, -2, name);
  }
  lua_setglobal(L, LUA_OSLIBNAME);
  lua_newtable(L);
  lua_pushcfunction(L, write);
  lua_setfield(L, -2, "write");
  lua_setglobal(L, LUA_IOLIBNAME);
  lua_newtable(L);
  lua_pushcfunction(L, traceback);
  lua_setfield(L, -2, "traceback");
  lua_setglobal(L, LUA_DBLIBNAME);
  lua_pop(L, 1);
}

void set_refusals(lua_State* L) {
  for (const Refused& refused : kRefused) {
    lua_pushglobaltable(L);
    if (refused.library != nullptr) luaL_getsubtable(L, -1, refused.library);
    if (refused.library == nullptr) {
      lua_pushstring(L, refused.name);
    } else {
      lua_pushfstring(L, "%s.%s", refused.library, refused.name);
    }
    lua_pushcclosure(L, refuse, 1);
    lua_setfield(L, -2, refused.name);
    lua_settop(L, 0);
  }
}

// getmetatable("") is false, and the metatable out of reach.
void lock_strings(lua_State* L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

}  // namespace

void open_sandbox(lua_State* L) {
  for (const luaL_Reg& library : kLibraries) {
    luaL_requiref(L, library.name, library.func, 1);
    lua_pop(L, 1);
  }
  open_remains(L);
  set_global_functions(L);
  set_library_functions(L);
  set_refusals(L);
  lock_strings(L);
  lua_register(L, "print", print);
  lua_register(L, "require", require_module);
}

void open_everything(lua_State* L) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // io.write and print in their order
  luaL_openlibs(L);
  lua_getglobal(L, "require");
  lua_pushcclosure(L, require_any, 1);
  lua_setglobal(L, "require");
  lua_register(L, "print", print);
}

}  // namespace wse::script
