// The work of each PE of a strip, kept where somebody asked for a profile: its cycles by activity,
// what it executed, and when it halted.
//
// It is fed by the events that feed the counters of the strip, so its sums are those counters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

class PeProfile {
 public:
  // How a PE spent its time: one line of the host's cache, since each look at the PE charges it.
  struct alignas(64) Time {
    std::array<std::uint64_t, kActivities> cycles = {};
    std::uint64_t tasks = 0;  // that were picked: not main, which the run begins with
    Cycle halted_at = kNever;
  };
  struct Done {
    std::uint64_t instructions = 0;
    std::uint64_t elements = 0;
    std::uint64_t flops = 0;
  };
  static constexpr std::size_t kBytes = sizeof(Time) + sizeof(Done);  // of a PE, without marks
  // Marks of a program whose first cycles are kept: those with the lowest numbers.
  static constexpr std::size_t kMostMarks = 8;

  PeProfile(const PeRange& pes, std::size_t marks)
      : range_(pes),
        times_(pes.size()),
        done_(pes.size()),
        first_marks_(std::min(marks, kMostMarks) * pes.size(), kNever) {}

  Time& time(PeId pe) { return times_[range_.index(pe)]; }
  const Time& time(PeId pe) const { return times_[range_.index(pe)]; }
  Done& done(PeId pe) { return done_[range_.index(pe)]; }
  const Done& done(PeId pe) const { return done_[range_.index(pe)]; }

  // The PE passes a mark, perhaps ahead of the clock.
  void passes_mark(PeId pe, std::uint32_t mark, Cycle cycle) {
    const std::size_t at = std::size_t{mark} * range_.size() + range_.index(pe);
    if (mark < kMostMarks) first_marks_[at] = std::min(first_marks_[at], cycle);
  }
  // Returns the cycle in which the PE first passed a mark below kMostMarks, or kNever.
  Cycle first_mark(PeId pe, std::uint32_t mark) const {
    return first_marks_[std::size_t{mark} * range_.size() + range_.index(pe)];
  }

  // Passes what a PE did (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive, PeId pe) {
    pass(archive, time(pe), done(pe));
    const std::size_t marks = range_.size() > 0 ? first_marks_.size() / range_.size() : 0;
    for (std::size_t mark = 0; mark < marks; ++mark) {
      archive.number(first_marks_[mark * range_.size() + range_.index(pe)]);
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
  void forget_marks() { std::ranges::fill(first_marks_, kNever); }

  // Time will soon be charged to the PE.
  [[gnu::always_inline]] void prefetch(PeId pe) const { vm::prefetch(&time(pe)); }

  void charge(PeId pe, Activity activity, Cycle cycles) {
    time(pe).cycles[static_cast<std::size_t>(activity)] += cycles;
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
  void drop_open() {
    for (const Open& open : open_) charge(open.pe, open.activity, Cycle{0} - open.cycles);
    open_.clear();
  }

 private:
  PeRange range_;
  std::vector<Time> times_;
  std::vector<Done> done_;
  std::vector<Cycle> first_marks_;  // PE by PE, mark after mark
  std::vector<Open> open_;
};

}  // namespace wse::vm
