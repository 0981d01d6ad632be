// Slices of time: by hand for a small program, that they become coarser exactly, and that whatever
// the road of the machine is, each cycle is where it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "tests/support/random.h"
#include "vm/ledger/slices.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

// Runs it, and compares the sums of its slices with its record.
SliceTable run(const std::string& text, std::uint32_t wanted, Cycle max_cycles = kNever,
               TransportChoice transport = TransportChoice::Auto) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"test.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine = Machine::create(
      std::move(*output.image), profile,
      {.threads = 1, .transport = transport, .engine = test_support::test_engine()});
  const Record record =
      (*machine)->run({.max_cycles = max_cycles, .profile = true, .slices = wanted});
  SliceTable table = *Books(**machine).slices();
  for (std::size_t k = 0; k < kActivities; ++k) {
    std::uint64_t all = 0;
    for (std::size_t slice = 0; slice < table.slices(); ++slice) {
      for (std::size_t tile = 0; tile < table.tiles(); ++tile) {
        all += table.at(static_cast<Activity>(k), slice, tile);
      }
    }
    EXPECT_EQ(all, record.counters.pe_cycles[k]) << "activity " << k;
  }
  return table;
}

std::vector<std::uint64_t> cycles_of(const SliceTable& table, Activity activity) {
  const std::size_t of_one = table.cycles.size() / kActivities;
  const auto begin = table.cycles.begin() +
                     static_cast<std::ptrdiff_t>(of_one * static_cast<std::size_t>(activity));
  return {begin, begin + static_cast<std::ptrdiff_t>(of_one)};
}

// Two arrays in one bank: from its first issue on every other cycle of the addition is a stall.
constexpr const char* kConflict = R"(.grid 1, 1
.program adder
  .f32 v[8] = i
  .f32 w[8] = i
  task main:
    mov32 r1, 1
    fadds v, v, w
    mov32 r2, v[7]
    halt
.place adder at (0, 0)
)";

TEST(Slices, EachStallIsInItsCycle) {
  const SliceTable table = run(kConflict, 64);
  const std::size_t cycles = table.slices();
  ASSERT_EQ(table.edges.back(), cycles) << "a slice for each cycle";
  const auto stalls = cycles_of(table, Activity::MemoryStall);
  const auto busy = cycles_of(table, Activity::Busy);
  std::size_t first = 0;
  while (first < cycles && stalls[first] == 0) ++first;
  std::uint64_t count = 0;
  for (const std::uint64_t stall : stalls) count += stall;
  ASSERT_EQ(count, 4u) << "of eight elements, two at a time";
  for (std::size_t k = 0; k < cycles; ++k) {
    const bool wanted = k >= first && k < first + 2 * count && (k - first) % 2 == 0;
    EXPECT_EQ(stalls[k], wanted ? 1 : 0) << "cycle " << k;
    EXPECT_EQ(busy[k], wanted ? 0 : 1) << "cycle " << k;
  }
}

// The same instruction three times: scalar code passes it once it has a plan.
constexpr const char* kConflictInALoop = R"(.grid 1, 1
.program adder
  .f32 v[8] = i
  .f32 w[8] = i
  task main:
    mov32 r1, 3
  next:
    fadds v, v, w
    sub32 r1, r1, 1
    bgt r1, 0, next
    halt
.place adder at (0, 0)
)";

TEST(Slices, EachStallOfAPassedInstructionIsInItsCycle) {
  const SliceTable table = run(kConflictInALoop, 64);
  const auto stalls = cycles_of(table, Activity::MemoryStall);
  ASSERT_EQ(table.edges.back(), table.slices()) << "a slice for each cycle";
  std::uint64_t count = 0;
  for (std::size_t k = 1; k < stalls.size(); ++k) {
    EXPECT_LE(stalls[k - 1] + stalls[k], 1u) << "cycle " << k;
    count += stalls[k];
  }
  EXPECT_GE(count, 9u) << "three times four, but for what drains of the one before";
}

