// Which of the user's lines is running: frames of the library (chunks named "=(wse...)") and of
// the host do not count. Must never allocate in find_user_line: it is called where memory is out.
#pragma once

#include <lua.hpp>
#include <string>

namespace wse::script {

// Names of the library's chunks begin with it.
inline constexpr const char* kLibraryChunk = "=(wse";

struct UserLine {
  char source[LUA_IDSIZE] = "";
  int line = 0;  // 0: none of the user's lines runs

  // "script.lua:12: ", or nothing.
  std::string prefix() const;
};

UserLine find_user_line(lua_State* L);

// Pushes "script.lua:12: ", or "". May raise.
void push_user_position(lua_State* L);

// The user's lines that are running, innermost first: "\n  script.lua:12: in function 'f'".
std::string user_traceback(lua_State* L);

}  // namespace wse::script
