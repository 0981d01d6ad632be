// find, match, gmatch, gsub on top of Pattern.
#include "scripts/host/string_functions.h"

#include <cstdlib>
#include <cstring>

#include "scripts/host/charges.h"
#include "scripts/host/pattern.h"

namespace wse::script {
namespace {

constexpr std::size_t kBytesSearchedPerInstruction = 64;  // that memmem goes over
constexpr std::size_t kReplacedBytesPerInstruction = 8;

std::string_view text_argument(lua_State* L, int index) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, index, &size);
  return {text, size};
}

[[noreturn]] void raise_failure(lua_State* L, const Pattern& pattern) {
  if (pattern.failure() == Pattern::kStopped) limits_of(L).raise(L);
  luaL_error(L, "%s", pattern.failure());
  std::abort();  // luaL_error does not return
}

// The end of the match of `text` that begins at `at`, or null.
const char* match_at(lua_State* L, Pattern& pattern, const char* at, std::string_view text) {
  const char* const end = pattern.match_at(at, text.data());
  if (end != nullptr || at == pattern.subject_end()) pattern.charge();
  if (pattern.failure() != nullptr) raise_failure(L, pattern);
  return end;
}

// 1-based, from the end if negative; 0-based result, which may lie after the end.
std::size_t start_of(lua_Integer position, std::size_t size) {
  if (position > 0) return static_cast<std::size_t>(position) - 1;
  if (position == 0 || position < -static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-position);
}

void push_capture(lua_State* L, const Pattern& pattern, int k, std::string_view subject,
                  const char* begin, const char* end) {
  if (k >= pattern.captures()) {
    if (k != 0) luaL_error(L, "invalid capture index %%%d", k + 1);
    lua_pushlstring(L, begin, static_cast<std::size_t>(end - begin));
    return;
  }
  const Pattern::Capture& capture = pattern.capture(k);
  if (capture.size == Pattern::kOpen) luaL_error(L, "unfinished capture");
  if (capture.size == Pattern::kPosition) {
    lua_pushinteger(L, capture.begin - subject.data() + 1);
  } else {
    lua_pushlstring(L, capture.begin, static_cast<std::size_t>(capture.size));
  }
}

// The captures; without any the whole match, unless there is none to be pushed.
int push_captures(lua_State* L, const Pattern& pattern, std::string_view subject, const char* begin,
                  const char* end, bool or_whole) {
  const int count = pattern.captures() == 0 && or_whole ? 1 : pattern.captures();
  luaL_checkstack(L, count, "too many captures");
  for (int k = 0; k < count; ++k) push_capture(L, pattern, k, subject, begin, end);
  return count;
}

int push_range(lua_State* L, std::string_view subject, const char* begin, const char* end) {
  lua_pushinteger(L, begin - subject.data() + 1);
  lua_pushinteger(L, end - subject.data());
  return 2;
}

int find_plain(lua_State* L, std::string_view subject, std::string_view wanted, std::size_t start) {
  const char* const from = subject.data() + start;
  const std::size_t left = subject.size() - start;
  const auto* const begin =
      static_cast<const char*>(::memmem(from, left, wanted.data(), wanted.size()));  // linear time
  const std::size_t seen = begin == nullptr ? left : static_cast<std::size_t>(begin - from);
  limits_of(L).charge_or_raise(L, (seen + wanted.size()) / kBytesSearchedPerInstruction);
  if (begin == nullptr) {
    luaL_pushfail(L);
    return 1;
  }
  return push_range(L, subject, begin, begin + wanted.size());
}

int find_or_match(lua_State* L, bool find) {
  const std::string_view subject = text_argument(L, 1);
  std::string_view text = text_argument(L, 2);
  const std::size_t start = start_of(luaL_optinteger(L, 3, 1), subject.size());
  if (start > subject.size()) {
    luaL_pushfail(L);
    return 1;
  }
  if (find && (lua_toboolean(L, 4) != 0 || !has_specials(text))) {
    return find_plain(L, subject, text, start);
  }
  const bool anchored = text.starts_with('^');
  if (anchored) text.remove_prefix(1);
  Pattern pattern(subject, text, limits_of(L));
  const char* const subject_end = subject.data() + subject.size();
  for (const char* at = subject.data() + start; at <= subject_end; ++at) {
    const char* const end = match_at(L, pattern, at, text);
    if (end != nullptr) {
      const int range = find ? push_range(L, subject, at, end) : 0;
      return range + push_captures(L, pattern, subject, at, end, !find);
    }
    if (anchored) break;
  }
  luaL_pushfail(L);
  return 1;
}

int find(lua_State* L) { return find_or_match(L, true); }
int match(lua_State* L) { return find_or_match(L, false); }