TEST(Slices, OfACutRunAreItsFirst) {
  const SliceTable whole = run(kConflictInALoop, 64);
  for (Cycle cut = 1; cut < whole.edges.back(); ++cut) {
    const SliceTable part = run(kConflictInALoop, 64, cut);
    ASSERT_LE(part.edges.back(), cut);
    const std::size_t slices = part.slices();
    for (const Activity activity : {Activity::Busy, Activity::MemoryStall}) {
      const auto all = cycles_of(whole, activity);
      const auto some = cycles_of(part, activity);
      for (std::size_t k = 0; k < slices; ++k)
        EXPECT_EQ(some[k], all[k]) << "cut " << cut << ", cycle " << k;
    }
  }
}

// A PE waits for the word that another one sends after a loop, and then both halt.
std::string waiting(int turns) {
  return R"(.grid 2, 1
.colour red
.program sender
  task main:
    mov32 r1, )" +
         std::to_string(turns) + R"(
  next:
    sub32 r1, r1, 1
    bgt r1, 0, next
    mov32 fabout(red), r1
    halt
.program receiver
  task main:
    mov32 r1, fabin(red)
    halt
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";
}

TEST(Slices, NeighboursBecomeOneExactly) {
  for (const int turns : {10, 100, 1000, 12345}) {
    const SliceTable fine = run(waiting(turns), Slices::kMostWanted);
    const SliceTable coarse = run(waiting(turns), 2);
    ASSERT_LE(coarse.slices(), 4u);
    ASSERT_GE(coarse.slices(), 2u);
    ASSERT_EQ(coarse.edges.back(), fine.edges.back());
    const std::size_t slices = coarse.slices();
    for (std::size_t a = 0; a < kActivities; ++a) {
      const auto many = cycles_of(fine, static_cast<Activity>(a));
      std::vector<std::uint64_t> merged(slices * 2);
      for (std::size_t k = 0; k + 1 < fine.edges.size(); ++k) {
        std::size_t to = 0;
        while (coarse.edges[to + 1] <= fine.edges[k]) ++to;
        for (std::size_t pe = 0; pe < 2; ++pe) merged[to * 2 + pe] += many[k * 2 + pe];
      }
      EXPECT_EQ(merged, cycles_of(coarse, static_cast<Activity>(a)))
          << turns << " turns, activity " << a;
    }
  }
}

TEST(Slices, WaitingEndsInTheCycleOfTheWord) {
  const SliceTable table = run(waiting(10), 64);
  const auto waits = cycles_of(table, Activity::WaitInput);
  const std::size_t cycles = table.slices();
  ASSERT_EQ(table.edges.back(), cycles);
  std::size_t last = 0;
  for (std::size_t k = 0; k < cycles; ++k) {
    EXPECT_EQ(waits[2 * k], 0u);
    EXPECT_LE(waits[2 * k + 1], 1u) << "cycle " << k;
    if (waits[2 * k + 1] > 0) last = k;
  }
  EXPECT_GT(last, 30u);
  EXPECT_LT(last, cycles - 1);
}

// What a PE that waits for ever would do after the last finish does not count.
TEST(Slices, EndWithTheLastFinish) {
  const std::string text = waiting(10);
  const std::size_t send = text.find("mov32 fabout");
  const std::string silent = text.substr(0, send) + text.substr(text.find("halt", send));
  for (const TransportChoice transport : {TransportChoice::Stepper, TransportChoice::Wafer}) {
    SliceTable table = run(silent, 64, kNever, transport);
    for (std::size_t k = 0; k < table.slices(); ++k) {
      EXPECT_LE(table.at(Activity::WaitInput, k, 1), 1u) << "cycle " << k;
    }
  }
}

TEST(SliceTiles, AreAsSmallAsTheirNumberAllows) {
  const SliceTiles whole(isa::Topology::mesh(128, 128));
  EXPECT_EQ(whole.side(), 1u);
  const SliceTiles wafer(isa::Topology::mesh(755, 994));
  EXPECT_EQ(wafer.side(), 7u);
  EXPECT_EQ(wafer.width(), 108u);
  EXPECT_EQ(wafer.height(), 142u);
  EXPECT_EQ(wafer.of(755 * 994 - 1), wafer.size() - 1);
  EXPECT_EQ(wafer.of(755 * 7), wafer.width());
  const SliceTiles row(isa::Topology::mesh(20000, 1));
  EXPECT_EQ(row.side(), 2u);
  EXPECT_EQ(row.size(), 10000u);
}

