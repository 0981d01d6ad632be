// Builds the globals. Plain C: what is here raises directly and holds nothing with a destructor.
#include "scripts/host/sandbox.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "scripts/host/charges.h"
#include "scripts/host/modules.h"
#include "scripts/host/protected_calls.h"
#include "scripts/host/session.h"
#include "scripts/host/string_functions.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

constexpr luaL_Reg kLibraries[] = {
    {LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
    {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
    {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine}};

constexpr const char* kOsFunctions[] = {"clock", "date", "difftime", "time"};

// A function that would reach out of the sandbox. A null library: a global.
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

// Counts `more` bytes that the compiler takes after `before` of the same text.
void charge_compiler(lua_State* L, std::uint64_t before, std::uint64_t more) {
  limits_of(L).charge_or_raise(L, compile_cost(before + more) - compile_cost(before));
}

// Called by load() for pieces of a text. Upvalues: the script's function, bytes so far.
int read_piece(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 0, 1);
  const lua_Integer before = lua_tointeger(L, lua_upvalueindex(2));
  std::size_t size = 0;
  if (lua_isstring(L, -1) != 0) lua_tolstring(L, -1, &size);
  charge_compiler(L, static_cast<std::uint64_t>(before), size);
  lua_pushinteger(L, before + static_cast<lua_Integer>(size));
  lua_replace(L, lua_upvalueindex(2));
  return 1;
}

bool is_called_by_library(lua_State* L) {
  lua_Debug caller;
  if (lua_getstack(L, 1, &caller) == 0) return false;
  lua_getinfo(L, "S", &caller);
  return std::string_view(caller.source).starts_with(kLibraryChunk);
}

// load(chunk, name, mode, env): only text. Upvalue: the standard one.
int load(lua_State* L) {
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  if (std::strchr(luaL_optstring(L, 3, "t"), 't') == nullptr) {
    return luaL_error(L, "load takes only text in a script; --unsafe lifts this");
  }
  // Lines of chunks that are called so are no lines of the user.
  if (std::string_view(luaL_optstring(L, 2, "")).starts_with(kLibraryChunk) &&
      !is_called_by_library(L)) {
    return luaL_error(L, "load: names that begin with '%s' are those of the library",
                      kLibraryChunk);
  }
  if (lua_isstring(L, 1) != 0) {
    charge_compiler(L, 0, lua_rawlen(L, 1));
  } else if (lua_isfunction(L, 1)) {
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, read_piece, 2);
    lua_replace(L, 1);
  }
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

// The standard utf8.codes gives its iterator away. Upvalue: it.
int codes(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 3);
  lua_pushvalue(L, -3);
  charge_top(L, "utf8.codes iterator");
  lua_replace(L, -4);
  return 3;
}

void set_global_functions(lua_State* L) {
  lua_pushglobaltable(L);
  set_instead(L, "", "setmetatable", set_metatable);
  declare(L, "load reader", read_piece);
  set_instead(L, "", "load", load);
  replace_protected_calls(L);
  set_function(L, "", "print", print);
  set_function(L, "", "require", require_module);
  lua_getfield(L, -1, "ipairs");
  lua_newtable(L);
  lua_call(L, 1, 1);
  charge_top(L, "ipairs iterator");
  lua_pop(L, 1);
  keep_charged(L, "");
  lua_pop(L, 1);
}

void set_library_functions(lua_State* L) {
  lua_getglobal(L, LUA_STRLIBNAME);
  replace_string_functions(L);
  lua_getglobal(L, LUA_COLIBNAME);
  replace_coroutine_functions(L);
  lua_getglobal(L, LUA_UTF8LIBNAME);
  set_instead(L, LUA_UTF8LIBNAME, "codes", codes);
  lua_pop(L, 3);
  for (const char* library :
       {LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_MATHLIBNAME, LUA_UTF8LIBNAME, LUA_COLIBNAME}) {
    lua_getglobal(L, library);
    keep_charged(L, library);
    lua_pop(L, 1);
  }
}

// os, io and debug, with what is harmless of them.
void open_remains(lua_State* L) {
  luaL_requiref(L, LUA_OSLIBNAME, luaopen_os, 0);
  lua_newtable(L);
  for (const char* name : kOsFunctions) {
    lua_getfield(L, -2, name);
    lua_setfield(L, -2, name);
  }
  keep_charged(L, LUA_OSLIBNAME);
  lua_setglobal(L, LUA_OSLIBNAME);
  lua_newtable(L);
  set_function(L, LUA_IOLIBNAME, "write", write);
  lua_setglobal(L, LUA_IOLIBNAME);
  lua_newtable(L);
  set_function(L, LUA_DBLIBNAME, "traceback", traceback);
  lua_setglobal(L, LUA_DBLIBNAME);
  lua_pop(L, 1);
}

void set_refusals(lua_State* L) {
  declare(L, "a refusal", refuse);
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
  keep_charged(L, LUA_STRLIBNAME);
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
