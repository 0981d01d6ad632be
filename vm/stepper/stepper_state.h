// The state of the stepper, one PE at a time, to be given between two cycles and taken up by the
// stepper of another machine of the same program (vm/contract/transport_state.h).
//
// Queues, positions, filters and threads are taken up. What follows from these - which channels
// have something standing, how many control wavelets wait, words that are made ahead - is found
// again.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/contract/transport_state.h"
#include "vm/ledger/causes.h"
#include "vm/load/written_routings.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/thread_table.h"

namespace wse::vm {

class StepperState : public TransportStates {
 public:
  struct Peers {  // all must live longer
    const isa::Topology& mesh;
    const ChannelMap& map;
    RouterState& state;
    ThreadTable& threads;
    std::vector<Cycle>& links;  // see Fabric
    Agenda& agenda;
  };
  // Gives and takes states of the PEs of a strip.
  StepperState(const PeRange& pes, const Peers& peers)
      : pes_(pes), peers_(peers), routings_(pes, peers.map) {}

  void give(PeId pe, Cycle now, TransportState& state) override;
  void for_each_visit(Cycle /*now*/, const Visit& visit) const override {
    peers_.agenda.for_each(visit);
  }
  bool take(PeId pe, const TransportState& state, const BegunBy& begun_by, Cycle now) override;
  // Once all strips have taken theirs: queues of other strips are seen here as they are there.
  // `state_of` returns null for PEs of other processes.
  void copy_queues(const std::function<const RouterState*(PeId pe)>& state_of);
  bool fill_queues(const std::map<PeId, TransportState>& given) override;
  void for_each_neighbour(const std::function<void(PeId pe)>& visit) const override;
  void count_links(PeId pe, const TransportState& state) override;
  void forget_links() override;
  // Tells a book of causes that begins here how many words its queues hold.
  void tell_words(Causes& causes) const;
  // The PEs that the stepper must look at.
  Agenda& agenda() { return peers_.agenda; }
  const RouterState& routers() const { return peers_.state; }

 private:
  std::span<Cycle> links_of(PeId pe);
  void give_queues(const Channel& channel, std::uint32_t number, TransportState& state) const;
  TransportState::Thread given(MovingThread& thread);
  bool take_channel(ChannelId id, const TransportState::Channel& given);
  bool take_queues(PeId pe, const TransportState& state);
  bool take_threads(PeId pe, const TransportState& state, const BegunBy& begun_by, Cycle now);
  bool take_thread(ThreadId id, const TransportState::Thread& given, const Begun& begun, Cycle now);
  bool take_fifos(PeId pe, const TransportState& state);
  // Words of which one element has issued.
  void take_halves(MovingThread& thread, const TransportState::Thread& given);
  static bool fits(const MovingThread& thread, Cycle now);
  void find_standing(PeId pe);
  static bool fill(Queue& ghost, std::uint32_t channel, QueuePort port,
                   const TransportState& given);
  // Calls visit(channel, port, ghost, pe): a queue of another strip's PE, as it is seen here.
  template <class Take>
  void for_each_ghost(Take visit) const;

  PeRange pes_;
  Peers peers_;
  WrittenRoutings routings_;
};

}  // namespace wse::vm
