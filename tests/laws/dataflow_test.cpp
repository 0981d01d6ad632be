// Programs whose words decide what happens on the profile `model`: gather and scatter by loopback,
// a FIFO between a bursty and a steady PE, streams that a control wavelet ends. To the cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/law.h"

namespace wse::test_laws::dataflow {
namespace {

using isa::IssueMode;
using test_support::Settings;
using test_support::simulate_program;
using test_support::Simulation;
using test_support::Values;
using vm::RunStatus;

constexpr std::uint64_t kLoop =
    5;  // from the issue of a word to that of its receiver in the same PE

Simulation gather(std::uint64_t n, const Settings& settings) {
  return simulate_program("gather-loopback", {.values = {{"N", std::to_string(n)}, {"STEP", "1"}},
                                              .settings = settings});
}

TEST(Laws, GatherTakesOneCyclePerElement) {
  for (const std::uint64_t n : {1, 5, 10, 11, 100, 1000}) {
    SCOPED_TRACE(n);
    const Simulation simulation = gather(n, {});
    expect_law(simulation, 2 * (n + kLoop));
    EXPECT_EQ(simulation.record.marks.at("gathered").first, n + kLoop);
  }
}

// With one slot receives go first, so sends and receives alternate in groups as long as the loop:
// two cycles for each element of whole groups.
TEST(Laws, GatherTakesTwoCyclesPerElementInOneSlot) {
  for (const std::uint64_t n : {1, 5, 9, 10, 11, 100, 1003}) {
    SCOPED_TRACE(n);
    const Simulation simulation =
        gather(n, {{&wse::isa::Profile::issue, static_cast<std::uint32_t>(IssueMode::Shared)}});
    const std::uint64_t rest = n % kLoop;
    const std::uint64_t cycles = 2 * (n - rest) + (rest > 0 ? kLoop + rest : 0);
    EXPECT_EQ(simulation.record.marks.at("gathered").first, cycles);
    EXPECT_EQ(simulation.record.cycles, 2 * cycles);
    EXPECT_EQ(simulation.words(0, 0, "z"), simulation.words(0, 0, "v"));
  }
}

// Bursts of B words and a consumer that is busy for WORK cycles after each: with room for a burst
// the consumer never waits after its first word, and the producer sends at once. One place more,
// since a FIFO of one place can push and pop in every second cycle only.
TEST(Laws, PipelineFifo) {
  for (const std::uint64_t bursts : {1, 2, 6}) {
    for (const std::uint64_t b : {1, 8, 32}) {
      for (const std::uint64_t work : {0, 1, 3, 9}) {
        const Values values = {{"BURSTS", std::to_string(bursts)},
                               {"B", std::to_string(b)},
                               {"WORK", std::to_string(work)},
                               {"M", std::to_string(b + 1)}};
        SCOPED_TRACE("BURSTS=" + values[0].second + " B=" + values[1].second +
                     " WORK=" + values[2].second);
        const Simulation simulation = simulate_program("pipeline-fifo", {.values = values});
        expect_law(simulation, bursts * b * (work + 1) + 13);
        EXPECT_EQ(simulation.record.marks.at("sent").last, (bursts - 1) * b * (work + 1) + b);
      }
    }
  }
}

// With fewer places the producer waits, and what it loses is lost for the whole pipeline.
TEST(Laws, AFifoThatIsTooSmallSlowsThePipeline) {
  std::uint64_t former = 0;
  for (const std::uint64_t places : {24, 8, 4, 2, 1}) {
    const Simulation simulation =
        simulate_program("pipeline-fifo", {.values = {{"M", std::to_string(places)}}});
    EXPECT_EQ(simulation.record.status, RunStatus::Halted) << simulation.record.message;
    EXPECT_EQ(simulation.failed_expectations.size(), places < 24 ? 1u : 0u);  // that of the cycles
    EXPECT_GT(simulation.record.cycles, former);
    former = simulation.record.cycles;
  }
}

// A word per cycle; the control wavelet takes one more, and in the cycle after it the task runs,
// which looks at each word again. The second receive starts a cycle after its task was activated.
TEST(Laws, Sentinel) {
  constexpr std::uint64_t kFirst = 112, kSecond = 171;  // words of the two sequences
  const Simulation simulation = simulate_program("sentinel");
  const std::uint64_t first = kLoop + 1 + kFirst + 1 + kFirst;
  EXPECT_EQ(simulation.record.marks.at("end").first, first);
  expect_law(simulation, first + 1 + kSecond + 1 + kSecond);
}

}  // namespace
}  // namespace wse::test_laws::dataflow
