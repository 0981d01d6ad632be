// The counts that the planes keep of their queues.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vm/contract/queue_counts.h"
#include "vm/planes/bits/link_tally.h"
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
    RouterTable& table;
    RestingBlocks& rests;
    QueuePeaks& peaks;
    EndingThreads& ending;
    Counters& counters;
  };
  explicit WaferCounts(const Parts& parts) : parts_(parts) {}

  Arrived arrived(PeId pe) const override;
  void add_pushed(QueuePort port, std::span<std::uint64_t> wavelets) const override;
  void add_waiting_down(std::span<std::uint64_t> wavelets) const override;
  void keep_links() override;
  void read_links(Cycle now, LinkSums& sums) override;
  // Sums of links that another machine has counted: what came to a PE, perhaps of another process;
  // or none of those so far.
  void add_to_links(PeId pe, isa::Port port, std::uint64_t wavelets) {
    if (links_ != nullptr) links_->sums.came(pe, port, wavelets);
  }
  void forget_links() {
    if (links_ != nullptr) links_->sums.clear();
  }
  void count_unfinished() override;
  void keep_peaks() override { parts_.peaks.keep(); }
  std::uint32_t peak(PeId pe) const override { return parts_.peaks.of(pe); }
  void forget_peaks() override { parts_.peaks.forget(); }

 private:
  // Words that came over the links of a strip.
  struct Links {
    explicit Links(const isa::Topology& mesh) : sums(mesh) {}

    LinkSums sums;
    std::vector<std::vector<LinkTally::Run>> runs{};  // by block and link
    std::vector<LinkTally> tallies{};                 // by block and link
    std::vector<UpCounter*> counters{};               // of queues behind links
  };

  bool is_own(std::uint32_t block) const {
    return parts_.pes.contains(parts_.table.grid().pe_of(block, 0));
  }

  Parts parts_;
  std::unique_ptr<Links> links_;  // null: nobody reads them
};

}  // namespace wse::vm::wafer
