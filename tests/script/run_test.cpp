// Does wse.run give a script what a run on the command line gives: values, arrays, records, ends?
#include <gtest/gtest.h>

#include "scripts/host/isa_table.h"
#include "tests/script/script_support.h"

namespace wse::script {
namespace {

// A program of P PEs: y = 2 * x, elementwise, of one type.
constexpr const char* kDouble = R"lua(
local wse = require "wse"
local program = [[
.const P = 3
.const B = 2
.grid P, 1
.program double
  .f32 x[B] exported
  .f32 y[B] exported
  .i32 n exported = x
  task main:
    mark begin
    fadds y, x, x
    mark end
.place double at (0..P-1, 0)
]]
)lua";

std::string printed_with_double(const std::string& source, Options options = test_options()) {
  const Ran ran = run_text(kDouble + source, std::move(options));
  EXPECT_EQ(ran.result.message, "");
  return ran.printed;
}

TEST(Run, InputsAreFlatOrNestedTablesOrFunctions) {
  constexpr const char* kPrint = " print(table.concat(r:array('y'), ' '))";
  const std::string run = "local r = wse.run{text = program, inputs = {x = ";
  EXPECT_EQ(printed_with_double(run + "{1, 2, 3, 4, 5, 6.5}}}" + kPrint),
            "2.0 4.0 6.0 8.0 10.0 13.0\n");
  EXPECT_EQ(printed_with_double(run + "{{{1, 2}, {3, 4}, {5, 6}}}}}" + kPrint),
            "2.0 4.0 6.0 8.0 10.0 12.0\n");
  EXPECT_EQ(printed_with_double(run + "function(x, y, i) return 10 * x + i end}}" + kPrint),
            "0.0 2.0 20.0 22.0 40.0 42.0\n");
  EXPECT_EQ(printed_with_double(run +
                                "{1, 2, 3, 4, 5, 6}}} local a = r:array('y') a[1] = 7\n"
                                "r = wse.run{text = program, inputs = {x = a}}" +
                                kPrint),
            "14.0 8.0 12.0 16.0 20.0 24.0\n");
}

TEST(Run, TheUsersLineIsThatOfTheScript) {
  Options options = test_options();
  options.file = "some/folder/test.lua";
  const Ran ran = run_text(R"lua(
local host = require "wse.host"
local function f()
  print(host.user_line())
end
f()
local asks = "\n\nlocal file, line = require('wse.host').user_line() return file, line"
print(load(asks, "=other.lua")())
)lua",
                           std::move(options));
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "some/folder/test.lua\t4\nother.lua\t3\n");
}

TEST(Run, ArraysAndSymbols) {
  EXPECT_EQ(printed_with_double(
                "local r = wse.run{text = program, values = {P = 4, B = 1}}\n"
                "local n = r:array('n')\n"
                "print(#n, n.width, n.height, n.count, n.x0, n.y0, n.type, n:at(3, 0))\n"
                "print(r:symbol(2, 0, 'n'), #r:symbol(2, 0, 'x'), math.type(r:symbol(0, 0, 'n')))"),
            "4\t4\t1\t1\t0\t0\ti32\t3\n2\t1\tinteger\n");
}

TEST(Run, TheRecordIsThatOfTheCommandLine) {
  EXPECT_EQ(printed_with_double(
                "local r = wse.run{text = program, machine = 'wse2'}\n"
                "print(r.ok, r.status, r.cycles > 2, r.machine, r.width, r.height, r.flops)\n"
                "print(r.marks['end'].count, r.fabric.hops, r.pe_cycles.busy > 0, r.message)"),
            "true\thalted\ttrue\twse2\t3\t1\t6\n3\t0\ttrue\tnil\n");
}

TEST(Run, AnArrayTellsItsPlace) {
  const Ran ran = run_text(R"lua(
local wse = require "wse"
local array = wse.run{text = [[
.grid 4, 6
.program p
  .i32 v[2] exported = 10 * x + y
  task main:
.place p at (1..2, 3..5)
]]}:array("v")
print(array.x0, array.y0, array.width, array.height, array.count, array.type)
print(array:at(1, 3, 0), array:at(2, 5, 1))
)lua",
                           test_options());
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "1\t3\t2\t3\t2\ti32\n13\t25\n");
}

