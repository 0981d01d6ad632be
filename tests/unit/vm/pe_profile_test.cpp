// The profile of a PE: its narrow counts hold any number of 64 bits.
#include "vm/ledger/pe_profile.h"

#include <gtest/gtest.h>

namespace {

using namespace wse::vm;

constexpr std::uint64_t kLarge = (std::uint64_t{1} << 32) - 1;

TEST(PeProfile, CountsBeyond32Bits) {
  PeProfile profile({0, 3}, 2);
  for (int k = 0; k < 3; ++k) {
    profile.charge(1, Activity::Busy, kLarge);
    profile.executes(1, {kLarge, 2 * kLarge, std::uint64_t{1} << 50}, 10);
  }
  profile.charge(2, Activity::WaitInput, 7);
  const PeProfile::Time time = profile.time(1);
  EXPECT_EQ(time.cycles[static_cast<std::size_t>(Activity::Busy)], 3 * kLarge - 30);
  EXPECT_EQ(time.cycles[static_cast<std::size_t>(Activity::MemoryStall)], 30u);
  EXPECT_EQ(profile.done(1).instructions, 3 * kLarge);
  EXPECT_EQ(profile.done(1).elements, 6 * kLarge);
  EXPECT_EQ(profile.done(1).flops, std::uint64_t{3} << 50);
  profile.did_not(1, {2 * kLarge, 0, std::uint64_t{1} << 50}, 10);
  EXPECT_EQ(profile.done(1).instructions, kLarge);
  EXPECT_EQ(profile.done(1).elements, 6 * kLarge);
  EXPECT_EQ(profile.done(1).flops, std::uint64_t{2} << 50);
  EXPECT_EQ(profile.time(1).cycles[static_cast<std::size_t>(Activity::MemoryStall)], 20u);
  EXPECT_EQ(profile.time(2).cycles[static_cast<std::size_t>(Activity::WaitInput)], 7u);
  EXPECT_EQ(profile.done(2).instructions, 0u);
}

// Stalls are told before the cycles in which they are, so there are fewer busy ones for a while.
TEST(PeProfile, StallsComeBeforeTheirCycles) {
  PeProfile profile({0, 1}, 0);
  profile.executes(0, {1, 4, 0}, 4);
  const auto busy = [&] {
    return profile.time(0).cycles[static_cast<std::size_t>(Activity::Busy)];
  };
  EXPECT_EQ(busy(), std::uint64_t{0} - 4);
  profile.charge(0, Activity::Busy, 9);
  EXPECT_EQ(busy(), 5u);
}

TEST(PeProfile, DropsWhatIsOpen) {
  PeProfile profile({0, 1}, 0);
  const auto idle = [&] {
    return profile.time(0).cycles[static_cast<std::size_t>(Activity::Idle)];
  };
  profile.charge_open(0, Activity::Idle, 5);
  profile.keep_open();
  profile.charge_open(0, Activity::Idle, kLarge);
  profile.charge_open(0, Activity::Idle, kLarge);
  EXPECT_EQ(idle(), 5 + 2 * kLarge);
  profile.drop_open();
  EXPECT_EQ(idle(), 5u);
}

TEST(PeProfile, KnowsCyclesOfAnySize) {
  PeProfile profile({4, 6}, 2);
  EXPECT_EQ(profile.time(5).halted_at, kNever);
  EXPECT_EQ(profile.first_mark(5, 1), kNever);
  for (const Cycle cycle : {Cycle{1} << 40, Cycle{kLarge}, Cycle{kLarge - 1}, Cycle{0}}) {
    profile.halts(5, cycle);
    profile.passes_mark(5, 1, cycle);
    profile.passes_mark(5, 1, cycle + 1);  // again
    EXPECT_EQ(profile.time(5).halted_at, cycle);
    EXPECT_EQ(profile.first_mark(5, 1), cycle);
    EXPECT_EQ(profile.first_mark(5, 0), kNever);
    EXPECT_EQ(profile.first_mark(4, 1), kNever);
  }
  profile.passes_mark(4, 0, Cycle{1} << 40);
  profile.forget_marks();
  EXPECT_EQ(profile.first_mark(4, 0), kNever);
  EXPECT_EQ(profile.first_mark(5, 1), kNever);
}

}  // namespace
