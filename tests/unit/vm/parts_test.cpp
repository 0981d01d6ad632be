// The small parts of the machine: agenda, queues, notes.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <span>
#include <utility>

#include "vm/ledger/activity.h"
#include "vm/ledger/notes.h"
#include "vm/pe/noops.h"
#include "vm/stepper/pool.h"
#include "vm/stepper/queue.h"
#include "vm/support/agenda.h"

namespace wse::vm {
namespace {

std::vector<PeId> taken(Agenda& agenda, Cycle when) {
  const std::span<const PeId> due = agenda.take(when);
  return {due.begin(), due.end()};
}

TEST(Agenda, GivesEachPeOncePerCycleInOrderOfCycles) {
  Agenda agenda({0, 10});
  EXPECT_EQ(agenda.next(), kNever);
  agenda.add(3, 1000);  // far ahead
  agenda.add(1, 5);
  agenda.add(1, 5);
  agenda.add(2, 5);
  agenda.add(1, 6);
  EXPECT_EQ(agenda.next(), 5u);
  EXPECT_EQ(taken(agenda, 5), (std::vector<PeId>{1, 2}));
  EXPECT_EQ(agenda.next(), 6u);
  EXPECT_EQ(taken(agenda, 6), (std::vector<PeId>{1}));
  EXPECT_EQ(agenda.next(), 1000u);
  agenda.add(4, 70);
  EXPECT_EQ(agenda.next(), 70u);
  EXPECT_EQ(taken(agenda, 70), (std::vector<PeId>{4}));
  EXPECT_EQ(taken(agenda, 1000), (std::vector<PeId>{3}));
  EXPECT_EQ(agenda.next(), kNever);
}

TEST(Agenda, GivesNobodyWhoWasDropped) {
  Agenda agenda({100, 110});
  agenda.add(103, 5);
  agenda.add(104, 5);
  agenda.add(103, 6);
  agenda.drop(103, 5);
  EXPECT_EQ(taken(agenda, 5), (std::vector<PeId>{104}));
  EXPECT_EQ(agenda.last(), 5u);
  agenda.drop(103, 6);
  EXPECT_TRUE(taken(agenda, 6).empty());
  EXPECT_EQ(agenda.last(), 5u);  // nobody was looked at
  agenda.drop(103, 5000);        // far ahead, where nobody is
  EXPECT_EQ(agenda.next(), kNever);
}

TEST(Agenda, EqualsASortedListOnRandomInput) {
  std::mt19937 random(2);
  Agenda agenda({0, 50});
  std::set<std::pair<Cycle, PeId>> expected;
  Cycle now = 0;
  for (int round = 0; round < 5000; ++round) {
    for (int k = 0; k < 3; ++k) {
      const Cycle most = k < 2 ? 4 : round % 8 == 0 ? 20'000 : 500;
      const Cycle when = now + 1 + random() % most;
      const PeId pe = static_cast<PeId>(random() % 50);
      agenda.add(pe, when);
      expected.emplace(when, pe);
    }
    now = agenda.next();
    ASSERT_EQ(now, expected.begin()->first);
    const std::vector<PeId> due = taken(agenda, now);
    const std::set<PeId> unique(due.begin(), due.end());
    ASSERT_EQ(unique.size(), due.size());
    for (const PeId pe : unique) ASSERT_EQ(expected.erase({now, pe}), 1u);
    ASSERT_TRUE(expected.empty() || expected.begin()->first > now);
  }
}

TEST(Queues, RoomIsTheOccupancyAtTheStartOfTheCycle) {
  Queues queues;
  const QueueId first = queues.reserve(4);
  const QueueId second = queues.reserve(3);
  queues.allocate();
  queues.open(first, 4, {});
  queues.open(second, 3, {.pe = 7, .standing = 4});
  const Queue& other = queues[first];
  Queue& queue = queues[second];
  EXPECT_EQ(queue.reader().pe, 7u);
  queue.push(Wavelet(7), 5);
  EXPECT_TRUE(queue.has_room(4));
  queue.push(Wavelet(8), 6);
  queue.push(Wavelet(9), 7);
  EXPECT_TRUE(other.empty());
  EXPECT_FALSE(other.visible(100));
  EXPECT_FALSE(queue.visible(4));
  EXPECT_TRUE(queue.visible(5));
  EXPECT_EQ(queue.pop(5).data(), 7u);
  EXPECT_FALSE(queue.has_room(5));  // the freed place counts from cycle 6 on
  EXPECT_TRUE(queue.has_room(6));
  EXPECT_FALSE(queue.visible(5));
  EXPECT_EQ(queue.head().data(), 8u);
  queue.push(Wavelet(10), 8);
  for (std::uint32_t k = 0; k < 3; ++k) EXPECT_EQ(queue.at(k).data(), 8 + k);
  for (Cycle now = 8; now < 11; ++now) queue.pop(now);
  EXPECT_FALSE(queue.visible(100));
  EXPECT_EQ(queue.pushed(), 4u);
}

TEST(Wavelet, KeepsItsPartsApart) {
  const Wavelet plain(~0u);
  EXPECT_EQ(plain.data(), ~0u);
  EXPECT_EQ(plain.hops(), 0u);
  EXPECT_FALSE(plain.control() || plain.advances());
  const Wavelet wavelet = Wavelet(5, true, true).with_hop().with_hop();
  EXPECT_EQ(wavelet.hops(), 2u);
  EXPECT_TRUE(wavelet.control() && wavelet.advances());
  const Wavelet other = wavelet.without_advance().with_data(~0u);
  EXPECT_EQ(other.data(), ~0u);
  EXPECT_EQ(other.hops(), 2u);
  EXPECT_TRUE(other.control() && !other.advances());
}

TEST(Pool, TakesAgainWhatWasGivenBack) {
  Pool<int> pool;
  const std::uint32_t first = pool.take();
  const std::uint32_t second = pool.take();
  pool[first] = 7;
  EXPECT_NE(first, second);
  pool.give_back(first);
  EXPECT_EQ(pool.take(), first);
  EXPECT_EQ(pool[first], 7);
}

TEST(Activity, ChargesBusyPhasesFirstAndNothingBeyondTheEnd) {
  Counters counters;
  ActivityLog log({0, 1}, counters);
  const auto cycles = [&counters](Activity a) {
    return counters.pe_cycles[static_cast<std::size_t>(a)];
  };
  log.count(0);
  log.busy_until(0, 4);
  log.settle(0, 2);
  EXPECT_EQ(cycles(Activity::Busy), 2u);
  log.otherwise(0, Activity::WaitInput);
  counters.finished(6);
  log.settle(0, 10);
  EXPECT_EQ(cycles(Activity::Busy), 4u);
  EXPECT_EQ(cycles(Activity::WaitInput), 2u);  // what is known to lie before the end
  log.otherwise(0, Activity::MemoryStall);
  log.settle(0, 12);
  EXPECT_EQ(cycles(Activity::MemoryStall), 0u);
  counters.finished(13);
  log.otherwise(0, Activity::WaitOutput);
  log.settle(0, 15);
  EXPECT_EQ(cycles(Activity::WaitInput), 6u);
  EXPECT_EQ(cycles(Activity::MemoryStall), 2u);
  EXPECT_EQ(cycles(Activity::WaitOutput), 1u);
  log.close(std::array{PeId{0}}, 13);
  EXPECT_EQ(counters.pe_cycles, (std::array<std::uint64_t, kActivities>{4, 2, 1, 6, 0}));
}

// What issues cycle by cycle need not be settled in each of them.
TEST(Activity, OfSingleCyclesIsThatOfSettledOnes) {
  Counters counters;
  ActivityLog log({0, 1}, counters);
  log.count(0);
  log.otherwise_from(0, 2, Activity::WaitInput);
  for (const Cycle now : {4u, 5u, 6u, 9u}) log.busy_once(0, now, Activity::WaitOutput);
  log.otherwise_from(0, 11, Activity::WaitOutput);  // as it is
  log.otherwise_from(0, 12, Activity::MemoryStall);
  counters.finished(13);
  log.close(std::array{PeId{0}}, 13);
  EXPECT_EQ(counters.pe_cycles, (std::array<std::uint64_t, kActivities>{4, 1, 4, 2, 2}));
}

TEST(Activity, IssuesInEveryOtherCycle) {
  for (const Cycle first : {3u, 4u}) {
    Counters counters;
    ActivityLog log({0, 1}, counters);
    log.count(0);
    log.settle(0, first);
    log.busy_until(0, first + 1);
    log.steady(0, 2, first + 6);
    counters.finished(first + 7);
    log.settle(0, first + 3);
    log.settle(0, first + 6);
    log.close(std::array{PeId{0}}, first + 7);
    EXPECT_EQ(counters.pe_cycles, (std::array<std::uint64_t, kActivities>{3, 3, 0, 0, first + 1}));
  }
}

TEST(Activity, CountsNobodyWithoutAProgram) {
  Counters counters;
  ActivityLog log({0, 2}, counters);
  log.count(1);
  for (const PeId pe : {0u, 1u}) {
    log.settle(pe, 2);
    log.busy_until(pe, 4);
    log.otherwise(pe, Activity::WaitOutput);
    counters.finished(6);
    log.settle(pe, 10);
    log.close(std::array{pe}, 6);
  }
  EXPECT_EQ(counters.pe_cycles, (std::array<std::uint64_t, kActivities>{2, 0, 2, 0, 2}));
}

TEST(Notes, ComeOutByCycleThenPeThenOrder) {
  Notes notes;
  const auto note = [&notes](Cycle cycle, PeId pe, const char* text) {
    notes.add({.cycle = cycle, .pe = pe, .text = text});
  };
  note(7, 1, "d");
  note(3, 2, "b");
  note(3, 1, "a");
  note(3, 2, "c");
  std::string text;
  notes.release(4, [&text](const Note& n) { text += n.text; });
  EXPECT_EQ(text, "abc");
  notes.release(7, [&text](const Note& n) { text += n.text; });
  notes.release(8, [&text](const Note& n) { text += n.text; });
  EXPECT_EQ(text, "abcd");
}

// None without a share; else that share of the cycles, others for each PE, start and seed.
TEST(Noops, AreTheShareOfTheCycles) {
  isa::Profile profile = *isa::find_profile("wse2");
  EXPECT_EQ(noops(profile, 5, 7, 1'000'000), 0u);
  profile.noop_share = 200'000;
  constexpr std::uint64_t kIssues = 1'000'000;  // four of five cycles
  EXPECT_NEAR(static_cast<double>(noops(profile, 5, 7, kIssues)), 0.25 * kIssues, 0.002 * kIssues);
  EXPECT_EQ(noops(profile, 5, 7, 0), 0u);
  const auto of = [&profile](PeId pe, Cycle start) { return noops(profile, pe, start, 400); };
  std::set<Cycle> found;
  for (PeId pe = 0; pe < 20; ++pe) found.insert(of(pe, 7));
  EXPECT_GT(found.size(), 5u);
  EXPECT_EQ(of(3, 7), of(3, 7));
  const std::pair before(of(3, 7), of(3, 8));
  profile.noop_seed = 2;
  EXPECT_NE(before, std::pair(of(3, 7), of(3, 8)));
}

}  // namespace
}  // namespace wse::vm
