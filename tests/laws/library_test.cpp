// The macros of asm/library: what asm/library/README.md and the READMEs of their programs say of
// their cycles on `model`, for many sizes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/laws/law.h"

namespace wse::test_laws::library_laws {
namespace {

using test_support::simulate;
using test_support::simulate_program;
using test_support::Simulation;
using test_support::Values;

std::string text(std::uint64_t number) { return std::to_string(number); }

std::uint64_t last(const Simulation& simulation, const std::string& mark) {
  return simulation.record.marks.at(mark).last;
}

TEST(LibraryLaws, Vectors) {
  for (const std::uint64_t n : {8, 64, 400}) {
    for (const auto& [r, c] : {std::pair<std::uint64_t, std::uint64_t>{4, 4}, {8, 16}, {12, 5}}) {
      SCOPED_TRACE(text(n) + ", " + text(r) + " x " + text(c));
      const Simulation simulation =
          simulate_program("vectors", {.values = {{"N", text(n)}, {"R", text(r)}, {"C", text(c)}}});
      const std::uint64_t dot = n + n / 2;
      const std::uint64_t ends[] = {dot, n, n, 2 * n + n / 2, n / 2 + n, n, n / 4 + n / 2, r * c};
      const char* const names[] = {"dot",      "axpy",   "norm_1",  "norm_2",
                                   "norm_max", "argmax", "dot_f16", "transpose"};
      std::uint64_t now = 0;
      for (std::size_t k = 0; k < std::size(ends); ++k) {
        now += ends[k];
        EXPECT_EQ(first(simulation, names[k]), now) << names[k];
      }
      expect_law(simulation, now);
    }
  }
}

TEST(LibraryLaws, DiagonalShift) {
  for (const std::uint64_t b : {1, 2, 16, 300}) {
    for (const auto& [w, h] : {std::pair{2, 2}, {3, 5}, {8, 2}}) {
      expect_law(simulate_program("diagonal-shift",
                                  {.values = {{"B", text(b)}, {"W", text(w)}, {"H", text(h)}}}),
                 2 * (b + 6));
    }
  }
}

TEST(LibraryLaws, Halo) {
  for (const auto& [w, h] : {std::pair{3, 3}, {4, 3}, {5, 6}}) {
    for (const auto& [r, c] : {std::pair{8, 8}, {7, 9}, {16, 12}, {12, 16}, {30, 20}}) {
      for (const std::uint64_t g : {1, 2, 3}) {
        SCOPED_TRACE(text(w) + " x " + text(h) + " of " + text(r) + " x " + text(c));
        const Simulation simulation = simulate_program(
            "halo",
            {.values = {
                 {"W", text(w)}, {"H", text(h)}, {"R", text(r)}, {"C", text(c)}, {"G", text(g)}}});
        expect_law(simulation, 2 * g * (r + c) + 13);
      }
    }
  }
}

// Corners and edges alone, and grids of one row: data, whatever the time.
TEST(LibraryLaws, HaloOnAnyGrid) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 3}, {4, 1}, {2, 2}}) {
    const Simulation simulation =
        simulate_program("halo", {.values = {{"W", text(w)}, {"H", text(h)}, {"G", "2"}}});
    EXPECT_EQ(simulation.failed_expectations, std::vector<std::string>());
  }
}

constexpr const char* kHaloRow = R"(
.const W = 4
.const H = 1
.const N = 9
.const G = 2
.include "fabric.wsa"
.grid W, H
.program p
  .f32 u[N + 2 * G] = i < G || i >= N + G ? 0 : 100 * x + i
  .microthread to_west, to_east
  task main:
    halo_row u, N, G, to_west, to_east
.place p at (0..W - 1, 0)
.expect u[0:G] at (1..W - 1, 0) == 100 * (x - 1) + i + N
.expect u[N + G:N + 2 * G] at (0..W - 2, 0) == 100 * (x + 1) + i - N
)";

