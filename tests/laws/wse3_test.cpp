// What the profile wse3 does otherwise than wse2: rates, inputs of an instruction, ids of data
// tasks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/law.h"

namespace wse::test_laws::wse3 {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

// From the start of an instruction of 64 elements to its end, less start and drain; descriptors
// are in registers.
std::uint64_t issues_on_wse3(const std::string& mnemonic, const std::string& operands,
                             const Settings& settings = {}) {
  const std::string text = R"(
.grid 1, 1
.program one
  .i16 a[64] bank=0
  .i16 b[64] bank=2
  .i16 c[64]
  .f32 u[64] bank=0
  .f32 v[64] bank=2
  .f32 w[64]
  .f16 f[64] bank=0
  .f16 g[64]
  task main:
    setd d0, )" + operands.substr(0, 1) +
                           "\n    setd d1, " + operands.substr(1, 1) +
                           (operands.size() > 2 ? "\n    setd d2, " + operands.substr(2) : "") +
                           "\n    mark begin\n    " + mnemonic + " d0, d1" +
                           (operands.size() > 2 ? ", d2" : "") +
                           "\n    mark end\n.place one at (0, 0)\n";
  const Simulation s = simulate(text, {.profile = "wse3", .settings = settings});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s.record.marks.at("end").last - s.record.marks.at("begin").first - 6;
}

// Twice as wide as WSE-2, ports too, and some that take a cycle each there are as wide as others.
// Two memory sources conflict where words of an issue meet in a bank: two cycles for it.
TEST(Wse3, VectorRates) {
  EXPECT_EQ(issues_on_wse3("add16", "cab"), 16u);
  EXPECT_EQ(issues_on_wse3("fadds", "wuv"), 32u);
  EXPECT_EQ(issues_on_wse3("fmaxs", "wuv"), 32u);
  EXPECT_EQ(issues_on_wse3("fmuls", "wuv"), 64u);  // words 0 and 1, 2 and 3
  EXPECT_EQ(issues_on_wse3("sll16", "cab"), 32u);
  EXPECT_EQ(issues_on_wse3("fh2xp16", "cf"), 8u);
  EXPECT_EQ(issues_on_wse3("fh2s", "wf"), 16u);
  EXPECT_EQ(issues_on_wse3("add16", "cab", {{&Profile::read_port_bytes, 16}}), 32u);
  EXPECT_EQ(issues_on_wse3("fmovs", "wu", {{&Profile::write_port_bytes, 8}}), 32u);
}

// What descriptors in registers hold is known when the instruction starts; one input may be
// indexed, or the destination be.
TEST(Wse3, AnInstructionHasOneFabricInput) {
  const auto run = [](const std::string& profile, const std::string& line) {
    const std::string text = R"(
.grid 1, 1
.colour red, blue
.program two
  .i32 v[4]
  .dsr left, right
  task main:
    mov32 fabout(red), 1
    mov32 fabout(blue), 2
    setd left, fabin(red, length=1)
    setd right, v[fabin(blue, length=1)]
    )" + line + R"(
.place two at (0, 0)
.route red at (0, 0): ramp -> ramp
.route blue at (0, 0): ramp -> ramp
)";
    return simulate(text, {.profile = profile}).record.status;
  };
  for (const char* line : {"add32 r1, left, right", "add32 right, left, 1"}) {
    EXPECT_EQ(run("model", line), RunStatus::Halted) << line;
    EXPECT_EQ(run("wse2", line), RunStatus::Halted) << line;
    EXPECT_EQ(run("wse3", line), RunStatus::Trap) << line;
  }
  EXPECT_EQ(run("wse3", "add32 r1, left, 1\n    add32 r1, right, 1"), RunStatus::Halted);
}

// A PE to which everything has come when its main task ends, at a cycle that does not matter.
Simulation when_all_is_there(const std::string& profile, const std::string& priority = "") {
  const std::string text = R"(
.grid 1, 1
.colour low = 12, high = 13, other = 16
.entry go = 0
.program one
  .reg count = r0, value = r1
  task main:
    unblock other
    mov32 fabout(low), 1
    mov32 fabout(high), 2
    mov32 value, control(go, nop)
    mov32 fabout(other, control), value
    activate mine
    mov32 value, 40
  again:
    tsc r2
    sub32 value, value, 1
    bgt value, 0, again
    fdivs r3, r3, r3
    end
  task mine = 9:
    mark mine
    add32 count, count, 1
    beq count, 4, done
    end
  task first on low (value):
    mark low
    add32 count, count, 1
    beq count, 4, done
    end
  task second on high (value) PRIORITY:
    mark high
    add32 count, count, 1
    beq count, 4, done
    end
  task third control go:
    mark control
    add32 count, count, 1
    beq count, 4, done
    end
  done:
    halt
.place one at (0, 0)
.route low at (0, 0): ramp -> ramp
.route high at (0, 0): ramp -> ramp
.route other at (0, 0): ramp -> ramp
)";
  std::string with = text;
  with.replace(with.find("PRIORITY"), 8, priority);
  Simulation s = simulate(with, {.profile = profile, .max_cycles = 10'000});
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s;
}

// The names of the marks in the order of their cycles.
std::vector<std::string> order(const Simulation& s) {
  std::vector<std::string> names = {"mine", "low", "high", "control"};
  std::ranges::sort(names, {}, [&s](const std::string& name) { return first(s, name); });
  return names;
}

// On WSE-2 they are 12, 13, 0 and 9. On WSE-3 data tasks have the ids of their input queues, 0 and
// 1, and come before the control task of the same number.
TEST(Wse3, DataTasksHaveTheIdsOfTheirQueues) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(order(when_all_is_there("wse2")), (Names{"control", "mine", "low", "high"}));
  EXPECT_EQ(order(when_all_is_there("wse3")), (Names{"low", "control", "high", "mine"}));
  EXPECT_EQ(order(when_all_is_there("wse3", "high")), (Names{"high", "low", "control", "mine"}));
}

}  // namespace
}  // namespace wse::test_laws::wse3
