// The way from C++ into Lua's errors and back.
#include "scripts/host/binding.h"

#include <exception>
#include <new>

#include "scripts/host/session.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

void push_problem(lua_State* L, const BindingError& problem) {
  const std::string text = find_user_line(L).prefix() + problem.message;
  if (problem.ending != Ending::BadInput) session_of(L).endings.note(text, problem.ending);
  push_text(L, text);
}

// While it lives, C++ works for the script, or Lua again.
class Elsewhere {
 public:
  Elsewhere(lua_State* L, bool in_host)
      : in_host_(limits_of(L).pulse().in_host), before_(in_host_.exchange(in_host)) {}
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  ~Elsewhere() { in_host_ = before_; }

 private:
  std::atomic<bool>& in_host_;
  bool before_;
};

}  // namespace

int run_work(lua_State* L, Work work) noexcept {
  const Elsewhere elsewhere(L, true);
  try {
    try {
      const Returned returned = work(L);
      if (returned) return *returned;
      if (!returned.error().on_stack) push_problem(L, returned.error());
    } catch (const std::bad_alloc&) {
      push_problem(L, {"out of memory", Ending::Exhausted});
    }
  } catch (...) {
    lua_pushnil(L);  // not even the message could be made
    limits_of(L).trip(Trip::Memory);
  }
  return -1;
}

int raise_top(lua_State* L) {
  Limits& limits = limits_of(L);
  if (limits.tripped() != Trip::None) limits.raise(L);
  return lua_error(L);
}

bool call_protected(lua_State* L, int arguments) {
  const Elsewhere elsewhere(L, false);
  const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
  if (status == LUA_ERRMEM) limits_of(L).trip(Trip::Memory);
  return status == LUA_OK;
}

// Returns what protect() leaves on top, the text or another error.
std::string text_of_error(lua_State* L) {
  static_cast<void>(protect(L, 1, [](lua_State* inner) {
    luaL_tolstring(inner, 1, nullptr);
    return 1;
  }));
  std::size_t size = 0;
  const char* const text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : nullptr;
  return text == nullptr ? "an error without text" : std::string(text, size);
}

bool push_text(lua_State* L, const std::string& text) {
  return protect(L, 0, [&text](lua_State* inner) {
    lua_pushlstring(inner, text.data(), text.size());
    return 1;
  });
}

}  // namespace wse::script
