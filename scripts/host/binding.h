// How C++ is called from Lua. Lua is C: an error leaves C frames by longjmp, which must never jump
// over a frame with destructors, and no C++ exception may pass through a frame of Lua. So:
//
//   A binding is a function `Returned f(lua_State*)`. It calls nothing of Lua that can raise (it
//   reads with lua_next, lua_rawgeti, lua_to...; numbers are not converted to strings). What can
//   raise - whatever allocates or calls - is in a body given to protect(). A body holds nothing
//   with a destructor across a call of Lua.
//
//   bind<f> is what Lua gets. Only there, when all that f made is destroyed, lua_error is called.
//
// Files that hold only plain C data (limits, strings, tables, protected calls) raise directly.
#pragma once

#include <expected>
#include <lua.hpp>
#include <string>
#include <utility>

#include "scripts/host/script_result.h"

namespace wse::script {

// Why a binding has no results. `on_stack`: the error value is on top of the stack already.
struct BindingError {
  std::string message;
  Ending ending = Ending::BadInput;  // what the script ends in if nobody catches the error
  bool on_stack = false;
};

// How many values on top of the stack are the results.
using Returned = std::expected<int, BindingError>;

// The same of what has none.
using Done = std::expected<void, BindingError>;

inline std::unexpected<BindingError> problem(std::string message,
                                             Ending ending = Ending::BadInput) {
  return std::unexpected(BindingError{std::move(message), ending, false});
}
inline std::unexpected<BindingError> problem_on_stack() {
  return std::unexpected(BindingError{{}, Ending::BadInput, true});
}

using Work = Returned (*)(lua_State*);

// Runs the work, catches what it throws; -1: the error value is on top of the stack.
int run_work(lua_State* L, Work work) noexcept;

// Raises the value on top of the stack, or what has tripped meanwhile.
int raise_top(lua_State* L);

template <Work work>
int bind(lua_State* L) {
  const int results = run_work(L, work);
  return results >= 0 ? results : raise_top(L);
}

// lua_pcall, which remembers that memory has run out.
bool call_protected(lua_State* L, int arguments);

// Runs body(L) in a frame of its own; the `arguments` values on top of the stack are its arguments
// 1, 2, ... It returns how many results it leaves on top; these replace the arguments. False: it
// raised or threw; the error value is on top.
template <class Body>
bool protect(lua_State* L, int arguments, Body body) {
  const lua_CFunction thunk = [](lua_State* inner) {
    Body& inside = *static_cast<Body*>(lua_touserdata(inner, 1));
    lua_remove(inner, 1);
    int results = -1;
    try {
      results = inside(inner);
    } catch (...) {
    }
    return results >= 0 ? results : luaL_error(inner, "out of memory");
  };
  lua_pushcfunction(L, thunk);
  lua_pushlightuserdata(L, &body);
  lua_rotate(L, -(arguments + 2), 2);
  return call_protected(L, arguments + 1);
}

// The text of the error value on top, which may be replaced by it.
std::string text_of_error(lua_State* L);

// Pushes a text. False: there is no memory for it; the error value is on top.
bool push_text(lua_State* L, const std::string& text);

}  // namespace wse::script
