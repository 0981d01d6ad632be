// The work of each PE of a strip, kept where somebody asked for a profile: its cycles by activity,
// what it executed, and when it halted.
//
// It is fed by the events that feed the counters of the strip, so its sums are those counters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/carries.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

class PeProfile {
 public:
  // How a PE spent its time.
  struct Time {
    std::array<std::uint64_t, kActivities> cycles = {};
    std::uint64_t tasks = 0;  // that were picked: not main, which the run begins with
    Cycle halted_at = kNever;
  };
  struct Done {
    std::uint64_t instructions = 0;
    std::uint64_t elements = 0;
    std::uint64_t flops = 0;
  };
  // Marks of a program whose first cycles are kept: those with the lowest numbers.
  static constexpr std::size_t kMostMarks = 8;

  PeProfile(const PeRange& pes, std::size_t marks)
      : range_(pes),
        times_(pes.size()),
        done_(pes.size()),
        first_marks_(std::min(marks, kMostMarks) * pes.size(), kNoCycle) {}

  Time time(PeId pe) const;
  Done done(PeId pe) const;

  // The PE executed instructions, of which so many cycles that are charged as busy are stalls.
  void executes(PeId pe, const Done& done, std::uint64_t stalls) {
    const std::size_t index = range_.index(pe);
    LowDone& low = done_[index];
    carries_.add(low[kInstructions], {index, kDone + kInstructions}, done.instructions);
    carries_.add(low[kElements], {index, kDone + kElements}, done.elements);
    carries_.add(low[kFlops], {index, kDone + kFlops}, done.flops);
    if (stalls > 0) carries_.add(times_[index].counts[kStalls], {index, kStalls}, stalls);
  }
  // Takes back what was told, and did not happen after all.
  void did_not(PeId pe, const Done& done, std::uint64_t stalls);
  void picks_task(PeId pe) {
    const std::size_t index = range_.index(pe);
    carries_.add(times_[index].counts[kTasks], {index, kTasks}, 1);
  }
  void halts(PeId pe, Cycle now) {
    set_cycle(times_[range_.index(pe)].halted_at, kHalts, range_.index(pe), now);
  }

  // The PE passes a mark, perhaps ahead of the clock.
  void passes_mark(PeId pe, std::uint32_t mark, Cycle cycle) {
    if (mark < kMostMarks && cycle < first_mark(pe, mark)) {
      set_cycle(first_marks_[mark_at(pe, mark)], kMarks, mark_at(pe, mark), cycle);
    }
  }
  // Returns the cycle in which the PE first passed a mark below kMostMarks, or kNever.
  Cycle first_mark(PeId pe, std::uint32_t mark) const {
    return cycle(first_marks_[mark_at(pe, mark)], kMarks, mark_at(pe, mark));
  }

  // Passes what a PE did (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive, PeId pe) {
    Time time = this->time(pe);
    Done done = this->done(pe);
    pass(archive, time, done);
    if constexpr (Archive::kReads) restore(pe, time, done);
    const std::size_t marks = range_.size() > 0 ? first_marks_.size() / range_.size() : 0;
    for (std::uint32_t mark = 0; mark < marks; ++mark) {
      Cycle first = first_mark(pe, mark);
      archive.number(first);
      const std::size_t at = mark_at(pe, mark);
      if constexpr (Archive::kReads) set_cycle(first_marks_[at], kMarks, at, first);
    }
  }
  template <class Archive>
  static void pass(Archive& archive, Time& time, Done& done) {
    for (std::uint64_t& cycles : time.cycles) archive.number(cycles);
    archive.number(time.tasks);
    archive.number(time.halted_at);
    for (std::uint64_t* const count : {&done.instructions, &done.elements, &done.flops}) {
      archive.number(*count);
    }
  }
  // Cycles that are charged, and count only if something finishes after them.
  struct Open {
    PeId pe = 0;
    Activity activity = Activity::Idle;
    Cycle cycles = 0;
  };
  std::vector<Open>& open() { return open_; }

  // Forgets which marks were passed.
  void forget_marks() {
    std::ranges::fill(first_marks_, kNoCycle);
    far_cycles_.erase(far_cycles_.lower_bound({kMarks, 0}), far_cycles_.end());
  }

  // Time will soon be charged to the PE.
  [[gnu::always_inline]] void prefetch(PeId pe) const { vm::prefetch(&times_[range_.index(pe)]); }

  void charge(PeId pe, Activity activity, Cycle cycles) {
    const std::size_t index = range_.index(pe);
    const auto k = static_cast<std::size_t>(activity);
    carries_.add(times_[index].counts[k], {index, k}, cycles);
  }
  // Charges cycles that count only if something finishes after them.
  void charge_open(PeId pe, Activity activity, Cycle cycles) {
    if (cycles == 0) return;
    charge(pe, activity, cycles);
    open_.push_back({pe, activity, cycles});
  }
  // Something has finished: all that is charged counts.
  void keep_open() { open_.clear(); }
  // The run is over: what is open does not count.
  void drop_open();

 private:
  // A wafer has 750 000 PEs, whose counts rarely need more than 32 bits.
  using Low = Carries::Low;
  enum Count : std::size_t { kTasks = kActivities, kStalls, kTimes };  // behind those by activity
  enum DoneCount : std::size_t { kInstructions, kElements, kFlops, kDones };
  static constexpr std::size_t kDone = kTimes;  // where they follow
  using LowDone = std::array<Low, kDones>;
  // Cycles from 2^32 - 1 on are kept apart, too, by what they are and place.
  static constexpr Low kNoCycle = UINT32_MAX;
  enum Sort : std::uint32_t { kHalts, kMarks };
  // Half a line of the host's cache, since each look at the PE charges it.
  struct alignas(32) LowTime {
    std::array<Low, kTimes> counts = {};  // cycles by activity, as they are charged; tasks; stalls
    Low halted_at = kNoCycle;
  };
  static_assert(sizeof(LowTime) == 32);

 public:
  // The bytes of a PE, without marks.
  static constexpr std::size_t kBytes = sizeof(LowTime) + sizeof(LowDone);

 private:
  void restore(PeId pe, const Time& time, const Done& done);
  std::size_t mark_at(PeId pe, std::uint32_t mark) const {
    return std::size_t{mark} * range_.size() + range_.index(pe);
  }
  void set_cycle(Low& low, Sort sort, std::size_t at, Cycle cycle);
  Cycle cycle(Low low, Sort sort, std::size_t at) const;

  PeRange range_;
  std::vector<LowTime> times_;
  std::vector<LowDone> done_;
  std::vector<Low> first_marks_;  // PE by PE, mark after mark
  Carries carries_;               // by PE and count
  std::map<std::pair<std::uint32_t, std::size_t>, Cycle> far_cycles_;
  std::vector<Open> open_;
};

}  // namespace wse::vm
