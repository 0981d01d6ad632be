// Machines of a user's own: is what runs the profile that the table says, and does the record say
// so?
#include <gtest/gtest.h>

#include "tests/script/script_support.h"

namespace wse::script {
namespace {

// A word over seven links and two ramps: 13 cycles on the model, 7 more if a hop takes one more.
constexpr const char* kFlood = R"lua(
local wse = require "wse"
local text = [[
.grid 8, 1
.colour red
.program root
  task main:
    mov32 fabout(red), 7
.program leaf
  task main:
    mov32 r1, fabin(red)
.place root at (0, 0)
.place leaf at (7, 0)
.route red at (0, 0): ramp -> east
.route red at (1..6, 0): west -> east
.route red at (7, 0): west -> ramp
]]
local function cycles(machine)
  local record = wse.run{text = text, machine = machine}
  return record.cycles, record.machine
end
)lua";

std::string printed_with_flood(const std::string& source, Options options = test_options()) {
  const Ran ran = run_text(kFlood + source, std::move(options));
  EXPECT_EQ(ran.result.message, "");
  return ran.printed;
}

TEST(OwnMachine, TablesChangeNumbersOfAProfile) {
  EXPECT_EQ(printed_with_flood("print(cycles())\nprint(cycles{hop_latency_cycles = 2})\n"
                               "print(cycles{hop_latency = 3})\n"
                               "local wse2 = cycles('wse2')\n"
                               "local slow, name = cycles{base = 'wse2', hop_latency = 2.0}\n"
                               "print(slow - wse2, name)"),
            "13\tmodel\n20\tmodel hop_latency_cycles=2\n27\tmodel hop_latency_cycles=3\n"
            "7\twse2 hop_latency_cycles=2\n");
}

TEST(OwnMachine, TheTableOfAProfileIsThatProfile) {
  EXPECT_EQ(
      printed_with_flood(
          "local m = wse.machine('wse3')\nm.base = 'wse2'\n"
          "local own, plain = wse.machine(m), wse.machine('wse3')\n"
          "own.name, plain.name = nil, nil\n"
          "for name, ends in pairs(plain.intervals) do\n"
          "  assert(own.intervals[name][1] == ends[1] and own.intervals[name][2] == ends[2])\n"
          "end\n"
          "own.intervals, plain.intervals = nil, nil\n"
          "for name, value in pairs(plain) do assert(own[name] == value, name) end\n"
          "print(select(2, cycles(wse.machine())))\n"
          "print(wse.machine{clock = 900}.clock_mhz, wse.machine().clock_mhz)"),
      "model\n900\t850\n");
}

TEST(OwnMachine, FilesHaveTheirNames) {
  const std::string use =
      "wse.write_text('out/slow_hops.lua', 'return {base = \"model\", hop_latency = 1 + 1}')\n"
      "print(cycles('out/slow_hops.lua'))\n"
      "print(wse.machine('out/slow_hops.lua').hop_latency_cycles)";
  EXPECT_EQ(printed_with_flood(use), "20\tslow_hops\n2\n");
}

// Its base is what the command line chose, which may be a file too.
TEST(OwnMachine, TheMachineOfTheCommandLineIsTheBase) {
  Options file = test_options();
  file.file = "folder/slow_hops.lua";
  isa::InputList inputs;
  const auto slow = read_machine("return {base = 'model', hop_latency = 2}", file, inputs);
  ASSERT_TRUE(slow) << slow.error();
  EXPECT_EQ(slow->profile.name, "slow_hops");
  Options options = test_options();
  options.defaults.machine = {slow->profile, "folder/slow_hops.lua", "", slow->intervals};
  EXPECT_EQ(printed_with_flood("print(cycles())\nprint(cycles{ramp_latency = 1})", options),
            "20\tslow_hops\n18\tslow_hops ramp_latency_cycles=1\n");
  options.capture = 1;
  EXPECT_NE(run_text(kFlood + std::string("cycles()"), options)
                .result.captured.find(" FILE --machine=folder/slow_hops.lua\n"),
            std::string::npos);
  const std::string captured =
      run_text(kFlood + std::string("cycles{ramp_latency = 1}"), options).result.captured;
  EXPECT_TRUE(captured.contains("; own.lua: return {base = \"wse2\", ")) << captured;
  EXPECT_TRUE(captured.contains(", hop_latency_cycles = 2, ramp_latency_cycles = 1, ")) << captured;
}

TEST(OwnMachine, FilesThatFailSayWhy) {
  Options options = test_options();
  options.file = "own.lua";
  options.limits.instructions = 100'000;
  const auto told = [&options](const std::string& text) {
    isa::InputList inputs;
    const auto read = read_machine(text, options, inputs);
    return read ? "" : read.error();
  };
  EXPECT_EQ(told("return {}"), "");
  EXPECT_EQ(told("\nreturn 7"),
            "own.lua: a table such as {base = \"wse2\", hop_latency = 2} is wanted, not 7");
  EXPECT_EQ(told("\nerror 'no'"), "own.lua:2: no");
  EXPECT_TRUE(told("\nreturn {").starts_with("own.lua:2: ")) << told("\nreturn {");
  EXPECT_EQ(told("return {hop_latency = 0}"),
            "own.lua: profile own: hop_latency_cycles 0 must lie in 1..16777216 (cycles)");
  EXPECT_EQ(told("return {colours = 2^40}"),
            "own.lua: colours: a whole number in 1..24 (colours) is wanted, not 1099511627776");
  EXPECT_EQ(told("return {1}"), "own.lua: a name is wanted, not 1");
  EXPECT_TRUE(told("\nwhile true do end").starts_with("own.lua:2: ")) << told("while true do end");
  EXPECT_TRUE(told("return io.open('/etc/passwd')").contains("io.open")) << "it is in a sandbox";
}

// The intervals of a machine file, by name: "simple_cycles=0..2 "; or what is wrong.
std::string intervals_of(const std::string& text) {
  Options options = test_options();
  options.file = "own.lua";
  isa::InputList inputs;
  const auto read = read_machine(text, options, inputs);
  if (!read) return read.error();
  std::string found;
  for (const auto& [name, interval] : read->intervals) {
    found += fmt::format("{}={} ", name, isa::interval_text(interval));
  }
  return found;
}

TEST(OwnMachine, IntervalsAreThoseOfTheBaseButOfWhatIsGiven) {
  EXPECT_EQ(intervals_of("return {base = 'model'}"), "");
  EXPECT_EQ(intervals_of("return {base = 'model', tsc_read = 3, intervals = {tsc_read = {2, 5}}}"),
            "tsc_read_cycles=2..5 ");
  EXPECT_EQ(intervals_of("return {base = 'model', intervals = {tsc_read_cycles = {0, 5}}}"),
            "tsc_read_cycles=0..5 ");
  const std::string of_base = intervals_of("return {}");
  EXPECT_TRUE(of_base.contains(" load_cycles=0..3 ")) << of_base;
  const std::string plain = intervals_of("return {load = 2}");  // as in the base, and so told
  EXPECT_FALSE(plain.contains(" load_cycles=")) << plain;
  EXPECT_TRUE(plain.contains("simple_cycles=0..2 ")) << plain;
}

TEST(OwnMachine, IntervalsThatAreWrongSayWhy) {
  const auto told = [](const std::string& fields) {
    return intervals_of("return {base = 'model', " + fields + "}");
  };
  EXPECT_EQ(told("intervals = 3"),
            "own.lua: intervals: a table such as {tsc_read = {12, 16}} is wanted, not 3");
  EXPECT_EQ(told("intervals = {load = 3}"),
            "own.lua: intervals: load_cycles: {low, high} is wanted, whole numbers in 0..16777216 "
            "(cycles), not 3");
  EXPECT_TRUE(told("intervals = {load = {0, 1, 2}}").contains("{low, high} is wanted"));
  EXPECT_TRUE(told("intervals = {load = {0, 1.5}}").contains("{low, high} is wanted"));
  EXPECT_TRUE(told("intervals = {load = {-1, 1}}").contains("{low, high} is wanted"));
  EXPECT_TRUE(told("intervals = {load = {0, 1 << 40}}").contains("{low, high} is wanted"));
  EXPECT_EQ(told("load = 5, intervals = {load = {3, 4}}"),
            "own.lua: intervals: load_cycles: {3, 4} does not hold its value, 5");
  EXPECT_EQ(told("intervals = {banks = {8, 8}}"),
            "own.lua: intervals: banks has no interval: only times have, in cycles");
  EXPECT_EQ(told("intervals = {base = {1, 2}}"),
            "own.lua: intervals: unknown parameter 'base'; `wsevm machine` lists all");
  EXPECT_EQ(told("intervals = {load = {0, 1}, load_cycles = {0, 1}}"),
            "own.lua: intervals: load_cycles is given twice");
  EXPECT_TRUE(told("intervals = {ramp_latency = {2, 3}}")
                  .ends_with("with every constant at the high end of its interval"));
}

TEST(OwnMachine, ATableKeepsItsIntervals) {
  const std::string_view begin = "local wse = require 'wse'\n";
  const std::string text = std::string(begin) + R"(
local machine = wse.machine{base = "model", intervals = {load = {0, 3}}}
assert(machine.name == "model" and machine.load_cycles == 0)
assert(machine.intervals.load_cycles[1] == 0 and machine.intervals.load_cycles[2] == 3)
local again = wse.machine(machine).intervals
assert(again.load_cycles[2] == 3 and again.simple_cycles == nil)
local wse2 = wse.machine "wse2"
wse2.base, wse2.hop_latency_cycles = "wse2", 2
assert(wse.machine(wse2).intervals.load_cycles[2] == 3)
)";
  EXPECT_EQ(run_text(text, test_options()).result.message, "");
  Options options = test_options();
  options.capture = 1;
  const auto captured = [&](const std::string& machine) {
    return run_text(std::string(begin) + "wse.run{text = '.grid 1, 1', machine = " + machine + "}",
                    options)
        .result.captured;
  };
  EXPECT_TRUE(captured("{base = 'wse2', load = 2, intervals = {tsc_read = {1, 3}}}")
                  .contains("own.lua: return {base = \"wse2\", load_cycles = 2, "
                            "tsc_read_cycles = 2, intervals = {tsc_read_cycles = {1, 3}}}\n"));
  EXPECT_TRUE(captured("{base = 'wse2'}").ends_with(" --machine=wse2\n"));
}

}  // namespace
}  // namespace wse::script
