// Hypercubes: messages arrive where their routes lead and take the cycles of the laws of `model`.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/hypercube_text.h"
#include "tests/support/random.h"
#include "tests/support/simulation.h"

namespace wse::test_laws::hypercube {
namespace {

using test_support::HypercubeText;
using test_support::Random;
using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

constexpr std::uint32_t kMostDimensions = 6;
constexpr std::uint64_t kWords[] = {1, 2, 5, 16, 256};
constexpr std::uint64_t kRampLatency = 2;  // T_R of the profile

Simulation run(const std::string& text) {
  Simulation simulation = simulate(text);
  EXPECT_EQ(simulation.record.status, RunStatus::Halted) << simulation.record.message;
  EXPECT_EQ(simulation.record.message, "");
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
  return simulation;
}

void expect_delivery(const HypercubeText& cube) {
  EXPECT_EQ(run(cube.text()).record.counters.hops, cube.hops());
}

TEST(Hypercube, AMessageTakesACyclePerDimension) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (const std::uint64_t words : kWords) {
      HypercubeText cube(d);
      ASSERT_TRUE(cube.add_message(0, cube.nodes() - 1, static_cast<std::uint32_t>(words)));
      EXPECT_EQ(run(cube.text()).record.cycles, words + d + 2 * kRampLatency + 1);
    }
  }
}

TEST(Hypercube, AnExchangeOverOneDimensionTakesTheTimeOfAMessage) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    const std::uint64_t words = kWords[d % std::size(kWords)];
    for (std::uint32_t k = 0; k < d; ++k) {
      HypercubeText cube(d);
      for (std::uint32_t node = 0; node < cube.nodes(); ++node) {
        ASSERT_TRUE(cube.add_message(node, node ^ 1u << k, static_cast<std::uint32_t>(words)));
      }
      const Simulation simulation = run(cube.text());
      EXPECT_EQ(simulation.record.cycles, words + 1 + 2 * kRampLatency + 1);
      EXPECT_EQ(simulation.record.links_used, cube.nodes());
    }
  }
}

// The ramps carry the words of one dimension after those of another, one per cycle.
TEST(Hypercube, AllDimensionsAtOnceShareTheRamps) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (const std::uint64_t words : {1u, 3u, 40u}) {
      HypercubeText cube(d);
      for (std::uint32_t k = 0; k < d; ++k) {
        for (std::uint32_t node = 0; node < cube.nodes(); ++node) {
          ASSERT_TRUE(cube.add_message(node, node ^ 1u << k, static_cast<std::uint32_t>(words)));
        }
      }
      const Simulation simulation = run(cube.text());
      EXPECT_EQ(simulation.record.cycles, d * words + 1 + 2 * kRampLatency + 1);
      EXPECT_EQ(simulation.record.links_used, std::uint64_t{d} * cube.nodes());
      EXPECT_EQ(simulation.record.max_link_load, words);
    }
  }
}

// Routers hold two words of a colour that their own position does not take yet.
TEST(Hypercube, TwoWordsAreExchangedOnOneColour) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (std::uint32_t k = 0; k < d; ++k) {
      const std::string all = fmt::format("at (0..{}, 0)", (1u << d) - 1);
      run(
          fmt::format(".hypercube {}\n.colour red\n.program node\n  .i32 mine[2] = 2 * x + i\n"
                      "  .i32 other[2]\n  task main:\n    mov32 fabout(red, advance), mine\n"
                      "    mov32 other, fabin(red)\n.place node {}\n"
                      ".route red {}: [ramp -> dim{}] [dim{} -> ramp]\n"
                      ".expect other {} == 2 * (x ^ {}) + i\n",
                      d, all, all, k, k, all, 1u << k));
    }
  }
}

// Node 0 floods the binomial tree: who gets a word over its highest dimension passes it on over all
// that are higher.
TEST(Hypercube, ABroadcastTakesACyclePerDimension) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (const std::uint64_t words : kWords) {
      std::string higher;
      std::string routes;
      for (std::uint32_t k = d; k-- > 0;) {
        routes += fmt::format(".route red at ({}..{}, 0): dim{} -> {}ramp\n", 1u << k,
                              (2u << k) - 1, k, higher);
        higher = fmt::format("dim{}, {}", k, higher);
      }
      routes +=
          fmt::format(".route red at (0, 0): ramp -> {}\n", higher.substr(0, higher.size() - 2));
      const Simulation simulation =
          run(fmt::format(".const B = {}\n.hypercube {}\n.colour red\n.program root\n"
                          "  .i32 v[B] = 7 * i\n  task main:\n    mov32 fabout(red), v\n"
                          ".program leaf\n  .i32 w[B]\n  task main:\n    mov32 w, fabin(red)\n"
                          ".place root at (0, 0)\n.place leaf at (1..{}, 0)\n{}"
                          ".expect w at (1..{}, 0) == 7 * i\n",
                          words, d, (1u << d) - 1, routes, (1u << d) - 1));
      EXPECT_EQ(simulation.record.cycles, words + d + 2 * kRampLatency + 1);
      EXPECT_EQ(simulation.record.counters.hops, words * ((1u << d) - 1));
      EXPECT_EQ(simulation.record.counters.max_distance, d);
    }
  }
}

TEST(Hypercube, RandomMessagesArrive) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE(fmt::format("d={} seed={}", d, seed));
      Random random(100 * d + seed);
      HypercubeText cube(d);
      const std::uint32_t wanted = 1 + random.below(2 * cube.nodes());
      for (std::uint32_t k = 0; k < wanted; ++k) {
        cube.add_message(random.below(cube.nodes()), random.below(cube.nodes()),
                         1 + random.below(12));
      }
      EXPECT_GE(cube.messages(), std::min(wanted, 4u));
      expect_delivery(cube);
    }
  }
}

template <class Target>
void expect_permutation(Target target) {
  for (std::uint32_t d = 1; d <= kMostDimensions; ++d) {
    for (const std::uint32_t words : {1u, 9u}) {
      HypercubeText cube(d);
      for (std::uint32_t node = 0; node < cube.nodes(); ++node) {
        ASSERT_TRUE(cube.add_message(node, target(node, d), words)) << node;
      }
      expect_delivery(cube);
    }
  }
}

TEST(Hypercube, BitReversalArrives) {
  expect_permutation([](std::uint32_t node, std::uint32_t d) {
    std::uint32_t reversed = 0;
    for (std::uint32_t k = 0; k < d; ++k) reversed |= (node >> k & 1) << (d - 1 - k);
    return reversed;
  });
}

TEST(Hypercube, TheComplementArrives) {
  expect_permutation([](std::uint32_t node, std::uint32_t d) { return node ^ ((1u << d) - 1); });
}

TEST(Hypercube, AShiftByOneArrives) {
  expect_permutation([](std::uint32_t node, std::uint32_t d) { return (node + 1) % (1u << d); });
}

}  // namespace
}  // namespace wse::test_laws::hypercube
