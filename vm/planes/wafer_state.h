// The planes as values of one PE after the other, so that another machine can take them up. Run
// lists and messages say with them what each wavelet is and how far each thread has come.
#pragma once

#include "vm/contract/transport_state.h"
#include "vm/load/written_routings.h"
#include "vm/planes/blocks/configuration.h"
#include "vm/planes/blocks/held_slots.h"
#include "vm/planes/blocks/queue_peaks.h"
#include "vm/planes/taken_state.h"
#include "vm/planes/words/fifos.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class WaferState : public TransportStates {
 public:
  struct Parts {  // all must live longer
    PeRange pes;  // of the strip
    const RouterTable& table;
    const Threads& threads;
    const IssueTable& issue;
    const Fifos& fifos;
    const HeldSlots& held;
    const QueuePeaks& peaks;
    const Messages& messages;
    const RunLists& run_lists;
    Words& words;  // of wavelets that stand in queues, which are made
    TakenState& taken;
  };
  explicit WaferState(const Parts& parts)
      : parts_(parts),
        grid_(parts.table.grid()),
        routings_(parts.pes, parts.table.channels().map()) {}

  void give(PeId pe, Cycle now, TransportState& state) override;
  void for_each_visit(Cycle now, const Visit& visit) const override;
  bool take(PeId pe, const TransportState& state, const BegunBy& begun_by, Cycle now) override {
    return parts_.taken.take(pe, state, begun_by, now);
  }
  void settle(Cycle now) override { parts_.taken.settle(now); }
  void for_each_neighbour(const std::function<void(PeId pe)>& visit) const override;
  bool fill_queues(const std::map<PeId, TransportState>& given) override {
    return parts_.taken.fill_queues(given);
  }
  void count_links(PeId pe, const TransportState& state) override {
    parts_.taken.count_links(pe, state);
  }
  void forget_links() override { parts_.taken.forget_links(); }

 private:
  // A PE outside of the box has neither channels nor a program.
  bool has(PeId pe) const { return grid_.has(pe); }
  TransportState::Channel given(ChannelId channel);
  void give_queues(ChannelId channel, Cycle now, std::uint32_t number, TransportState& state);
  TransportState::Thread given(const Thread& thread, Cycle now) const;
  // The first cycle in which a thread that moves may issue.
  Cycle next_of(const Thread& thread, Cycle now) const;
  void give_fifos(PeId pe, TransportState& state) const;

  Parts parts_;
  const Grid& grid_;
  WrittenRoutings routings_;
};

}  // namespace wse::vm::wafer
