// The counts that the stepper keeps of its queues.
#pragma once

#include "isa/machine/topology.h"
#include "vm/contract/queue_counts.h"
#include "vm/stepper/router_state.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

class StepperCounts : public QueueCounts {
 public:
  // Counts for the PEs of a strip. All must live longer.
  StepperCounts(const isa::Topology& mesh, const PeRange& pes, RouterState& state)
      : mesh_(mesh), pes_(pes), state_(state) {}

  Arrived arrived(PeId pe) const override;
  void add_pushed(QueuePort port, std::span<std::uint64_t> wavelets) const override;
  void add_waiting_down(std::span<std::uint64_t> wavelets) const override;
  void keep_links() override { state_.keep_links(mesh_); }
  void read_links(Cycle /*now*/, LinkSums& sums) override { sums.add(*state_.links()); }
  void keep_peaks() override { state_.peaks().keep(pes_); }
  std::uint32_t peak(PeId pe) const override { return state_.peaks().of(pe); }
  void forget_peaks() override { state_.peaks().forget(); }

 private:
  // Calls visit(pe, queue) for all queues of the port.
  template <class Visit>
  void for_each_queue(QueuePort port, Visit visit) const;

  const isa::Topology& mesh_;
  PeRange pes_;
  RouterState& state_;
};

}  // namespace wse::vm
