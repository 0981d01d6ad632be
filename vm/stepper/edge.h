// The edge of the grid: streams that enter and leave there, and the trap of what leaves otherwise.
#pragma once

#include "vm/stepper/router_state.h"

namespace wse::vm {

class Edge {
 public:
  // `state` must live longer too. Opens the streams of the image.
  Edge(const FabricParts& parts, RouterState& state);

  // The stream that enters there, or kNoStream.
  StreamEndId stream_in(const Channel& channel, isa::Port side) const {
    if (channel.extra == kNoExtra) return kNoStream;
    return state_.extra(channel).enters[static_cast<std::size_t>(side)];
  }
  // Lets elements of streams enter where there is room, as if a router outside the grid held all of
  // them in cycle 0. The channel has extra parts. True if one did.
  bool enter(Channel& channel, Cycle now);
  // False, and a trap, if a port of `tx` leads off the grid and no stream takes the head there.
  bool may_leave(const Channel& channel, std::uint32_t tx, Cycle now);
  // Into a stream, see may_leave().
  void leave(const Channel& channel, isa::Port port, Wavelet wavelet);

 private:
  void open_streams();

  FabricParts parts_;
  RouterState& state_;
};

}  // namespace wse::vm
