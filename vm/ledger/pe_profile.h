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
#include "vm/support/time.h"

namespace wse::vm {

class PeProfile {
 public:
  struct Pe {
    std::array<std::uint64_t, kActivities> cycles = {};
    std::uint64_t instructions = 0;
    std::uint64_t elements = 0;
    std::uint64_t flops = 0;
    std::uint64_t tasks = 0;  // that were picked: not main, which the run begins with
    Cycle halted_at = kNever;
  };

  explicit PeProfile(const PeRange& pes) : range_(pes), pes_(pes.size()) {}

  Pe& operator[](PeId pe) { return pes_[range_.index(pe)]; }
  const Pe& operator[](PeId pe) const { return pes_[range_.index(pe)]; }

  void charge(PeId pe, Activity activity, Cycle cycles) {
    (*this)[pe].cycles[static_cast<std::size_t>(activity)] += cycles;
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
  std::vector<Pe> pes_;
  std::vector<Open> open_;
};

}  // namespace wse::vm
