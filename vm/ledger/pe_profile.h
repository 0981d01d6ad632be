// The work of each PE of a strip, kept where somebody asked for a profile: its cycles by activity,
// what it executed, and when it halted.
//
// It is fed by the events that feed the counters of the strip, so its sums are those counters.
#pragma once

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
  static constexpr std::size_t kBytes = sizeof(Time) + sizeof(Done);  // of a PE

  explicit PeProfile(const PeRange& pes) : range_(pes), times_(pes.size()), done_(pes.size()) {}

  Time& time(PeId pe) { return times_[range_.index(pe)]; }
  const Time& time(PeId pe) const { return times_[range_.index(pe)]; }
  Done& done(PeId pe) { return done_[range_.index(pe)]; }
  const Done& done(PeId pe) const { return done_[range_.index(pe)]; }

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
  struct Open {
    PeId pe = 0;
    Activity activity = Activity::Idle;
    Cycle cycles = 0;
  };

  PeRange range_;
  std::vector<Time> times_;
  std::vector<Done> done_;
  std::vector<Open> open_;
};

}  // namespace wse::vm
