// The reductions of programs/ on the profile `model`: star, tree and two-phase take exactly the
// cycles of their laws. Each program also checks its sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/law.h"

namespace wse::test_laws::reductions {
namespace {

using test_support::simulate_program;
using test_support::Simulation;
using test_support::Values;

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

// Rows, first column and flood one after the other; between them a teardown, its task and a new
// route.
TEST(Laws, OneColourAllreduce) {
  for (const std::uint64_t w : {2, 3, 7, 33}) {
    for (const std::uint64_t h : {2, 3, 20}) {
      for (const std::uint64_t b : {1, 2, 16, 100}) {
        const Values values = {
            {"W", std::to_string(w)}, {"H", std::to_string(h)}, {"B", std::to_string(b)}};
        SCOPED_TRACE("W=" + values[0].second + " H=" + values[1].second + " B=" + values[2].second);
        const std::uint64_t suspended = kStep + 1;  // the task runs a cycle after the last receive
        expect_law(simulate_program("one-colour-allreduce", {.values = values}),
                   b * (w - 1) + suspended + b * (h - 1) + suspended + b + w + h + 3);
      }
    }
  }
}

}  // namespace
}  // namespace wse::test_laws::reductions
