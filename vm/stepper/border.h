// The border of a strip: what its routers send to those of other strips, and take in of what these
// sent (crossings.h).
#pragma once

#include "vm/stepper/router_state.h"

namespace wse::vm {

class Border {
 public:
  // `state` must live longer too.
  Border(const FabricParts& parts, RouterState& state)
      : pes_(parts.pes),
        crossings_(parts.crossings),
        strip_(parts.strip),
        agenda_(parts.agenda),
        state_(state) {}

  // Whether there are other strips.
  bool exists() const { return crossings_.strips() > 1; }
  // The first cycle in which another strip may act on what was sent there; kNever if there is none.
  Cycle first_effect() const { return box(strip_).first_effect; }

  // A wavelet leaves over the port, into the ghost of a queue of PE `there`, where it can be taken
  // from cycle `visible` on.
  void send(const Channel& channel, isa::Port port, PeId there, Wavelet wavelet, Cycle visible);
  // A place is free in the queue of the current position, behind a link from PE `there`.
  void tell_freed(const Channel& channel, PeId there, bool awaited, Cycle now);
  // Between two cycles, when all strips have done the first: takes in what they sent.
  void take_in();

 private:
  Crossings::Box& box(std::size_t strip) const { return crossings_.box(strip, round_); }
  void take_in(const SentWavelet& sent);
  void take_in(const FreedPlace& place);

  PeRange pes_;
  Crossings& crossings_;
  std::size_t strip_;
  std::size_t round_ = 0;  // of cycles, see Crossings
  Agenda& agenda_;
  RouterState& state_;
};

}  // namespace wse::vm