// The receiver waits while the sender divides; nothing ever waits for room.
TEST(Run, TheRecordTellsWhatPesWaitedFor) {
  const Ran ran = run_text(R"lua(
local wse = require "wse"
local cycles = wse.run{text = [[
.grid 2, 1
.colour red
.program sender
  task main:
    fmovs r1, 1.0
    fdivs r2, r1, 4.0
    mov32 fabout(red), 1
.program receiver
  .i32 got
  task main:
    mov32 got, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
]]}.pe_cycles
print(cycles.busy > 0, cycles.memory_stall, cycles.wait_input, cycles.wait_output)
)lua",
                           test_options());
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "true\t0\t6\t0\n");
}

TEST(Run, BadEndsRaiseUnlessAllowed) {
  const std::string stuck =
      "local stuck = '.grid 1, 1\\n.colour red\\n.program p\\n  task main:\\n    mov32 r1, "
      "fabin(red)\\n"
      ".place p at (0, 0)\\n.route red at (0, 0): ramp -> ramp\\n'\n";
  const Ran raised = run_text(kDouble + stuck + "wse.run{text = stuck}");
  EXPECT_EQ(raised.result.ending, Ending::EndedBadly);
  EXPECT_NE(raised.result.message.find("wse.run: deadlock after"), std::string::npos);
  EXPECT_EQ(raised.result.runs.size(), 1u);
  EXPECT_EQ(
      printed_with_double(
          stuck + "local r = wse.run{text = stuck, allow_failure = true}\n"
                  "print(r.ok, r.status, #r.message > 0)\n"
                  "print(wse.run{text = program, max_cycles = 1, allow_failure = true}.status)\n"
                  "print((pcall(wse.run, {text = stuck})))"),
      "false\tdeadlock\ttrue\ncycle_limit\nfalse\n");
}

TEST(Run, WarningsAreWhatTheScriptWants) {
  const std::string lost =
      "local wse = require 'wse'\nlocal lost = '.grid 1, 1\\n.colour red\\n.program p\\n  task "
      "main:\\n    mov32 "
      "fabout(red), 1\\n.place p at (0, 0)\\n'\n";
  EXPECT_NE(run_text(lost + "wse.run{text = lost}").logged.find("warning[E231]"),
            std::string::npos);
  const Ran silent = run_text(lost + "wse.run{text = lost, warnings = {E231 = 'off'}}");
  EXPECT_EQ(silent.logged.find("E231"), std::string::npos);
  const Ran refused = run_text(lost + "wse.run{text = lost, warnings = {E231 = 'error'}}");
  EXPECT_EQ(refused.result.ending, Ending::BadInput);
  EXPECT_NE(refused.result.message.find("error[E231]"), std::string::npos);
  const Ran unknown = run_text(lost + "wse.run{text = lost, warnings = {E23 = 'off'}}");
  EXPECT_NE(unknown.result.message.find("no warning has the code 'E23'"), std::string::npos);
}

TEST(Run, ARecordTellsItsTrapAndItsSwitches) {
  const std::string text = R"(
local function run(last)
  return wse.run{allow_failure = true, text = [[
.grid 2, 1
.colour red
.program p
  task main:
    mov32 fabout(red, control), control(31, adv)
]] .. last .. [[
.place p at (0, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): [west -> ramp] [-> ramp]
]]}
end
local fine, bad = run(""), run("    assert r1 == 1\n")
print(fine.trap, #fine.positions, fine.positions_total)
local moved = fine.positions[1]
print(moved.pe[1], moved.pe[2], moved.colour, moved.position)
local trap = bad.trap
print(trap.kind, trap.cycle, trap.pe[1], trap.pe[2], trap.line, trap.detail)
)";
  EXPECT_EQ(printed_with_double(text),
            "nil\t1\t1\n1\t0\tred\t1\nassertion\t1\t0\t0\ttest.lua(31):6\t0 == 1\n");
}

TEST(Run, ExpectationsAreChecked) {
  const Ran ran =
      run_text(std::string(kDouble) +
               "wse.run{text = program .. '.expect n at (1, 0) == 2\\n', expect = true}");
  EXPECT_EQ(ran.result.ending, Ending::EndedBadly);
  EXPECT_NE(ran.result.message.find("n at"), std::string::npos) << ran.result.message;
}

TEST(Run, FilesOfTheDataFolder) {
  EXPECT_EQ(printed_with_double(
                "print(wse.run{file = 'programs/message/message.wsa', values = {P = 5}}.cycles)"),
            "25\n");
}

