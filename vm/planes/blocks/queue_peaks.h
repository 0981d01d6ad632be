// How full queues were, as planes: for each block the PEs of which one queue held one wavelet or
// more at the end of a cycle, two or more, and so on. Only where a profile wants to know.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/planes/bits/router_table.h"

namespace wse::vm::wafer {

class QueuePeaks {
 public:
  // `table` must live longer.
  explicit QueuePeaks(const RouterTable& table) : table_(table) {}

  void keep() { blocks_.resize(table_.grid().blocks()); }
  void forget() {
    for (std::vector<Lanes>& held : blocks_) held.clear();
  }
  bool are_kept() const { return !blocks_.empty(); }

  // The queues of the router have taken and given.
  void look_at(const RouterPlanes& router) {
    std::vector<Lanes>& held = blocks_[router.block];
    for (const PlaneQueue* const queue : router.queue) {
      if (queue == nullptr) continue;
      if (queue == router.queue[kDownRamp] && isa::mutant(isa::Mutant::PeaksOfLinks)) continue;
      std::size_t k = 0;
      for (const Lanes& lanes : queue->totals()) {
        if (!lanes.any()) break;
        if (held.size() == k) held.emplace_back();
        held[k++] |= lanes;
      }
    }
  }
  std::uint32_t of(PeId pe) const {
    if (!are_kept() || !table_.grid().has(pe)) return 0;
    const std::vector<Lanes>& held = blocks_[table_.grid().block_of(pe)];
    const std::uint32_t lane = table_.grid().lane_of(pe);
    std::uint32_t most = 0;
    while (most < held.size() && held[most].has(lane)) ++most;
    return most;
  }
  // The state of another machine: a queue of the PE held so many.
  void begin_with(PeId pe, std::uint32_t most) {
    if (!are_kept()) return;
    std::vector<Lanes>& held = blocks_[table_.grid().block_of(pe)];
    if (held.size() < most) held.resize(most);
    for (std::uint32_t k = 0; k < most; ++k) held[k].set(table_.grid().lane_of(pe));
  }

 private:
  const RouterTable& table_;
  std::vector<std::vector<Lanes>>
      blocks_;  // by block: [k] holds more than k; none are kept if empty
};

}  // namespace wse::vm::wafer
