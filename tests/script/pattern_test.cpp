// Do find, match, gmatch and gsub answer as those of the standard library? Random patterns and
// subjects, compared in one Lua state that has both.
#include <gtest/gtest.h>

#include "scripts/host/limits.h"
#include "scripts/host/string_functions.h"

namespace wse::script {
namespace {

// `own` is the table of the replaced functions.
constexpr const char* kComparison = R"lua(
math.randomseed(7)
local pieces = {"a", "b", "c", ".", "%a", "%d", "%s", "%w", "%A", "%x", "%p", "[ab]", "[^ab]", "[a-c]",
  "[%a%d]", "[]]", "[^]]", "[a-]", "[%]]", "(", ")", "()", "*", "+", "-", "?", "^", "$", "%b()", "%bab",
  "%f[%w]", "%f[^a]", "%1", "%2", "%%", "%(", "[", "]", "%", "%z", "1", " "}
local letters = {"a", "b", "c", "a", "b", "1", "2", " ", "(", ")", "\0", "]", "-", "%"}
local function text(from, most)
  local t = {}
  for k = 1, math.random(0, most) do t[k] = from[math.random(#from)] end
  return table.concat(t)
end
local replacements = {"<%0>", "%1-%2", "%%", "x", "%9", "%", 7, {a = "A", b = false, [1] = 2},
  function(a, b) return b or a end, function() return nil end, function(a) return a == "a" and {} end}
local function all(gmatch, s, p)
  local found = {}
  for a, b in gmatch(s, p) do found[#found + 1] = tostring(a) .. "," .. tostring(b) end
  return table.concat(found, ";")
end
local function same(what, s, p, expected, got)
  local function clean(message)  -- names of functions differ
    return type(message) == "string" and message:gsub("'[%w.]*'", "F"):gsub(" in pattern.*", "")
      :gsub("capture index.*", "capture index") or message
  end
  if not expected[1] then expected[2], got[2] = clean(expected[2]), clean(got[2]) end
  local equal = expected.n == got.n
  for k = 1, expected.n do equal = equal and expected[k] == got[k] end
  if equal then return expected[1] and expected[2] ~= nil end
  error(string.format("%s(%q, %q): %s %s %s, not %s %s %s", what, s, p, tostring(got[1]), tostring(got[2]),
    tostring(got[3]), tostring(expected[1]), tostring(expected[2]), tostring(expected[3])), 0)
end
local matches, errors = 0, 0
for n = 1, 60000 do
  local s, p = text(letters, 12), text(pieces, 6)
  local init = math.random(-14, 14)
  for _, name in ipairs{"find", "match"} do
    local expected = table.pack(pcall(string[name], s, p, init))
    if not expected[1] then errors = errors + 1 end
    if same(name, s, p, expected, table.pack(pcall(own[name], s, p, init))) then matches = matches + 1 end
  end
  same("plain", s, p, table.pack(string.find(s, p, init, true)), table.pack(own.find(s, p, init, true)))
  same("gmatch", s, p, table.pack(pcall(all, string.gmatch, s, p)), table.pack(pcall(all, own.gmatch, s, p)))
  local r, most = replacements[math.random(#replacements)], math.random(5) == 1 and 2 or nil
  same("gsub", s, p, table.pack(pcall(string.gsub, s, p, r, most)), table.pack(pcall(own.gsub, s, p, r, most)))
end
assert(matches > 10000, "too few patterns match")
assert(errors > 5000, "too few patterns are malformed")
)lua";

TEST(Pattern, AnswersAsTheStandardLibrary) {
  Limits limits({.memory_bytes = kNoLimit, .instructions = kNoLimit});
  lua_State* const L = lua_newstate(&Limits::allocate, &limits);
  ASSERT_NE(L, nullptr);
  luaL_openlibs(L);
  lua_newtable(L);
  replace_string_functions(L);
  lua_setglobal(L, "own");
  const bool same = luaL_dostring(L, kComparison) == LUA_OK;
  EXPECT_TRUE(same) << lua_tostring(L, -1);
  lua_close(L);
}

}  // namespace
}  // namespace wse::script