// Between what the words need and what PEs at the ends, which send earlier, hold them up.
TEST(LibraryLaws, HaloOfARow) {
  for (const std::uint64_t g : {1, 2, 7, 100}) {
    const Simulation simulation = simulate(kHaloRow, {.values = {{"G", text(g)}, {"N", "200"}}});
    EXPECT_EQ(simulation.failed_expectations, std::vector<std::string>());
    EXPECT_GE(simulation.record.cycles, 2 * g + 6);
    EXPECT_LE(simulation.record.cycles, 2 * g + 13);
  }
}

// The side of a program is W of a row, H of a column.
void sum_and_broadcast(const std::string& program, const std::string& side) {
  for (const std::uint64_t w : {2, 3, 8, 30}) {
    for (std::uint64_t r = 0; r < w; r += w > 8 ? 7 : 1) {
      for (const std::uint64_t b : {1, 4, 16, 100}) {
        SCOPED_TRACE(side + "=" + text(w) + " root=" + text(r) + " B=" + text(b));
        const Simulation simulation = simulate_program(
            program, {.values = {{side, text(w)}, {"root", text(r)}, {"B", text(b)}}});
        const std::uint64_t beyond = w - 1 - r;
        const bool at_an_end = r == 0 || beyond == 0;
        const std::uint64_t sum =
            at_an_end ? b + 6 * (w - 1) : std::max(2 * b + 6 * r, b + 6 * beyond);
        const std::uint64_t broadcast =
            at_an_end ? b + w + 4 : std::max(2 * b + r + 5, b + beyond + 5);
        EXPECT_EQ(last(simulation, "summed"), sum);
        expect_law(simulation, sum + broadcast);
      }
    }
  }
}

TEST(LibraryLaws, SumAndBroadcastOfARowWithAnyRoot) { sum_and_broadcast("row-root", "W"); }

TEST(LibraryLaws, SumAndBroadcastOfAColumnWithAnyRoot) { sum_and_broadcast("column-root", "H"); }

TEST(LibraryLaws, Barrier) {
  for (const auto& [w, h] : {std::pair{1, 1}, {5, 1}, {1, 5}, {2, 2}, {10, 3}, {6, 4}}) {
    SCOPED_TRACE(text(w) + " x " + text(h));
    const Simulation simulation =
        simulate_program("barrier", {.values = {{"W", text(w)}, {"H", text(h)}, {"B", "0"}}});
    expect_law(simulation, 7 * (w + h - 2) + 6 + (w > 1) + (h > 1));
  }
}

constexpr const char* kGridSum = R"(
.const W = 4
.const H = 3
.const B = 5
.include "fabric.wsa"
.grid W, H
.program p
  .f32 v[B] = 10 * y + x + i
  .f32 sum[B]
  .reg t
  .microthread sending
  task main:
    grid_sum_f32 sum, v, B, t, sending
.place p at (0..W - 1, 0..H - 1)
.expect sum at (0..W - 1, 0..H - 1) == W * H * (10 * (H - 1) + W - 1 + 2 * i) / 2
)";

// On a row or a column there is only one chain, and on one PE only the way through its own router.
TEST(LibraryLaws, GridSum) {
  for (const auto& [w, h] : {std::pair{1, 1}, {7, 1}, {1, 6}, {2, 2}, {4, 3}, {3, 9}}) {
    for (const std::uint64_t b : {1, 5, 40}) {
      SCOPED_TRACE(text(w) + " x " + text(h) + " of " + text(b));
      const Simulation simulation =
          simulate(kGridSum, {.values = {{"W", text(w)}, {"H", text(h)}, {"B", text(b)}}});
      if (w > 1) {
        expect_law(simulation, b * (2 + (h > 1)) + 7 * (w + h - 2) + 5);
      } else {
        EXPECT_EQ(simulation.failed_expectations, std::vector<std::string>());
      }
    }
  }
}

// Whoever comes last: nobody continues before.
TEST(LibraryLaws, NobodyLeavesABarrierEarly) {
  const Simulation simulation = simulate_program("barrier", {.values = {{"B", "400"}}});
  EXPECT_GT(first(simulation, "on"), last(simulation, "here"));
}

}  // namespace
}  // namespace wse::test_laws::library_laws
