// Does a sweep in processes give what it gives in one, and leave nobody behind? What kills
// processes and fills disks is in sweep.sh.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <limits>

#include "scripts/host/wire.h"
#include "tests/script/script_support.h"

namespace wse::script {
namespace {

Options options_with(std::uint32_t threads) {
  Options options = test_options();
  options.threads = threads;
  return options;
}

Ran sweep(const std::string& source, Options options) {
  return run_text("local wse = require 'wse' " + source, std::move(options));
}

// Those that a sweep started have all been waited for.
void expect_no_children() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

constexpr const char* kRuns = R"(
local rows = wse.sweep{over = {P = {5, 4, 3, 2}, B = {1, 2, 3}}, order = {"P", "B"}, run = function(p)
  io.write("first ", p.P)
  wse.log("run " .. p.P .. p.B)
  local inputs = {x = {}}
  for k = 1, p.B do inputs.x[k] = k end
  local record = wse.run{file = "programs/message/message.wsa", values = p, inputs = inputs}
  print(", then", p.B)
  return {cycles = record.cycles, share = record.cycles / 4, inf = -1 / 0, least = math.mininteger,
          text = "a\0b", flag = p.B == 2, size = wse.argument("size", 7)}
end}
for _, row in ipairs(rows) do
  local names = {}
  for name in pairs(row) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do print(name, math.type(row[name]), string.format("%q", row[name])) end
end)";

TEST(Sweep, IsTheSameInOneProcessAndInSeveral) {
  Options one = options_with(1);
  one.arguments = {{"size", "8"}};
  Options several = options_with(3);
  several.arguments = one.arguments;
  const Ran here = sweep(kRuns, one);
  const Ran there = sweep(kRuns, several);
  EXPECT_EQ(here.result.message, "");
  EXPECT_EQ(there.result.message, "");
  EXPECT_EQ(here.printed, there.printed);
  EXPECT_EQ(here.logged, there.logged);
  EXPECT_NE(here.printed.find("first 5, then\t1\nfirst 5, then\t2\n"), std::string::npos);
  ASSERT_EQ(here.result.runs.size(), 12U);
  ASSERT_EQ(there.result.runs.size(), 12U);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_EQ(here.result.runs[k].cycles, there.result.runs[k].cycles) << k;
    EXPECT_EQ(here.result.runs[k].counters.hops, there.result.runs[k].counters.hops) << k;
    EXPECT_EQ(here.result.runs[k].machine, there.result.runs[k].machine) << k;
  }
  expect_no_children();
}

TEST(Sweep, EndsAtAnErrorThatMayBeCaught) {
  for (const std::uint32_t threads : {1U, 2U}) {
    Options options = options_with(threads);
    // With two processes, one must still loop when the other one fails.
    if (threads == 2) options.limits.instructions = std::uint64_t{1} << 60;
    const Ran ran = sweep(
        "print(pcall(wse.sweep, {over = {P = {1, 2, 3}}, run = function(p)\n"
        "  if p.P == 2 then error({}) end return {a = 1} end}))\n"
        "print(pcall(wse.sweep, {over = {P = {1, 2}}, run = function(p)\n"
        "  if p.P == 1 then while true do p.P = 1 end end error('two\\nlines', 0) end}))",
        options);
    if (threads == 2) {
      EXPECT_EQ(ran.result.message, "");
      EXPECT_NE(ran.printed.find("false\ttwo (point P=2)\nlines\n"), std::string::npos);
    } else {
      EXPECT_NE(ran.result.message.find("the limit of 20000000 instr"), std::string::npos);
    }
    EXPECT_NE(ran.printed.find("(point P=2)"), std::string::npos) << ran.printed;
    expect_no_children();
  }
}

