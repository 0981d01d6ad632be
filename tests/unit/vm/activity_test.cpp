// What the log of activities charges, against the cycles themselves.
#include "vm/ledger/activity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "vm/ledger/activity_changes.h"

namespace wse::vm {
namespace {

constexpr PeId kPe = 0;

// The log of one PE with a program.
struct Logged {
  Logged() { log.count(kPe); }
  Cycle charged(Activity activity) const {
    return counters.pe_cycles[static_cast<std::size_t>(activity)];
  }

  Counters counters;
  ActivityLog log{{0, 1}, counters};
};

// Busy 2, 4, 6 ... cycles before the end, wherever somebody looks in between.
TEST(Activity, EveryOtherCycleIsCountedFromTheEnd) {
  for (const Cycle until : {7, 8}) {
    for (Cycle look = 1; look < until; ++look) {
      Logged pe;
      pe.log.steady(kPe, 2, until);
      pe.log.settle(kPe, look);
      Cycle busy = 0;
      for (Cycle cycle = 0; cycle < look; ++cycle) busy += (until - cycle) % 2 == 0 ? 1 : 0;
      EXPECT_EQ(pe.charged(Activity::Busy), busy) << look << " of " << until;
      EXPECT_EQ(pe.charged(Activity::MemoryStall), look - busy) << look << " of " << until;
    }
  }
}

TEST(Activity, APastIsChargedAsWhatItWas) {
  Logged pe;
  pe.log.otherwise(kPe, Activity::WaitInput);
  pe.log.otherwise_from(kPe, 5, Activity::WaitOutput);
  pe.counters.finished(12);
  pe.log.close(std::array{kPe}, 12);
  EXPECT_EQ(pe.charged(Activity::WaitInput), 5u);
  EXPECT_EQ(pe.charged(Activity::WaitOutput), 7u);
}

// A machine that was taken up on other strips may have put what is open where no PE has a program.
TEST(Activity, OpenCyclesOfOtherStripsCount) {
  Logged from;
  from.log.otherwise(kPe, Activity::WaitInput);
  from.counters.finished(4);
  from.log.settle(kPe, 6);
  Counters counters;
  ActivityLog to({1, 2}, counters);
  ActivityLog::State state = to.state();
  state.open = from.log.state().open;
  state.open_behind = 4;
  to.restore(state);
  counters.finished(9);
  to.close({}, 9);
  EXPECT_EQ(counters.pe_cycles[static_cast<std::size_t>(Activity::WaitInput)], 2u);
}

// What lies after the last finish is charged once a later one comes, and never without.
TEST(Activity, CyclesAfterTheLastFinishStayOpen) {
  for (const bool goes_on : {false, true}) {
    Logged pe;
    pe.log.otherwise(kPe, Activity::WaitInput);
    pe.counters.finished(4);
    pe.log.otherwise_from(kPe, 6, Activity::WaitOutput);
    if (goes_on) pe.counters.finished(9);
    pe.log.close(std::array{kPe}, goes_on ? 9 : 4);
    EXPECT_EQ(pe.charged(Activity::WaitInput), goes_on ? 6u : 4u);
    EXPECT_EQ(pe.charged(Activity::WaitOutput), goes_on ? 3u : 0u);
  }
}

// Two PEs in a set, which do the same.
class Pair final : public ActivityLog::Sets {
 public:
  explicit Pair(ActivityLog& log) : log_(log) { log.allow(*this); }

  // Returns how many of them are in the set after that.
  std::size_t change(Activity activity, Cycle now) {
    ActivityLog::Changes changes(log_, now);
    const Counts before = counts();
    for (const PeId pe : {0u, 1u}) {
      if (!is_in_[pe]) is_in_[pe] = changes.add(pe, activity, false);
    }
    doing_ = {.activity = activity, .since = now};
    changes.move(before, counts());
    return counts()[static_cast<std::size_t>(activity)];
  }
  Doing leave(PeId pe) override {
    is_in_.at(pe) = false;
    return doing_;
  }

 private:
  Counts counts() const {
    Counts counts = {};
    counts.at(static_cast<std::size_t>(doing_.activity)) =
        static_cast<std::uint64_t>(std::ranges::count(is_in_, true));
    return counts;
  }

  ActivityLog& log_;
  Doing doing_;
  std::array<bool, 2> is_in_ = {};
};

TEST(Activity, PesOfASetAreChargedTogether) {
  for (const bool goes_on : {false, true}) {
    Counters counters;
    ActivityLog log({0, 2}, counters);
    Pair pair(log);
    for (const PeId pe : {0u, 1u}) log.count(pe);
    log.busy_until(1, 3);
    EXPECT_EQ(pair.change(Activity::WaitInput, 2), 1u);  // the other one is busy by itself
    EXPECT_EQ(pair.change(Activity::Busy, 4), 2u);
    EXPECT_EQ(log.busy_pes(4), 2u);
    EXPECT_EQ(pair.change(Activity::WaitOutput, 5), 2u);
    counters.finished(6);
    log.busy_until(0, 6);
    EXPECT_EQ(pair.change(Activity::Busy, 7), 2u);
    if (goes_on) counters.finished(9);
    log.leave_set(1);
    log.close(std::array{PeId{0}, PeId{1}}, counters.latest_finish);
    const auto charged = [&](Activity activity) {
      return counters.pe_cycles[static_cast<std::size_t>(activity)];
    };
    // 0: idle to 2, waits to 4, busy to 6, waits to 7. 1: busy to 3, waits to 4, busy to 5, waits
    // to 7. Then both are busy. The run ends with cycle 6 or 9.
    EXPECT_EQ(charged(Activity::Idle), 2u);
    EXPECT_EQ(charged(Activity::WaitInput), 3u);
    EXPECT_EQ(charged(Activity::WaitOutput), goes_on ? 3u : 1u);
    EXPECT_EQ(charged(Activity::Busy), goes_on ? 10u : 6u);
  }
}

// A book tells PEs apart.
TEST(Activity, PesThatABookWatchesAreInNoSet) {
  Counters counters;
  ActivityLog log({0, 2}, counters);
  Pair pair(log);
  PeProfile profile({0, 2}, 0);
  log.keep_books().keep_profile(profile);
  for (const PeId pe : {0u, 1u}) log.count(pe);
  EXPECT_EQ(pair.change(Activity::WaitInput, 2), 0u);
}

}  // namespace
}  // namespace wse::vm
