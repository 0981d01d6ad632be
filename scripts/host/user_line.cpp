// Walks the stack of calls.
#include "scripts/host/user_line.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace wse::script {
namespace {

constexpr int kTracebackLines = 12;  // of a deep recursion the innermost
constexpr int kLevels = 1000;        // that are looked at: each is found from the top anew

bool is_user_frame(const lua_Debug& frame) {
  return frame.currentline > 0 && !std::string_view(frame.source).starts_with(kLibraryChunk);
}

std::string frame_text(const lua_Debug& frame) {
  const std::string place = fmt::format("\n  {}:{}: in ", frame.short_src, frame.currentline);
  if (std::string_view(frame.what) == "main") return place + "the script";
  const bool is_named = frame.name != nullptr && std::string_view(frame.name) != "?";
  if (is_named) return place + fmt::format("function '{}'", frame.name);
  return place + fmt::format("the function of line {}", frame.linedefined);
}

}  // namespace

std::string UserLine::prefix() const {
  return line == 0 ? "" : fmt::format("{}:{}: ", source, line);
}

UserLine find_user_line(lua_State* L) {
  UserLine found;
  lua_Debug frame;
  for (int level = 0; level < kLevels && lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (!is_user_frame(frame)) continue;
    std::memcpy(found.source, frame.short_src, sizeof found.source);
    found.line = frame.currentline;
    return found;
  }
  return found;
}

void push_user_position(lua_State* L) {
  const UserLine line = find_user_line(L);
  if (line.line == 0) {
    lua_pushliteral(L, "");
  } else {
    lua_pushfstring(L, "%s:%d: ", line.source, line.line);
  }
}

std::string user_traceback(lua_State* L) {
  std::string text;
  lua_Debug frame;
  int lines = 0;
  for (int level = 0; level < kLevels && lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sln", &frame);
    if (!is_user_frame(frame)) continue;
    if (++lines > kTracebackLines) return text + "\n  ...";
    text += frame_text(frame);
  }
  return text;
}

}  // namespace wse::script
