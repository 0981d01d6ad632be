// The state of the stepper, one PE at a time, to be written down between two cycles and taken up by
// the stepper of another machine of the same program (vm/support/state_archive.h).
//
// Queues, positions, filters and threads are written. What follows from these - which channels have
// something standing, how many control wavelets wait - is found again.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/thread_table.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class StepperState {
 public:
  // An instruction in flight that the transport steps.
  struct Begun {
    const Flow* flow = nullptr;  // null: there is none
    Cycle from = 0;              // it does not issue before
  };
  using BegunBy = std::function<Begun(ThreadId thread)>;
  struct Peers {  // all must live longer
    const isa::Topology& mesh;
    const ChannelMap& map;
    RouterState& state;
    ThreadTable& threads;
    std::vector<Cycle>& links;  // see Fabric
    Agenda& agenda;
  };
  // Of the PEs of a strip.
  StepperState(const PeRange& pes, const Peers& peers) : pes_(pes), peers_(peers) {}

  // When cycle `now` is done.
  template <class Archive>
  void pass(Archive& archive, PeId pe, const BegunBy& begun_by, Cycle now);
  // Once all strips have read theirs: queues of other strips are seen here as they are there.
  void copy_queues(const std::function<const RouterState&(PeId pe)>& state_of);
  // The PEs that the stepper must look at.
  Agenda& agenda() { return peers_.agenda; }
  const RouterState& routers() const { return peers_.state; }

 private:
  template <class Archive>
  void pass_channel(Archive& archive, ChannelId id, Channel& channel);
  template <class Archive>
  void pass_routing(Archive& archive, ChannelId id, Channel& channel);
  template <class Archive>
  void pass_threads(Archive& archive, PeId pe, const BegunBy& begun_by, Cycle now);
  template <class Archive>
  void pass_thread(Archive& archive, MovingThread& thread, Cycle now);
  template <class Archive>
  void pass_fabric(Archive& archive, MovingThread& thread);
  static bool fits(const MovingThread& thread, Cycle now);
  // The routings that the channel may ever have, but for the one of the image.
  const std::vector<const isa::Routing*>& written(ChannelId id);
  void find_standing(PeId pe);

  PeRange pes_;
  Peers peers_;
  std::unordered_map<ChannelId, std::vector<const isa::Routing*>>
      written_;  // once one was asked for
};

extern template void StepperState::pass(StateWriter&, PeId, const BegunBy&, Cycle);
extern template void StepperState::pass(StateReader&, PeId, const BegunBy&, Cycle);

}  // namespace wse::vm
