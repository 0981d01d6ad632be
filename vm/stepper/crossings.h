// Traffic over the borders between strips, as values: wavelets that leave one for another, and
// places that become free in queues that another fills.
//
//     strip A, cycle t                          strip B
//     push into its ghost of B's queue
//     Crossing {wavelet} ----- link -------->   taken in: push into the queue, before cycle t + 1
//     the ghost gives a place back <--------    pop in cycle t: Crossing {freed}
//
// A ghost holds as many wavelets as the queue it stands for, as of the end of the cycle before, and
// that is all that the rule of room asks for. A wavelet needs a cycle or more for a link, so nobody
// looks at one before it is taken in.
#pragma once

#include <cstdint>

#include "isa/machine/fabric.h"
#include "vm/contract/link.h"
#include "vm/stepper/wavelet.h"
#include "vm/support/time.h"

namespace wse::vm {

struct Crossing {
  enum class Kind : std::uint8_t {
    Sent,    // a wavelet for the queue `port` of a colour at a PE of the reader
    Freed,   // a place behind the link that leaves a PE of the reader over `port`
    Awaited  // the same, where none was free before
  };
  PeId pe = 0;
  std::uint8_t colour = 0;
  isa::Port port = isa::Port::Ramp;
  Kind kind = Kind::Sent;
  std::uint8_t unused = 0;
  Wavelet wavelet;
  Cycle at = 0;  // from which it can be taken, or in which the place became free
};
static_assert(MessageValue<Crossing> && sizeof(Crossing) == 24);

}  // namespace wse::vm
