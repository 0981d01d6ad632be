// The counts that the planes keep of their queues.
#pragma once

#include "vm/contract/queue_counts.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/ending_threads.h"
#include "vm/planes/blocks/queue_peaks.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/support/pe_range.h"

namespace wse::vm::wafer {

class WaferCounts : public QueueCounts {
 public:
  struct Parts {  // all must live longer
    PeRange pes;  // of the strip
    const RouterTable& table;
    RestingBlocks& rests;
    QueuePeaks& peaks;
    EndingThreads& ending;
    Counters& counters;
  };
  explicit WaferCounts(const Parts& parts) : parts_(parts) {}

  Arrived arrived(PeId pe) const override;
  void read_links(Cycle now, LinkSums& sums) override;
  void count_unfinished() override;
  void keep_peaks() override { parts_.peaks.keep(); }
  std::uint32_t peak(PeId pe) const override { return parts_.peaks.of(pe); }
  void forget_peaks() override { parts_.peaks.forget(); }

 private:
  Parts parts_;
};

}  // namespace wse::vm::wafer
