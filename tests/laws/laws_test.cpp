// The laws of the profile `model`: message, broadcast, chain, flood, gemv, overlap and loopback
// take exactly the cycles of their formulas, for many sizes. Each program also checks its own data.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/laws/law.h"

namespace wse::test_laws::closed_laws {
namespace {

using test_support::simulate;
using test_support::simulate_program;
using test_support::Simulation;

constexpr std::uint64_t kPes[] = {2, 3, 4, 7, 16, 100, 512};
constexpr std::uint64_t kWords[] = {1, 2, 5, 16, 256, 4096};
constexpr std::uint64_t kRampLatency = 2;  // T_R of the profile

template <class Law>
void expect_for_all_sizes(const std::string& program, Law law) {
  for (const std::uint64_t p : kPes) {
    for (const std::uint64_t b : kWords) {
      SCOPED_TRACE("P=" + std::to_string(p) + " B=" + std::to_string(b));
      const Simulation simulation = simulate_program(
          program, {.values = {{"P", std::to_string(p)}, {"B", std::to_string(b)}}});
      expect_law(simulation, law(p, b));
      EXPECT_EQ(simulation.record.counters.hops, (p - 1) * b);
    }
  }
}

TEST(Laws, Message) {
  expect_for_all_sizes("message", [](std::uint64_t p, std::uint64_t b) {
    const std::uint64_t hops = p - 1;
    return b + hops + 2 * kRampLatency + 1;
  });
}

TEST(Laws, Broadcast) {
  expect_for_all_sizes("broadcast",
                       [](std::uint64_t p, std::uint64_t b) { return b + p + 2 * kRampLatency; });
}

TEST(Laws, ReduceChain) {
  expect_for_all_sizes("reduce-chain", [](std::uint64_t p, std::uint64_t b) {
    return b + (2 * kRampLatency + 2) * (p - 1);
  });
}

TEST(Laws, Flood2d) {
  for (const std::uint64_t w : {2, 3, 16, 100}) {
    for (const std::uint64_t h : {2, 5, 33}) {
      for (const std::uint64_t b : {1, 2, 16, 256}) {
        SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h) + ", B=" + std::to_string(b));
        const Simulation simulation = simulate_program(
            "broadcast-2d",
            {.values = {
                 {"W", std::to_string(w)}, {"H", std::to_string(h)}, {"B", std::to_string(b)}}});
        expect_law(simulation, b + w + h + 3);
        EXPECT_EQ(simulation.record.counters.hops, b * (w * h - 1));
        EXPECT_EQ(simulation.record.counters.max_distance, w + h - 2);
      }
    }
  }
}

// Eight taps, one after the other; in each pass two of them conflict in their banks.
TEST(Laws, Fir) {
  constexpr std::uint64_t kTaps = 8;
  for (const std::uint64_t n : {4, 8, 64, 1000, 4096}) {
    SCOPED_TRACE(n);
    const Simulation simulation = simulate_program("fir", {.values = {{"N", std::to_string(n)}}});
    expect_law(simulation, 5 * kTaps * n / 16 + 5 * kTaps * n / 8);
    EXPECT_EQ(simulation.record.marks.at("wide").first, 5 * kTaps * n / 16);
  }
}

TEST(Laws, Overlap) {
  for (const std::uint64_t w : {2, 3, 8, 20}) {
    for (const std::uint64_t n : {1, 2, 5, 6, 7, 32, 1000}) {
      SCOPED_TRACE("W=" + std::to_string(w) + " N=" + std::to_string(n));
      expect_law(simulate_program("overlap",
                                  {.values = {{"W", std::to_string(w)}, {"N", std::to_string(n)}}}),
                 2 * w * std::max(2 * n, n + 2 * kRampLatency + 2));
    }
  }
}