// As in two strips that share a row of tiles, one of which has run less far.
TEST(Slices, OfStripsAddUp) {
  const isa::Topology mesh = isa::Topology::mesh(200, 200);
  const SliceTiles tiles(mesh);
  ASSERT_EQ(tiles.side(), 2u);
  const PeId middle = 200 * 99;
  Slices upper(tiles, {0, middle}, 2);
  Slices lower(tiles, {middle, 200 * 200}, 2);
  upper.charge(middle - 1, Activity::Busy, 0, 3);
  lower.charge(middle + 199, Activity::Busy, 1, 16);
  lower.charge_every_other(middle + 199, 16, 19, true);
  const std::vector<PeId> placed = {middle - 1, middle + 199};
  const Slices* const both[] = {&upper, &lower};
  const SliceTable table = Slices::table(both, {tiles, placed, 19});
  EXPECT_EQ(table.edges, (std::vector<Cycle>{0, 8, 16, 19}));
  const std::size_t tile = tiles.of(middle - 1);
  ASSERT_EQ(tile, tiles.of(middle + 199));
  const auto at = [&](Activity activity, std::size_t slice) {
    return cycles_of(table, activity)[slice * tiles.size() + tile];
  };
  EXPECT_EQ(at(Activity::Busy, 0), 3u + 7u);
  EXPECT_EQ(at(Activity::Busy, 1), 8u);
  EXPECT_EQ(at(Activity::Busy, 2), 1u);
  EXPECT_EQ(at(Activity::MemoryStall, 2), 2u);
  EXPECT_EQ(at(Activity::Idle, 0), 5u + 1u);
  EXPECT_EQ(at(Activity::Idle, 2), 3u);
}

// Intervals of some cycles and of many slices, as they come, against a count of each cycle.
TEST(Slices, HaveEachCycleOfLongIntervals) {
  constexpr std::size_t kPes = 3;
  const SliceTiles tiles(isa::Topology::mesh(kPes, 1));
  for (const std::uint32_t wanted : {1u, 8u, 64u}) {
    test_support::Random random(wanted);
    Slices slices(tiles, {0, kPes}, wanted);
    std::vector<std::array<std::vector<std::uint64_t>, kActivities>> cycles(kPes);
    std::array<Cycle, kPes> ends = {};
    constexpr Cycle kEnd = 5000;
    while (*std::ranges::min_element(ends) < kEnd) {
      const auto pe = static_cast<PeId>(std::ranges::min_element(ends) - ends.begin());
      const auto activity = static_cast<Activity>(random.below(kActivities));
      const std::uint32_t most = random.one_in(4) ? 1500 : 12;
      const Cycle to = std::min(ends[pe] + 1 + random.below(most), kEnd);
      slices.charge(pe, activity, ends[pe], to);
      for (std::size_t k = 0; k < kActivities; ++k) {
        cycles[pe][k].resize(to, k == static_cast<std::size_t>(activity) ? 1 : 0);
      }
      ends[pe] = to;
    }
    const Slices* const all[] = {&slices};
    const std::vector<PeId> placed = {0, 1, 2};
    SliceTable table = Slices::table(all, {tiles, placed, kEnd});
    for (std::size_t k = 0; k < kActivities; ++k) {
      for (std::size_t slice = 0; slice < table.slices(); ++slice) {
        for (std::size_t pe = 0; pe < kPes; ++pe) {
          const auto first = cycles[pe][k].begin();
          const auto sum =
              std::accumulate(first + std::ptrdiff_t(table.edges[slice]),
                              first + std::ptrdiff_t(table.edges[slice + 1]), std::uint64_t{0});
          ASSERT_EQ(table.at(static_cast<Activity>(k), slice, pe), sum) << wanted << " " << slice;
        }
      }
    }
  }
}

