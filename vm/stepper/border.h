// The border of a strip: what its routers send to those of other strips, and take in of what these
// sent (crossings.h).
#pragma once

#include <vector>

#include "vm/stepper/router_state.h"

namespace wse::vm {

class Border {
 public:
  // `state` must live longer too.
  Border(const FabricParts& parts, RouterState& state);

  // Whether there are other strips.
  bool exists() const { return outgoing_.size() > 1; }
  // The first cycle in which another strip may act on what was sent there; kNever if there is none.
  Cycle first_effect() const { return first_effect_; }

  // A wavelet leaves over the port, into the ghost of a queue of PE `there`, where it can be taken
  // from cycle `visible` on.
  void send(const Channel& channel, isa::Port port, PeId there, Wavelet wavelet, Cycle visible);
  // A place is free in the queue of the current position, behind a link from PE `there`.
  void tell_freed(const Channel& channel, PeId there, bool awaited, Cycle now);
  // Between two cycles, when all strips have done the first: takes in what they sent.
  void take_in();

 private:
  void open_turn();
  MessageBytes& to_owner(PeId pe) { return *outgoing_[strip_of(pe)]; }
  std::uint32_t strip_of(PeId pe) const;
  void take_in(const Crossing& crossing);

  PeRange pes_;
  Link& link_;
  std::vector<PeId> ends_;  // by strip: after its last PE
  Agenda& agenda_;
  RouterState& state_;
  std::vector<MessageBytes*> outgoing_;  // by strip, of this turn
  Cycle first_effect_ = kNever;
};

}  // namespace wse::vm