TEST(Laws, Gemv) {
  for (const auto& [w, h] : {std::pair{2, 2}, {3, 7}, {16, 12}}) {
    for (const auto& [m, n] : {std::pair{1, 1}, {8, 1}, {2, 16}, {20, 20}, {3, 5}, {7, 4}}) {
      SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h) + " tiles of " +
                   std::to_string(m) + " x " + std::to_string(n));
      const Simulation simulation =
          simulate_program("gemv", {.values = {{"W", std::to_string(w)},
                                               {"H", std::to_string(h)},
                                               {"M", std::to_string(m)},
                                               {"N", std::to_string(n)}}});
      expect_law(simulation, n * (m + 1) + m + h + 6 * w - 2);
    }
  }
}

TEST(Laws, Cholesky) {
  for (std::uint64_t p = 3; p <= 24; p += p < 8 ? 1 : 8) {
    SCOPED_TRACE(p);
    expect_law(simulate_program("cholesky", {.values = {{"P", std::to_string(p)}}}), 19 * p - 26);
  }
}

TEST(Laws, FftOfVectors) {
  for (const std::uint64_t log2_n : {3, 4, 7, 9}) {
    for (const bool f16 : {false, true}) {
      SCOPED_TRACE(std::to_string(log2_n) + (f16 ? " f16" : " f32"));
      const std::uint64_t n = 1u << log2_n;
      const Simulation simulation = simulate_program(
          "fft-vectors",
          {.values = {{"LOG2_N", std::to_string(log2_n)}, {"F16", f16 ? "1" : "0"}}});
      expect_law(simulation, f16 ? n * (5 * log2_n - 1) / 4 : n * (7 * log2_n - 3) / 2);
    }
  }
}

// Two transforms, and two exchanges in each of which the last PE sees the words of all go by.
TEST(Laws, FftOfTwoDimensions) {
  for (const std::uint64_t log2_p : {1, 2, 3, 4}) {
    SCOPED_TRACE(log2_p);
    const std::uint64_t p = 1u << log2_p;
    const std::uint64_t n = p * p;
    const std::uint64_t transform = n * (14 * log2_p - 3) / 2;
    const std::uint64_t exchange = 2 * n * p + std::max<std::uint64_t>(6, 2 * p - 2);
    expect_law(simulate_program("fft-2d", {.values = {{"LOG2_P", std::to_string(log2_p)}}}),
               2 * (transform + exchange));
  }
}

TEST(Laws, SparseProduct) {
  for (const auto& [w, h] : {std::pair{2, 1}, {3, 7}, {10, 5}}) {
    for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {10, 12, 4}, {33, 5, 3}, {8, 40, 9}}) {
      SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h) + " tiles of " +
                   std::to_string(m) + " x " + std::to_string(n));
      const Simulation simulation =
          simulate_program("spmv-grid", {.values = {{"W", std::to_string(w)},
                                                    {"H", std::to_string(h)},
                                                    {"M", std::to_string(m)},
                                                    {"N", std::to_string(n)},
                                                    {"K", std::to_string(k)}}});
      expect_law(simulation, n + h + k * m + (k * m + 1) / 2 + m + 6 * w + 3);
    }
  }
}

// A word to its own PE, through ramp and router: h = 0.
constexpr const char* kLoopback = R"(
.const B = 1
.grid 1, 1
.colour red
.program loop
  .f32 v[B] = i + 1
  .f32 w[B]
  .microthread sender
  task main:
    fmovs fabout(red), v async sender
    fmovs w, fabin(red)
.place loop at (0, 0)
.route red at (0, 0): ramp -> ramp
.expect w at (0, 0) == i + 1
.expect cycles == B + 5 on model
)";

TEST(Laws, LoopbackTakesSixCycles) {
  expect_law(simulate(kLoopback), 6);
  expect_law(simulate(kLoopback, {.values = {{"B", "100"}}}), 105);
}

TEST(Laws, LoopedWordIsReceivedFiveCyclesAfterItsSend) {
  const Simulation simulation = simulate(kLoopback, {.trace = true});
  std::vector<std::string> issues;
  for (const std::string& line : simulation.trace) {
    if (line.find("\"issue\"") != std::string::npos) issues.push_back(line.substr(0, 11));
  }
  EXPECT_EQ(issues, (std::vector<std::string>{"{\"cycle\":0,", "{\"cycle\":5,"}));
}

}  // namespace
}  // namespace wse::test_laws::closed_laws
