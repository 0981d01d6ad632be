// How full queues were: for each PE of a strip the most wavelets that one queue of its router held
// at the end of a cycle. Only where a profile wants to know.
//
// What is put into a queue may be taken out of another place of it in the same cycle, later or
// before. So a queue is looked at when the cycle is over, if something was put into it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vm/stepper/queue.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

class QueuePeaks {
 public:
  void keep(const PeRange& pes) {
    pes_ = pes;
    peaks_.assign(pes.size(), 0);
  }
  void forget() { std::ranges::fill(peaks_, 0u); }

  // Something was put into the queue, which is read here.
  void note(QueueId queue) {
    if (!peaks_.empty()) filled_.push_back(queue);
  }
  // The cycle is over.
  void look_at(const Queues& queues) {
    for (const QueueId id : filled_) {
      const Queue& queue = queues[id];
      std::uint32_t& peak = peaks_[pes_.index(queue.reader().pe)];
      peak = std::max(peak, queue.size());
    }
    filled_.clear();
  }
  // Takes up what was there before, where peaks are kept.
  void set(PeId pe, std::uint32_t peak) {
    if (!peaks_.empty()) peaks_[pes_.index(pe)] = peak;
  }
  std::uint32_t of(PeId pe) const { return peaks_.empty() ? 0 : peaks_[pes_.index(pe)]; }

 private:
  PeRange pes_{};
  std::vector<std::uint32_t> peaks_;  // of its PEs; none are kept if there are none
  std::vector<QueueId> filled_;       // in this cycle
};

}  // namespace wse::vm