TEST(Sweep, KeepsTheRunsUpToTheError) {
  for (const std::uint32_t threads : {1U, 2U}) {
    const Ran ran = sweep(
        "wse.sweep{over = {P = {2, 3, 4}}, run = function(p)\n"
        "  local late = p.P == 4 and 1 or nil\n"
        "  if late then local t = 0 while t < 1e6 do t = t + 1 end end\n"
        "  return {c = wse.run{file = 'programs/message/message.wsa', values = p,\n"
        "                      max_cycles = late}.cycles}\n"
        "end}",
        options_with(threads));
    EXPECT_EQ(ran.result.ending, Ending::EndedBadly) << ran.result.message;
    // A point that another process has not ended by then, as on a busy host, is not kept.
    ASSERT_GE(ran.result.runs.size(), threads == 1 ? 3U : 1U);
    EXPECT_TRUE(threads > 1 || ran.result.runs[0].width == 2U);
    EXPECT_EQ(ran.result.runs.back().status, vm::RunStatus::CycleLimit) << threads;
  }
}

TEST(Sweep, ChargesWhatItsWorkersDo) {
  const std::string source =
      "local list = {} for k = 1, 12 do list[k] = k end\n"
      "local run = function() for _ = 1, 1000000 do end return {a = 1} end\n"
      "wse.sweep{over = {k = list}, run = run} print('one')\n"
      "pcall(wse.sweep, {over = {k = list}, run = run}) print('two')";
  for (const std::uint32_t threads : {1U, 3U}) {
    const Ran ran = sweep(source, options_with(threads));
    EXPECT_EQ(ran.printed, "one\n") << threads;
    EXPECT_EQ(ran.result.ending, Ending::BadInput);
    EXPECT_NE(ran.result.message.find("the limit of 20000000 instructions"), std::string::npos);
  }
}

TEST(Sweep, IsInterrupted) {
  for (const std::uint32_t threads : {1U, 3U}) {
    std::atomic<bool> interrupt = false;
    Options options = options_with(threads);
    options.limits.interrupt = &interrupt;
    options.limits.instructions = kNoLimit;
    options.progress = [&interrupt](std::string_view, std::uint64_t rows, std::uint64_t) {
      interrupt = rows == 2;
    };
    const Ran ran = sweep(
        "pcall(wse.sweep, {over = {k = {1, 2, 3}}, run = function(p)\n"
        "  while p.k == 3 do end return {a = 1} end})",
        options);
    EXPECT_EQ(ran.result.ending, Ending::Interrupted) << threads;
    expect_no_children();
  }
}

// What a script could call that does not use wse.sweep.
TEST(Sweep, HasAHostFunctionThatTakesNoHarm) {
  const Ran ran = run_text(R"(
local host = require "wse.host"
local nothing = function() end
print(pcall(host.run_points))
print(pcall(host.run_points, nothing, {1}, nothing, nothing, -1))
print(pcall(host.run_points, nothing, {1, 2}, nothing, 5, 0))
local empty = function() return {} end
print(pcall(host.run_points, empty, {1, 2}, function() error("no", 0) end, nothing, 0))
print(pcall(host.run_points, function() error("no", 0) end, {1, 2}, nothing, error, 0))
local depth = 0
local function again()
  depth = depth + 1
  if depth < 4 then host.run_points(empty, {1, 2}, again, nothing, 0) end
end
print(pcall(host.run_points, empty, {1, 2}, again, nothing, 0))
print(depth)
print(pcall(coroutine.wrap(function()
  host.run_points(function() coroutine.yield() end, {1, 2}, nothing, nothing, 0)
end)))
)");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_NE(ran.printed.find("false\tno\n"), std::string::npos) << ran.printed;
  EXPECT_NE(ran.printed.find("false\tno (point number "), std::string::npos) << ran.printed;
  EXPECT_NE(ran.printed.find("true\n8\n"), std::string::npos) << ran.printed;
  EXPECT_NE(ran.printed.find("attempt to yield"), std::string::npos) << ran.printed;
  expect_no_children();
}

