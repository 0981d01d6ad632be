// Does every C function that a script can reach have its charge? The walk starts at the globals and
// at the library's modules and goes through tables, metatables, upvalues, and what iterators give.
#include <gtest/gtest.h>

#include <set>

#include "scripts/host/binding.h"
#include "scripts/host/charges.h"
#include "scripts/host/host_module.h"
#include "scripts/host/sandbox.h"
#include "scripts/host/session.h"
#include "tests/script/script_support.h"

namespace wse::script {
namespace {

int planted(lua_State*) { return 0; }

class Charges : public testing::Test {
 protected:
  Charges() : session_(options_, inputs_), L_(lua_newstate(&Limits::allocate, &session_.limits)) {
    *static_cast<Session**>(lua_getextraspace(L_)) = &session_;
    open_sandbox(L_);
    lua_settop(L_, 0);
    open_host_module(L_);
  }
  ~Charges() override { lua_close(L_); }

  // What no global holds: modules, iterators, functions that functions make.
  void run_what_makes_functions() {
    constexpr const char* kText =
        "made = {require 'wse', require 'wse.host', string.gmatch('a', 'a'), utf8.codes('a'),\n"
        "  coroutine.wrap(print), ipairs({}), pairs({}), load('return 1'), io.write, os.exit,\n"
        "  getmetatable(coroutine.create(print)), require 'collectives.model'}\n"
        "load(function() reader = 1 end)";
    const int status = luaL_dostring(L_, kText);
    ASSERT_EQ(status, LUA_OK) << lua_tostring(L_, -1);
  }

  // The ways to C functions without a charge, from the globals.
  std::set<std::string> uncharged() {
    lua_settop(L_, 0);
    found_ = 0;
    lua_pushglobaltable(L_);
    walk("_G");
    lua_pushliteral(L_, "");
    lua_getmetatable(L_, -1);
    walk("texts");
    return std::exchange(ways_, {});
  }

  // Goes through the value on top and pops it.
  void walk(const std::string& way) {
    luaL_checkstack(L_, 10, "deep");
    const void* const place = lua_topointer(L_, -1);
    if (lua_iscfunction(L_, -1) != 0) {
      ++found_;
      if (!is_charged(L_, -1)) ways_.insert(way);
    } else if (place != nullptr && seen_.insert(place).second) {
      if (lua_istable(L_, -1)) walk_fields(way);
      if (lua_isfunction(L_, -1)) walk_upvalues(way);
    }
    const bool text = lua_type(L_, -1) == LUA_TSTRING;  // whose metatable is walked by itself
    if (!text && lua_getmetatable(L_, -1) != 0) walk(way + ".metatable");
    lua_pop(L_, 1);
  }

  void walk_fields(const std::string& way) {
    lua_pushnil(L_);
    while (lua_next(L_, -2) != 0) {
      lua_pushvalue(L_, -2);
      const char* const name = luaL_tolstring(L_, -1, nullptr);
      const std::string field = way + "." + name;
      lua_pop(L_, 1);
      walk(way + " key");
      walk(field);
    }
  }

  void walk_upvalues(const std::string& way) {
    for (int k = 1; lua_getupvalue(L_, -1, k) != nullptr; ++k) walk(way + " upvalue");
  }

  static Options options_with_room() {
    Options options = test_options();
    options.limits.instructions = kNoLimit / 2;
    return options;
  }

  const Options options_ = options_with_room();
  isa::InputList inputs_;
  Session session_;
  lua_State* L_;
  std::set<const void*> seen_;
  std::set<std::string> ways_;
  int found_ = 0;
};

TEST_F(Charges, EveryFunctionHasOne) {
  run_what_makes_functions();
  EXPECT_EQ(uncharged(), std::set<std::string>());
  EXPECT_GT(found_, 100);
}

TEST_F(Charges, AFunctionThatIsPlantedIsFound) {
  lua_getglobal(L_, "string");
  lua_pushcfunction(L_, planted);
  lua_setfield(L_, -2, "planted");
  EXPECT_EQ(uncharged(), std::set<std::string>{"_G.string.planted"});
}

// A function of the standard library that charges by its arguments must not be reached around that.
TEST_F(Charges, AStandardFunctionWithoutItsChargeIsFound) {
  lua_pushcfunction(L_, luaopen_string);
  lua_call(L_, 0, 1);
  lua_getfield(L_, -1, "upper");
  lua_setglobal(L_, "upper");
  EXPECT_TRUE(uncharged().contains("_G.upper"));
}

TEST_F(Charges, OneWithoutDoesNotRegister) {
  const bool done = protect(L_, 0, [](lua_State* L) {
    lua_newtable(L);
    set_function(L, "string", "planted", planted);
    return 0;
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(text_of_error(L_), "string.planted has no charge (scripts/host/charges.cpp)");
}

// As one of a later standard library would be.
TEST_F(Charges, OneWithoutIsNotKept) {
  lua_newtable(L_);
  for (const char* name : {"planted", "upper"}) {
    lua_pushcfunction(L_, planted);
    lua_setfield(L_, -2, name);
  }
  keep_charged(L_, "string");
  EXPECT_EQ(lua_getfield(L_, -1, "planted"), LUA_TNIL);
  EXPECT_EQ(lua_getfield(L_, -2, "upper"), LUA_TFUNCTION);
}

TEST_F(Charges, EachStandsOnce) {
  std::set<std::string_view> names;
  for (const Charge& charge : charges())
    EXPECT_TRUE(names.insert(charge.name).second) << charge.name;
}

// The charge is counted before the function begins, whatever becomes of it.
TEST_F(Charges, AreCounted) {
  const std::pair<const char*, std::uint64_t> calls[] = {
      {"local s = ('x'):rep(1 << 20) string.upper(s)", 1 << 17},
      {"local s = ('x'):rep(1 << 20) pcall(tonumber, s)", 1 << 17},
      {"local s = ('x'):rep(1 << 20) utf8.len(s)", 1 << 17},
      {"local s = ('\\x80'):rep(1 << 20) pcall(select(1, utf8.codes(s)), s, 1)", 1 << 16},
      {"local s = ('x'):rep(1 << 20) utf8.offset(s, -(1 << 20))", 1 << 16},
      {"local s = ('%d'):rep(1 << 16) pcall(os.date, s)", 1 << 17},
      {"load(('x = 1 '):rep(1 << 15))", 1 << 17},
      {"local n = 0 load(function() n = n + 1 return n < 1000 and ('x = 1 '):rep(100) end)",
       600'000},
      {"table.unpack({}, 1, 100000)", 10'000},
      {"local s = ('x'):rep(1 << 20) string.unpack('z', s .. '\\0')", 1 << 14},
      {"for k = 1, 100 do ('x'):rep(3000):find('y', 1) end", 40},
      {"for k = 1, 100 do ('x'):rep(3000):find('[y]') end", 300'000},
      {"('x'):rep(1000):gsub('()', ('%1'):rep(1) .. ('%%'):rep(1000))", 200'000},
  };
  for (const auto& [text, least] : calls) {
    const std::uint64_t before = session_.limits.work();
    EXPECT_EQ(luaL_dostring(L_, text), LUA_OK) << lua_tostring(L_, -1);
    EXPECT_GE(session_.limits.work() - before, least) << text;
  }
}

}  // namespace
}  // namespace wse::script