TEST(Run, ARecordKeepsItsMachineWhileOthersGo) {
  EXPECT_EQ(printed_with_double(
                "local first = wse.run{text = program, inputs = {x = {1, 2, 3, 4, 5, 6}}}\n"
                "for k = 1, 500 do wse.run{text = '.grid 64, 64\\n'} end\n"
                "collectgarbage() print(first:array('y')[6])"),
            "12.0\n");
}

TEST(Run, RecordsMustNotKeepMoreMachinesThanFit) {
  Options options = test_options();
  options.held_machine_bytes = std::uint64_t{64} << 20;
  const std::string kept = "local kept = {} for k = 1, 100 do\n";
  const Ran ran =
      run_text(kDouble + kept + "kept[k] = wse.run{text = '.grid 64, 64'} end", options);
  EXPECT_EQ(ran.result.ending, Ending::Exhausted);
  EXPECT_NE(ran.result.message.find("the records that the script keeps"), std::string::npos);
  EXPECT_GT(ran.result.runs.size(), 10u);
  EXPECT_EQ(printed_with_double(kept + "kept[1] = wse.run{text = '.grid 64, 64'} end print('fine')",
                                options),
            "fine\n");
}

TEST(Arguments, HaveTheTypeOfTheirDefault) {
  Options options = test_options();
  options.arguments = {{"P", "12"}, {"s", "text"}, {"f", "3"}, {"b", "true"}, {"P", "13"}};
  EXPECT_EQ(printed_with_double(
                "print(wse.argument('P', 1), wse.argument('s', ''), wse.argument('f', 0.5),\n"
                "  wse.argument('b', false), wse.argument('none', 4), wse.argument('s'))",
                options),
            "13\ttext\t3.0\ttrue\t4\ttext\n");
  EXPECT_EQ(printed_with_double("local a = wse.arguments() print(a.P, a.s)", options),
            "13\ttext\n");
}

TEST(Arguments, UnknownOnesAreErrors) {
  Options options = test_options();
  options.arguments = {{"sizes", "12"}};
  const Ran ran = run_text("local wse = require 'wse' wse.argument('size', 1)", options);
  EXPECT_EQ(ran.result.ending, Ending::BadInput);
  EXPECT_EQ(ran.result.message,
            "test.lua: unknown argument 'sizes'; did you mean 'size'? The script takes size");
}

TEST(User, ValuesStandInTheOutcome) {
  const Ran ran =
      run_text("require 'wse'.user{a = 1, b = 2.5, c = 'x', d = {1, 'y'}, e = {f = true}}");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.result.user.size(), 5u);
  EXPECT_EQ(std::get<UserScalar>(ran.result.user.at("a")), UserScalar(std::int64_t{1}));
  EXPECT_EQ(std::get<UserList>(ran.result.user.at("d")).size(), 2u);
  EXPECT_EQ(std::get<UserTable>(ran.result.user.at("e")).at("f"), UserScalar(true));
}

TEST(Capture, TheTextOfTheKthRun) {
  Options options = test_options();
  options.capture = 2;
  const Ran ran =
      run_text(std::string(kDouble) +
                   "for P = 1, 3 do pcall(wse.run, {text = program, values = {P = P}}) end\n"
                   "print('not reached')",
               options);
  EXPECT_EQ(ran.result.ending, Ending::Fine) << ran.result.message;
  EXPECT_TRUE(ran.result.captured.starts_with(".const P = 3\n"));
  EXPECT_TRUE(ran.result.captured.ends_with(
      "; From test.lua. Run it with:  wsevm run FILE P=2 --machine=model\n"));
  EXPECT_EQ(ran.printed, "");
  EXPECT_TRUE(ran.result.runs.size() == 1);
  options.capture = 9;
  EXPECT_EQ(run_text("", options).result.message,
            "test.lua: it ran 0 programs; there is no number 9");
}

TEST(Isa, IsATableOfLua) {
  const std::string text = isa_lua();
  EXPECT_TRUE(text.starts_with("return {"));
  const Ran ran = run_text(
      "local all = require 'wse'.isa().instructions\nlocal n = 0\n"
      "for _, row in ipairs(all) do n = n + (row.mnemonic == 'fmacs' and 1 or 0) end\n"
      "print(#all, n > 0, require 'wse'.machine('wse2').hop_latency_cycles)");
  EXPECT_EQ(ran.printed, std::to_string(std::size(isa::kInstructions)) + "\ttrue\t1\n")
      << ran.result.message;
}

}  // namespace
}  // namespace wse::script
