// What runs ahead of the clock - scalar code, short vector instructions, starts - leaves no trace
// of it: a machine that stops in any cycle is in the state of one that looks at every cycle. A
// traced machine looks at every cycle.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::ahead {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::Cycle;
using vm::RunStatus;

// PE 0: short instructions, and longer ones, with and without conflicts of banks, reductions, waits
// for what is over, marks and prints between them, sends and receives that start right after
// scalar code. PE 1 gives back what it gets, and stops everything in cycle `stop` or a little
// later.
constexpr std::string_view kProgram = R"(
.grid 2, 1
.colour there, back
.param stop: i32 = 0
.program busy
  .f32 a[6] = i + 1
  .f32 b[6] = 2 * i
  .f32 c[6]
  .f32 d[12] = i
  .i32 few[3] = i
  .i32 got[3]
  .f32 two[2] = i
  .dsr from
  .reg step
  .microthread sending
  task main:
    mov32 step, 0
  next:
    fadds c, a, b
    fmacs c, c, a, 0.5
    fmovs c[0:3], c[3:6]
    fadds d, d, d
    fadds d, d, 1.0
    mark  turn
    fadds r3, r3, c
    mov32 c[2], r3
    add32 few, few, 1
    mov32 fabout(there), few async sending
    mov32 got, fabin(back)
    setd  from, a
    wait  sending
    wait  sending
    fadds c, from, 1.0
    setd  from, b
    fadds c, c, from
    map   c, fmacs, c, b, two
    add32 got, got, few
    random16 r4
    mov32 got[1], r4
    print "{step}"
    add32 step, step, 1
    blt   step, 3, next
.program other
  .i32 words[3]
  .reg count, now
  .microthread giving
  task main:
    mov32 count, 0
  next:
    mov32 words, fabin(there)
    mov32 fabout(back), words async giving
    wait  giving
    add32 count, count, 1
    tsc   now
    bge   stop, 1, judge
  again:
    blt   count, 3, next
    halt
  judge:
    blt   now, stop, again
    assert count == 9
.place busy at (0, 0)
.place other at (1, 0)
.route there at (0, 0): ramp -> east
.route there at (1, 0): west -> ramp
.route back at (1, 0): ramp -> west
.route back at (0, 0): east -> ramp
)";

std::string text_of(const Simulation& s) {
  const vm::Counters& c = s.record.counters;
  std::string text = fmt::format(
      "{} after {}: {}\n{} instructions, {} elements, {} flops, {} wavelets, cycles {}\n",
      vm::text(s.record.status), s.record.cycles, s.record.message, c.instructions, c.elements,
      c.flops, c.wavelets, fmt::join(c.pe_cycles, " "));
  for (const auto& [name, mark] : s.record.marks) {
    text += fmt::format("{} {}..{} {}\n", name, mark.first, mark.last, mark.count);
  }
  for (const std::string name : {"a", "b", "c", "d", "few", "got"}) {
    text += fmt::format("{} {}\n", name, fmt::join(s.words(0, 0, name), " "));
  }
  return text +
         fmt::format("{}\n{}", fmt::join(s.words(1, 0, "words"), " "), fmt::join(s.printed, "\n"));
}

void expect_alike(const std::string& profile, Cycle most, std::uint64_t stop) {
  const test_support::Values values = {{"stop", std::to_string(stop)}};
  const std::string text(kProgram);
  const Simulation traced =
      simulate(text, {.values = values, .profile = profile, .max_cycles = most, .trace = true});
  const Simulation ahead =
      simulate(text, {.values = values, .profile = profile, .max_cycles = most});
  ASSERT_EQ(text_of(ahead), text_of(traced)) << "at most " << most << " cycles, stop " << stop;
}

class RunsAhead : public testing::TestWithParam<std::string> {};

TEST_P(RunsAhead, AnyLimitStopsItInItsCycle) {
  const Cycle cycles = simulate(std::string(kProgram), {.profile = GetParam()}).record.cycles;
  ASSERT_GT(cycles, 100u);
  for (Cycle most = 1; most <= cycles + 1; ++most) expect_alike(GetParam(), most, 0);
}

TEST_P(RunsAhead, ATrapElsewhereStopsItInItsCycle) {
  const Cycle cycles = simulate(std::string(kProgram), {.profile = GetParam()}).record.cycles;
  for (Cycle stop = 1; stop <= cycles; ++stop) expect_alike(GetParam(), vm::kNever, stop);
}

INSTANTIATE_TEST_SUITE_P(Profiles, RunsAhead, testing::Values("wse2", "wse3", "model"));

}  // namespace
}  // namespace wse::test_laws::ahead
