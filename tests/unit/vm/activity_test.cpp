// What the log of activities charges, against the cycles themselves.
#include "vm/ledger/activity.h"

#include <gtest/gtest.h>

#include <array>

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

}  // namespace
}  // namespace wse::vm
