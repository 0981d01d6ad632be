// The reductions of programs/ on the profile `model`: star, tree and two-phase take exactly the
// cycles of their laws. Each program also checks its sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/law.h"

namespace {

using wse::test_laws::expect_law;
using wse::test_support::simulate_program;
using wse::test_support::Simulation;
using wse::test_support::Values;

constexpr std::uint64_t kPes[] = {4, 16, 64, 512};
constexpr std::uint64_t kWords[] = {1, 3, 16, 256};
constexpr std::uint64_t kRampLatency = 2;              // T_R of the profile
constexpr std::uint64_t kStep = 2 * kRampLatency + 2;  // from issue to issue of neighbours

template <class Law>
void expect_for_all_sizes(const std::string& program, Law law) {
  for (const std::uint64_t p : kPes) {
    for (const std::uint64_t b : kWords) {
      SCOPED_TRACE("P=" + std::to_string(p) + " B=" + std::to_string(b));
      expect_law(simulate_program(program,
                                  {.values = {{"P", std::to_string(p)}, {"B", std::to_string(b)}}}),
                 law(p, b));
    }
  }
}

TEST(Laws, ReduceStar) {
  expect_for_all_sizes("reduce-star",
                       [](std::uint64_t p, std::uint64_t b) { return b * (p - 1) + kStep; });
}

TEST(Laws, ReduceTree) {
  expect_for_all_sizes("reduce-tree", [](std::uint64_t p, std::uint64_t b) {
    std::uint64_t cycles = b + kStep;
    for (std::uint64_t hops = 2; hops < p; hops *= 2) cycles += std::max(b, hops - 1 + kStep);
    return cycles;
  });
}

TEST(Laws, ReduceTwoPhase) {
  for (const std::uint64_t p : kPes) {
    for (std::uint64_t s = 2; s <= p / 2; s *= 2) {
      for (const std::uint64_t b : kWords) {
        const Values values = {
            {"P", std::to_string(p)}, {"S", std::to_string(s)}, {"B", std::to_string(b)}};
        SCOPED_TRACE("P=" + values[0].second + " S=" + values[1].second + " B=" + values[2].second);
        const std::uint64_t group_step = s - 1 + kStep;
        expect_law(simulate_program("reduce-two-phase", {.values = values}),
                   b + kStep * (s - 1) + std::max(b, group_step) + group_step * (p / s - 2));
      }
    }
  }
}

// Groups of an odd number of PEs, and an odd number of groups.
TEST(Laws, ReduceTwoPhaseInOddGroups) {
  for (const auto& [p, s] : {std::pair{9, 3}, {15, 3}, {15, 5}, {12, 3}, {12, 4}}) {
    SCOPED_TRACE("P=" + std::to_string(p) + " S=" + std::to_string(s));
    const Simulation simulation = simulate_program(
        "reduce-two-phase", {.values = {{"P", std::to_string(p)}, {"S", std::to_string(s)}}});
    expect_law(simulation, 16 + 6 * (s - 1) + std::max(16, s + 5) + (s + 5) * (p / s - 2));
  }
}

}  // namespace
