// Can a script harm or hang its host? Each attack must end in the refusal that it names, and
// nothing else may happen; the sanitizers watch. Attacks on files are in sandbox_files_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <ostream>

#include "tests/script/script_support.h"

namespace wse::script {
namespace {

struct Attack {
  const char* name;
  Ending ending;
  const char* told;  // part of the message; or of what was printed, where the script catches it
  const char* source;
};

// How a list of tests names it.
void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

constexpr const char* kInstructions = "instructions is reached";
constexpr const char* kMemory = "memory limit of 128 MiB is reached";
constexpr const char* kNotAvailable = "is not available in a script; --unsafe lifts this";

const Attack kAttacks[] = {
    {"Execute", Ending::BadInput, kNotAvailable, "os.execute('true')"},
    {"Popen", Ending::BadInput, kNotAvailable, "io.popen('ls')"},
    {"Open", Ending::BadInput, kNotAvailable, "io.open('/etc/passwd')"},
    {"Lines", Ending::BadInput, kNotAvailable, "for l in io.lines('/etc/passwd') do end"},
    {"Exit", Ending::BadInput, kNotAvailable, "os.exit(0)"},
    {"Getenv", Ending::BadInput, kNotAvailable, "print(os.getenv('HOME'))"},
    {"Remove", Ending::BadInput, kNotAvailable, "os.remove('x')"},
    {"Dofile", Ending::BadInput, kNotAvailable, "dofile('/etc/passwd')"},
    {"Loadfile", Ending::BadInput, kNotAvailable, "loadfile('/etc/passwd')"},
    {"Loadlib", Ending::BadInput, kNotAvailable, "package.loadlib('libc.so.6', '*')"},
    {"DebugHook", Ending::BadInput, kNotAvailable, "debug.sethook()"},
    {"DebugRegistry", Ending::BadInput, kNotAvailable, "debug.getregistry()"},
    {"DebugMetatable", Ending::BadInput, kNotAvailable, "debug.setmetatable(1, {})"},
    {"Dump", Ending::BadInput, kNotAvailable, "string.dump(print)"},
    {"NativeModule", Ending::BadInput, "no module 'socket' of Lua text", "require 'socket'"},
    {"ModuleAbove", Ending::BadInput, "a module is named by", "require '../secret'"},
    {"AbsoluteModule", Ending::BadInput, "a module is named by", "require '/etc/passwd'"},
    {"Bytecode", Ending::BadInput, "attempt to load a binary chunk",
     "assert(load('\\27Lua\\x54\\0\\x19\\x93'))"},
    {"BytecodeMode", Ending::BadInput, "load takes only text", "load('\\27Lua', 'x', 'b')"},
    {"BytecodeByPieces", Ending::BadInput, "attempt to load a binary chunk",
     "local n = 0; assert(load(function() n = n + 1; return ({'\\27', 'Lua'})[n] end))"},

    {"EndlessLoop", Ending::BadInput, kInstructions, "while true do end"},
    {"EndlessGoto", Ending::BadInput, kInstructions, "::a:: goto a"},
    {"LoopInPcall", Ending::BadInput, kInstructions,
     "while true do pcall(function() while true do end end) end"},
    {"LoopInHandler", Ending::BadInput, kInstructions,
     "local function f() while true do end end xpcall(f, f)"},
    {"LoopInHandlersHandler", Ending::BadInput, kInstructions,
     "local function f() while true do end end xpcall(error, function() xpcall(f, f) end)"},
    {"LoopInCoroutine", Ending::BadInput, kInstructions,
     "local co = coroutine.create(function() while true do end end)\n"
     "while true do coroutine.resume(co) end"},
    {"LoopInClose", Ending::BadInput, kInstructions,
     "local f = function() while true do end end\n"
     "local x <close> = setmetatable({}, {__close = f})\nf()"},
    {"LoopInCloseOfWrap", Ending::BadInput, kInstructions,
     "local f = function() while true do end end\n"
     "coroutine.wrap(function() local x <close> = setmetatable({}, {__close = f}) f() end)()"},
    {"LoopInCloseOfDead", Ending::BadInput, kInstructions,
     "local f = function() while true do end end\n"
     "local co = coroutine.create(function()\n"
     "  local x <close> = setmetatable({}, {__close = f}) error('dead') end)\n"
     "coroutine.resume(co) pcall(coroutine.close, co)"},
    {"ManyCoroutines", Ending::BadInput, kInstructions,
     "while true do coroutine.wrap(function() for k = 1, 90 do end end)() end"},
    {"CoroutinesInCoroutines", Ending::BadInput, "C stack overflow",
     "local function f() coroutine.wrap(f)() end f()"},
    {"LoopInMetamethod", Ending::BadInput, kInstructions,
     "local t = setmetatable({}, {__index = function(t, k) while true do end end}) print(t.x)"},
    {"LoopInToString", Ending::BadInput, kInstructions,
     "print(setmetatable({}, {__tostring = function() while true do end end}))"},
    {"LoopInErrorValue", Ending::BadInput, kInstructions,
     "error(setmetatable({}, {__tostring = function() while true do end end}))"},
    {"LoopInComparison", Ending::BadInput, "",
     "table.sort({3, 1, 2}, function() while true do end end)"},

    {"PatternOfManyItems", Ending::BadInput, kInstructions,
     "string.find(('a'):rep(5000), ('a-'):rep(30) .. 'b')"},
    {"PatternInGsub", Ending::BadInput, kInstructions,
     "string.gsub(('a'):rep(5000), ('.-'):rep(30) .. 'b', '')"},
    {"PatternInGmatch", Ending::BadInput, kInstructions,
     "for m in string.gmatch(('a'):rep(5000), ('a*'):rep(30) .. 'b') do end"},
    {"PatternTooDeep", Ending::BadInput, "pattern too complex",
     "string.find(('a'):rep(300), ('(a'):rep(30) .. ('a?'):rep(300))"},
    {"RepeatNothing", Ending::BadInput, kInstructions, "print(#string.rep('', 1 << 62))"},
    {"TenGigabytes", Ending::BadInput, "would not fit", "string.rep('x', 10 * 2^30)"},
    {"TenGigabytesOfSeparators", Ending::BadInput, "would not fit", "string.rep('', 1 << 40, 'x')"},
    {"MoveForEver", Ending::BadInput, "table.move", "table.move({}, 1, math.maxinteger - 1, 2)"},
    {"MoveFromTheLeast", Ending::BadInput, "table.move",
     "table.move({}, math.mininteger, math.maxinteger, 2)"},
    {"InsertForEver", Ending::BadInput, "table.insert",
     "table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 1)"},
    {"RemoveForEver", Ending::BadInput, "table.remove",
     "table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)"},
    {"ConcatForEver", Ending::BadInput, "table.concat",
     "table.concat(setmetatable({}, {__index = table.concat}), '', 1, 1 << 62)"},
    {"SortForEver", Ending::BadInput, kInstructions,
     "table.sort(setmetatable({}, {__index = rawlen, __newindex = rawlen,\n"
     "  __len = function() return 1 << 30 end}))"},
    {"UnpackForEver", Ending::BadInput, "too many results", "table.unpack({}, 1, 1 << 30)"},
    {"CollectForEver", Ending::BadInput, kInstructions, "while true do collectgarbage() end"},

    {"FillMemory", Ending::Exhausted, kMemory, "local t = {} while true do t[#t + 1] = {} end"},
    {"DoubleText", Ending::Exhausted, kMemory, "local s = 'x' while true do s = s .. s end"},
    {"FillMemoryInPcall", Ending::Exhausted, kMemory,
     "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end"},
    {"FillMemoryWithoutCollector", Ending::Exhausted, kMemory,
     "collectgarbage('stop') local t = {} while true do t[#t + 1] = {#t} end"},
    {"RunForEver", Ending::BadInput, kInstructions,
     "local wse = require 'wse' while true do wse.run{text = '.grid 1, 1'} end"},
    {"WriteForEver", Ending::BadInput, kInstructions,
     "local text = ('x'):rep(1 << 20) while true do io.write(text) end"},
    {"DeepRecursion", Ending::BadInput, "stack overflow",
     "local function f() return 1 + f() end f()"},
    {"DeepPcall", Ending::BadInput, "", "local function f() pcall(f) error('x') end f()"},
    {"DeepParentheses", Ending::BadInput, "",
     "assert(load('return ' .. ('('):rep(100000) .. '1' .. (')'):rep(100000)))"},
    {"DeepTables", Ending::BadInput, "", "assert(load('return ' .. ('{'):rep(100000)))"},
    {"ErrorInHandler", Ending::Fine, "false", "print(xpcall(error, error, 'x'))"},

    {"Finalizer", Ending::BadInput, "__gc is not available",
     "setmetatable({}, {__gc = function() end})"},
    {"FinalizerAfterwards", Ending::Fine, "nothing",
     "local m = {} setmetatable({}, m) m.__gc = function() print('finalized') end m = nil\n"
     "collectgarbage() print('nothing')"},
    {"StringMetatable", Ending::Fine, "false", "print(getmetatable(''))"},
    {"StringMetatableChange", Ending::BadInput, "attempt to index a boolean",
     "getmetatable('').__index = function() end"},
    {"InputsThatChange", Ending::Fine, "fine",
     "local inputs = {} inputs.x = function() inputs.x = nil\n"
     "  for k = 1, 100 do inputs['k' .. k] = 1 end collectgarbage() return 1 end\n"
     "require 'wse'.run{inputs = inputs, text = '.grid 1, 1\\n.program p\\n.i32 x[3] exported\\n'\n"
     "  .. 'task main:\\n.place p at (0, 0)'} print('fine')"},
    {"ValueOfTwoLines", Ending::BadInput, "a text of one line is wanted",
     "require 'wse'.run{text = '.const P = 1', values = {P = '1\\n.grid 1, 1'}}"},
    {"RecordMetatable", Ending::Fine, "false false",
     "local r = require 'wse'.run{text = '.grid 1, 1'}\n"
     "print(tostring(getmetatable(r)) .. ' ' .. tostring(pcall(setmetatable, r, {})))"},
    {"ForgedRecord", Ending::BadInput, "this is no record of wse.run",
     "local r = require 'wse'.run{text = '.grid 1, 1'}\nr.array({}, 'x')"},
    {"LibraryInPieces", Ending::Fine, "1",
     "local wse = require 'wse'\n"
     "string.format = nil table.concat = nil math.type = nil type = nil setmetatable = nil\n"
     "print(wse.argument('P', 1))"},
    {"IsaIsACopy", Ending::Fine, "true",
     "local wse = require 'wse' wse.isa().instructions[1].name = 'changed'\n"
     "print(wse.isa().instructions[1].name ~= 'changed')"},
};

class Attacks : public testing::TestWithParam<Attack> {};

TEST_P(Attacks, EndsInItsRefusal) {
  const Attack& attack = GetParam();
  const Ran ran = run_text(attack.source);
  EXPECT_EQ(ran.result.ending, attack.ending) << ran.result.message;
  const std::string& told = attack.ending == Ending::Fine ? ran.printed : ran.result.message;
  EXPECT_NE(told.find(attack.told), std::string::npos) << told;
  if (attack.ending != Ending::Fine) {
    EXPECT_TRUE(told.starts_with("test.lua:")) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(Sandbox, Attacks, testing::ValuesIn(kAttacks),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Sandbox, ARunThatIsInterruptedEndsTheScript) {
  std::atomic<bool> interrupt = true;
  Options options = test_options();
  options.limits.interrupt = &interrupt;
  const Ran ran = run_text("while true do pcall(function() while true do end end) end", options);
  EXPECT_EQ(ran.result.ending, Ending::Interrupted);
  EXPECT_EQ(ran.result.message, "test.lua:1: interrupted");
}

// What closes variables has no part in a script whose memory is out; in coroutines neither.
TEST(Sandbox, NothingRunsOnWhenMemoryIsOut) {
  const std::string closing =
      "local wse = require 'wse'\n"
      "local function f()\n"
      "  local x <close> = setmetatable({}, {__close = function()\n"
      "    wse.log('closed') print('closed') while true do end end})\n"
      "  local t = {} while true do t[#t + 1] = {} end\n"
      "end\n";
  for (const char* call :
       {"f()", "pcall(f)", "coroutine.wrap(f)()", "xpcall(f, print)",
        "coroutine.resume(coroutine.create(f))", "coroutine.close(coroutine.create(f)) f()"}) {
    Options options = test_options();
    options.limits.memory_bytes = std::uint64_t{16} << 20;
    const Ran ran = run_text(closing + call, options);
    EXPECT_EQ(ran.result.ending, Ending::Exhausted) << call << ran.result.message;
    EXPECT_NE(ran.result.message.find("memory limit of 16 MiB"), std::string::npos)
        << ran.result.message;
    EXPECT_EQ(ran.printed + ran.logged, "") << call;
  }
}

// A buffer of the standard library that does not fit is no error that a script may catch.
TEST(Sandbox, ABufferThatDoesNotFitIsTheLimit) {
  const Ran ran = run_text(
      "local s, t = ('x'):rep(1 << 20), {} for k = 1, 200 do t[k] = s end\n"
      "print(pcall(table.concat, t)) print('not reached')");
  EXPECT_EQ(ran.result.ending, Ending::Exhausted) << ran.result.message;
  EXPECT_EQ(ran.printed, "");
}

TEST(Sandbox, CoroutinesStillWork) {
  const Ran ran = run_text(
      "local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) error('e' .. b) "
      "end)\n"
      "print(co(1)) print(pcall(co, 5)) print(pcall(co))\n"
      "print(select('#', coroutine.resume(coroutine.create(function() return 1, nil, 3 end))))\n"
      "print(pcall(coroutine.wrap(function() return pcall(coroutine.yield, 1) end)))");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed,
            "2\nfalse\ttest.lua:1: e5\nfalse\tcannot resume dead coroutine\n4\ntrue\t1\n");
}

TEST(Sandbox, ProtectedCallsAreThoseOfTheManual) {
  const Ran ran = run_text(
      "print(pcall(error, 'a')) print(pcall(function(...) return ... end, 1, nil, 3))\n"
      "print(xpcall(function(a) return a end, print, 7))\n"
      "print(xpcall(error, function(m) return 'handled ' .. m end, 'b'))\n"
      "print(pcall(pcall)) print(pcall(error))");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed,
            "false\ta\ntrue\t1\tnil\t3\ntrue\t7\nfalse\thandled b\n"
            "false\tbad argument #1 to 'pcall' (value expected)\nfalse\tnil\n");
}

TEST(Sandbox, TracebackIsAHandler) {
  const Ran ran = run_text("print(select(2, xpcall(error, debug.traceback, 'why')))");
  EXPECT_TRUE(ran.printed.starts_with("why\nstack traceback:")) << ran.printed;
}

TEST(Sandbox, UnsafeLiftsEverything) {
  Options options = test_options();
  options.unsafe = true;
  const Ran ran = run_text(
      "print(os.getenv('PATH') ~= nil, type(debug.getregistry()), #string.rep('x', 200 << 20))\n"
      "print(type(require 'wse'.run))",
      options);
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "true\ttable\t209715200\nfunction\n");
}

}  // namespace
}  // namespace wse::script