vm::Record some_record() {
  vm::Record record;
  record.status = vm::RunStatus::Trap;
  record.message = "two\nlines";
  record.cycles = 1;
  record.wall_seconds = 0.1;
  record.width = 2;
  record.height = 3;
  record.machine = "wse2";
  record.placed_pes = 4;
  record.counters.instructions = 5;
  record.counters.pe_cycles = {6, 7, 8, 9, 10};
  record.links_used = 11;
  record.max_ramp_wavelets = 12;
  record.max_link_load = 13;
  record.wavelets_left = 14;
  record.trap = {isa::Trap::Assertion, 21, 22, 23, "a.wsa:24", "3 == 4"};
  record.positions = {{25, 26, "red", 3}, {27, 28, "", 1}};
  record.positions_total = 29;
  record.marks = {{"begin", {15, 16, 17}}, {"", {18, 19, 20}}};
  return record;
}

TEST(Wire, KeepsRecords) {
  std::vector<vm::Record> records = {some_record(), vm::Record(), some_record()};
  Outgoing out;
  pass(out, records);
  Incoming in(out.bytes);
  std::vector<vm::Record> same;
  pass(in, same);
  EXPECT_FALSE(in.failed());
  ASSERT_EQ(same.size(), 3U);
  const vm::Record& record = same[2];
  EXPECT_EQ(record.status, vm::RunStatus::Trap);
  EXPECT_EQ(record.message, "two\nlines");
  EXPECT_EQ(record.wall_seconds, 0.1);
  EXPECT_EQ(record.machine, "wse2");
  EXPECT_EQ(record.counters.pe_cycles[4], 10U);
  EXPECT_EQ(record.wavelets_left, 14U);
  ASSERT_TRUE(record.trap.has_value());
  EXPECT_EQ(record.trap->kind, isa::Trap::Assertion);
  EXPECT_EQ(record.trap->line, "a.wsa:24");
  EXPECT_EQ(record.trap->detail, "3 == 4");
  EXPECT_EQ(record.positions[0].colour, "red");
  EXPECT_EQ(record.positions[1].y, 28U);
  EXPECT_EQ(record.positions_total, 29U);
  EXPECT_FALSE(same[1].trap.has_value());
  EXPECT_TRUE(same[1].positions.empty());
  EXPECT_EQ(record.marks.at("begin").last, 16U);
  EXPECT_EQ(record.marks.at("").count, 20U);
  Outgoing again;
  pass(again, same);
  EXPECT_EQ(again.bytes, out.bytes);
}

TEST(Wire, KeepsTheBitsOfScalars) {
  const auto nan = std::bit_cast<double>(std::uint64_t{0xfff8'0000'0000'1234});
  UserTable table = {{"nan", nan},
                     {"zero", -0.0},
                     {"least", std::numeric_limits<std::int64_t>::min()},
                     {"text", std::string("a\0b", 3)},
                     {"flag", true}};
  Outgoing out;
  pass(out, table);
  Incoming in(out.bytes);
  UserTable same;
  pass(in, same);
  EXPECT_FALSE(in.failed());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(same.at("nan"))),
            std::bit_cast<std::uint64_t>(nan));
  same["nan"] = table["nan"] = 0.0;
  EXPECT_EQ(same, table);
  EXPECT_TRUE(std::signbit(std::get<double>(same.at("zero"))));
}

TEST(Wire, NoticesThatBytesAreMissing) {
  std::vector<vm::Record> records = {some_record()};
  Outgoing out;
  pass(out, records);
  for (std::size_t size = 0; size <= out.bytes.size() + 1; ++size) {
    const std::string bytes = (out.bytes + "x").substr(0, size);
    Incoming in(bytes);
    std::vector<vm::Record> some;
    pass(in, some);
    EXPECT_EQ(in.failed(), size != out.bytes.size()) << size;
  }
}

}  // namespace
}  // namespace wse::script