TEST(Slices, WhatIsOpenCountsIfSomethingFinishesAfterIt) {
  const SliceTiles tiles(isa::Topology::mesh(1, 1));
  Slices slices(tiles, {0, 1}, 4);
  slices.charge(0, Activity::Busy, 0, 2);
  slices.charge_open(0, Activity::WaitInput, 2, 4);
  slices.keep_open();
  slices.charge_open(0, Activity::WaitOutput, 4, 6);
  slices.drop_open();
  const Slices* const all[] = {&slices};
  const std::vector<PeId> placed = {0};
  const SliceTable table = Slices::table(all, {tiles, placed, 4});
  EXPECT_EQ(table.edges, (std::vector<Cycle>{0, 1, 2, 3, 4}));
  EXPECT_EQ(cycles_of(table, Activity::Busy), (std::vector<std::uint64_t>{1, 1, 0, 0}));
  EXPECT_EQ(cycles_of(table, Activity::WaitInput), (std::vector<std::uint64_t>{0, 0, 1, 1}));
  EXPECT_EQ(cycles_of(table, Activity::WaitOutput), (std::vector<std::uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(cycles_of(table, Activity::Idle), (std::vector<std::uint64_t>{0, 0, 0, 0}));
}

// Eight words go east over two links, one in each cycle, and nothing else does.
constexpr const char* kMessage = R"(.grid 3, 1
.colour red
.program sends
  .i32 v[8] = i
  task main:
    mov32 fabout(red), v
    halt
.program takes
  .i32 v[8]
  task main:
    mov32 v, fabin(red)
    halt
.place sends at (0, 0)
.place takes at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";

class LinkSlices : public testing::TestWithParam<TransportChoice> {};

TEST_P(LinkSlices, AddUpToTheLinks) {
  const SliceTable table = run(kMessage, 64, kNever, GetParam());
  const std::size_t slices = table.slices();
  ASSERT_EQ(table.edges.back(), slices) << "a slice for each cycle";
  ASSERT_EQ(table.links.size(), 4 * slices * 3);
  const isa::Topology mesh = isa::Topology::mesh(3, 1);
  const auto moved = [&](isa::Port port, std::size_t slice, std::size_t tile) {
    return table.links[(mesh.link_index(port) * slices + slice) * 3 + tile];
  };
  std::size_t first = 0;
  while (first < slices && moved(isa::Port::East, first, 0) == 0) ++first;
  for (std::size_t k = 0; k < slices; ++k) {
    EXPECT_EQ(moved(isa::Port::East, k, 0), k >= first && k < first + 8 ? 1u : 0u) << "cycle " << k;
    EXPECT_EQ(moved(isa::Port::East, k, 1), k > first && k < first + 9 ? 1u : 0u) << "cycle " << k;
    EXPECT_EQ(moved(isa::Port::East, k, 2) + moved(isa::Port::West, k, 1), 0u);
  }
  // Stopped in the middle of the message, also where a slice is longer than that.
  const SliceTable stopped = run(kMessage, 1, first + 3, GetParam());
  std::uint64_t until_then = 0;
  for (const std::uint64_t wavelets : stopped.links) until_then += wavelets;
  EXPECT_EQ(until_then, 3u + 2u);
}

TEST_P(LinkSlices, BecomeCoarserExactly) {
  const SliceTable fine = run(kMessage, 64, kNever, GetParam());
  const SliceTable coarse = run(kMessage, 3, kNever, GetParam());
  ASSERT_GT(coarse.shift, 0u);
  ASSERT_LE(coarse.slices(), 6u);
  const std::size_t rows = 4 * std::size_t{3};
  std::vector<std::uint64_t> wanted(coarse.links.size());
  for (std::size_t port = 0; port < 4; ++port) {
    for (std::size_t k = 0; k < fine.slices(); ++k) {
      for (std::size_t tile = 0; tile < 3; ++tile) {
        wanted[(port * coarse.slices() + (k >> coarse.shift)) * 3 + tile] +=
            fine.links[(port * fine.slices() + k) * 3 + tile];
      }
    }
  }
  EXPECT_EQ(coarse.links.size(), rows * coarse.slices());
  EXPECT_EQ(coarse.links, wanted);
}

INSTANTIATE_TEST_SUITE_P(OnBothTransports, LinkSlices,
                         testing::Values(TransportChoice::Stepper, TransportChoice::Wafer));

}  // namespace
}  // namespace wse::vm
