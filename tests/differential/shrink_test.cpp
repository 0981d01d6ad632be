// Does `differential --shrink` find a small program, and the cycle in which it begins to differ?
// The errors are machines with another number in one place: what differs, and from when on, is
// known.
#include "tests/differential/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "asm/assembler.h"
#include "tests/differential/apart.h"
#include "tests/differential/sides.h"
#include "vm/run/machine.h"

namespace wse::differential {
namespace {

// Three PEs in a row; the last of them gets words of the first and computes with them.
constexpr const char* kRow = R"(.grid 3, 1
.colour red, blue
.program sender
  .i32 v[9] = i + 1
  task main:
    mov32 r1, 4
    add32 r1, r1, 3
    mov32 fabout(red), v[0:9]
    halt
.program taker
  .i32 y[9]
  .reg n
  task main:
    mov32 y, fabin(red)
    add32 n, n, 2
    mark done
    halt
.place sender at (0, 0)
.place taker at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";

Generated row() {
  Generated program{.text = kRow, .profile = *isa::find_profile("model")};
  return program;
}

std::uint64_t cycles_of(const Generated& program, const isa::Profile& profile) {
  const assembler::Output output =
      assembler::assemble({"row.wsa", program.text}, {.overrides = {}, .profile = profile});
  if (!output.image) return 0;
  auto machine = vm::Machine::create(*output.image, profile);
  const vm::Record record = (*machine)->run({.max_cycles = program.max_cycles()});
  return record.cycles * 1000 + record.counters.elements;  // elements come one after the other
}

// Whether a machine whose links take a cycle more does otherwise.
bool sees_late_links(const Generated& program) {
  isa::Profile late = program.profile;
  late.hop_latency_cycles += 1;
  return cycles_of(program, program.profile) != cycles_of(program, late);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(Shrink, KeepsWhatTheErrorNeedsAlone) {
  ASSERT_TRUE(sees_late_links(row()));
  const Generated small = shrink(row(), sees_late_links);
  EXPECT_TRUE(sees_late_links(small));
  EXPECT_LE(lines_of(small.text), 10u) << small.text;
  for (const std::string word : {"blue", "mark", "taker", "add32", "halt", "9"}) {
    EXPECT_FALSE(small.text.contains(word)) << word << " in\n" << small.text;
  }
}

TEST(Shrink, AsksNoMoreThanItMay) {
  std::uint32_t asked = 0;
  const auto never_fails = [&](const Generated&) {
    ++asked;
    return false;
  };
  EXPECT_EQ(shrink(row(), never_fails, 7).text, kRow);
  EXPECT_EQ(asked, 7u);
}

TEST(Shrink, TakesTheMachineForPlainWhereItDoesNotMatter) {
  Generated odd = row();
  odd.jitter = vm::Jitter{.seed = 3, .cycles = 5};
  odd.strips = 3;
  odd.profile.ramp_latency_cycles += 1;
  odd.profile.hop_latency_cycles += 2;
  const isa::Profile plain = *isa::find_profile("model");
  const auto fails = [&](const Generated& candidate) {
    return candidate.profile.hop_latency_cycles > plain.hop_latency_cycles;
  };
  const Generated small = shrink(odd, fails);
  EXPECT_FALSE(small.jitter.has_value());
  EXPECT_EQ(small.strips, 1u);
  EXPECT_EQ(small.profile.ramp_latency_cycles, plain.ramp_latency_cycles);
  EXPECT_EQ(small.profile.hop_latency_cycles, odd.profile.hop_latency_cycles);
}

// The first cycle that differs is the one after which a difference is seen first.
TEST(FirstFailingLimit, IsTheLeastOne) {
  for (const std::uint64_t first : {1u, 2u, 17u, 256u, 257u, 258u, 3000u, 5999u, 6000u}) {
    const auto fails = [&](const Generated& stopped) { return *stopped.limit >= first; };
    EXPECT_EQ(first_failing_limit(row(), fails), first);
  }
  // One that vanishes again.
  const auto for_a_while = [](const Generated& stopped) {
    return *stopped.limit >= 20 && *stopped.limit < 25;
  };
  EXPECT_EQ(first_failing_limit(row(), for_a_while), 20u);
  EXPECT_EQ(first_failing_limit(row(), [](const Generated&) { return false; }), std::nullopt);
}

// The first word leaves the ramp of the sender, crosses two links and the ramp of the taker. With
// late links it is not there, and no element has been issued in the cycle in which it should be.
TEST(FirstFailingLimit, FindsTheCycleInWhichAWordShouldArrive) {
  const std::optional<std::uint64_t> limit = first_failing_limit(row(), sees_late_links);
  ASSERT_TRUE(limit.has_value());
  const auto at = [&](std::uint64_t cycles) {
    Generated stopped = row();
    stopped.limit = cycles;
    return stopped;
  };
  for (std::uint64_t cycles = 1; cycles < *limit; ++cycles) {
    EXPECT_FALSE(sees_late_links(at(cycles))) << cycles;
  }
  EXPECT_TRUE(sees_late_links(at(*limit)));
}

TEST(JudgeApart, SurvivesWhateverASideDoes) {
  EXPECT_EQ(judge_apart(row(), [](const Generated&) { return ""; }).verdict, Verdict::Agrees);
  const Judgement differs = judge_apart(row(), [](const Generated&) { return "  a: 1, 2\n"; });
  EXPECT_EQ(differs.verdict, Verdict::Differs);
  EXPECT_EQ(differs.text, "  a: 1, 2\n");
  const Judgement dies = judge_apart(row(), [](const Generated&) -> std::string {
    std::fputs("a belief does not hold\n", stderr);
    std::raise(SIGKILL);
    return "";
  });
  EXPECT_EQ(dies.verdict, Verdict::Dies);
  EXPECT_TRUE(dies.text.contains("a belief does not hold")) << dies.text;
  Generated wrong = row();
  wrong.text += "nonsense\n";
  EXPECT_EQ(judge_apart(wrong, [](const Generated&) { return ""; }).verdict, Verdict::Refused);
  const auto runs_for_ever = [](const Generated&) -> std::string {
    std::raise(SIGXCPU);
    return "";
  };
  EXPECT_EQ(judge_apart(row(), runs_for_ever).verdict, Verdict::Hangs);
}

// In the middle of the message: three words have left, and the sender waits for the others.
TEST(States, NameWhatAPeIsAt) {
  const Generated program = row();
  const assembler::Output output =
      assembler::assemble({"row.wsa", kRow}, {.overrides = {}, .profile = program.profile});
  auto machine = vm::Machine::create(*output.image, program.profile);
  (void)(*machine)->run({.max_cycles = 3});
  using State = std::vector<std::pair<std::string, std::string>>;
  const State expected = {{"main thread", "waits for its vector instruction"},
                          {"continues at", "row.wsa:9"},
                          {"r1", "7"},
                          {"thread 0", "row.wsa:8"},
                          {"thread 0 elements", "3"}};
  const State state = (*machine)->pe_state(0, 0);
  EXPECT_EQ(State(state.begin(), state.begin() + 5), expected);
  EXPECT_EQ(state.at(5), (State::value_type{"red up-ramp", "1 2 3"}));
  EXPECT_TRUE((*machine)->pe_state(1, 0).empty());
}

// In every cycle: the oracle and all machines see registers, threads, queues and memory alike.
TEST(States, AreAlikeOnAllSides) {
  for (std::uint64_t limit = 1; limit < 40; ++limit) {
    Generated stopped = row();
    stopped.limit = limit;
    EXPECT_EQ(compare_states(stopped), "  all PEs are alike: what differs is counted only\n")
        << limit;
  }
}

}  // namespace
}  // namespace wse::differential