// Upvalues of an iterator: subject, pattern, where it continues, where the last match ended.
int next_match(lua_State* L) {
  const std::string_view subject = text_argument(L, lua_upvalueindex(1));
  const std::string_view text = text_argument(L, lua_upvalueindex(2));
  const auto start = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3)));
  const lua_Integer last_end = lua_tointeger(L, lua_upvalueindex(4));
  Pattern pattern(subject, text, limits_of(L));
  for (std::size_t at = start; at <= subject.size(); ++at) {
    const char* const begin = subject.data() + at;
    const char* const end = match_at(L, pattern, begin, text);
    if (end == nullptr || end - subject.data() == last_end) continue;
    lua_pushinteger(L, end - subject.data());
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(L, pattern, subject, begin, end, true);
  }
  return 0;
}

int gmatch(lua_State* L) {
  const std::size_t size = text_argument(L, 1).size();
  text_argument(L, 2);
  std::size_t start = start_of(luaL_optinteger(L, 3, 1), size);
  if (start > size) start = size + 1;
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(start));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

// One match within gsub.
struct Match {
  const Pattern& pattern;
  std::string_view subject;
  const char* begin;
  const char* end;
};

// Adds the replacement text, in which %1 stands for a capture and %0 for the match.
void add_text(lua_State* L, luaL_Buffer& buffer, const Match& match) {
  std::string_view text = text_argument(L, 3);
  limits_of(L).charge_or_raise(L, text.size() / kReplacedBytesPerInstruction);
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%')) {
    luaL_addlstring(&buffer, text.data(), at);
    const char code = at + 1 < text.size() ? text[at + 1] : '\0';
    if (code == '%') {
      luaL_addchar(&buffer, '%');
    } else if (code == '0') {
      luaL_addlstring(&buffer, match.begin, static_cast<std::size_t>(match.end - match.begin));
    } else if (code >= '1' && code <= '9') {
      push_capture(L, match.pattern, code - '1', match.subject, match.begin, match.end);
      luaL_tolstring(L, -1, nullptr);  // a position is a number
      lua_remove(L, -2);
      luaL_addvalue(&buffer);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
    text.remove_prefix(at + 2);
  }
  luaL_addlstring(&buffer, text.data(), text.size());
}

// Adds what stands for the match; whether that differs from the match.
bool add_value(lua_State* L, luaL_Buffer& buffer, const Match& match, int kind) {
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    const int count = push_captures(L, match.pattern, match.subject, match.begin, match.end, true);
    lua_call(L, count, 1);
  } else if (kind == LUA_TTABLE) {
    push_capture(L, match.pattern, 0, match.subject, match.begin, match.end);
    lua_gettable(L, 3);
  } else {
    add_text(L, buffer, match);
    return true;
  }
  if (lua_toboolean(L, -1) == 0) {
    lua_pop(L, 1);
    luaL_addlstring(&buffer, match.begin, static_cast<std::size_t>(match.end - match.begin));
    return false;
  }
  if (lua_isstring(L, -1) == 0) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  }
  luaL_addvalue(&buffer);
  return true;
}

int gsub(lua_State* L) {
  const std::string_view subject = text_argument(L, 1);
  std::string_view text = text_argument(L, 2);
  const int kind = lua_type(L, 3);
  const bool usable =
      kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE;
  luaL_argexpected(L, usable, 3, "string/function/table");
  if (kind == LUA_TNUMBER) luaL_checklstring(L, 3, nullptr);  // becomes a text in its place
  const auto size = static_cast<lua_Integer>(subject.size());
  const lua_Integer most = luaL_optinteger(L, 4, size + 1);
  const bool anchored = text.starts_with('^');
  if (anchored) text.remove_prefix(1);
  Pattern pattern(subject, text, limits_of(L));
  const char* at = subject.data();
  const char* const subject_end = at + subject.size();
  const char* last_end = nullptr;
  lua_Integer count = 0;
  bool changed = false;
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (count < most) {
    const char* const end = match_at(L, pattern, at, text);
    if (end != nullptr && end != last_end) {
      ++count;
      changed |= add_value(L, buffer, {pattern, subject, at, end}, kind);
      at = last_end = end;
    } else if (at < subject_end) {
      luaL_addchar(&buffer, *at++);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (!changed) {
    lua_pushvalue(L, 1);
  } else {
    luaL_addlstring(&buffer, at, static_cast<std::size_t>(subject_end - at));
    luaL_pushresult(&buffer);
  }
  lua_pushinteger(L, count);
  return 2;
}

}  // namespace

void replace_string_functions(lua_State* L) {
  set_function(L, LUA_STRLIBNAME, "find", find);
  set_function(L, LUA_STRLIBNAME, "match", match);
  set_function(L, LUA_STRLIBNAME, "gmatch", gmatch);
  set_function(L, LUA_STRLIBNAME, "gsub", gsub);
  declare(L, "string.gmatch iterator", next_match);
}

}  // namespace wse::script
