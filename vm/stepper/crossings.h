// Traffic over the borders between strips: wavelets that leave one for another, and places that
// become free in queues that another fills.
//
//     strip A, cycle t                          strip B
//     push into its ghost of B's queue
//     sent {wavelet} ------- barrier -------->  taken in: push into the queue, before cycle t + 1
//     the ghost gives a place back <--------    pop in cycle t: freed {queue}
//
// A ghost holds as many wavelets as the queue it stands for, as of the end of the cycle before, and
// that is all that the rule of room asks for. A wavelet needs a cycle or more for a link, so nobody
// looks at one before it is taken in. The other strips take in what a strip sends in
// a cycle before the next one; so it has two boxes, and fills one while they read the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/fabric.h"
#include "vm/stepper/wavelet.h"
#include "vm/support/time.h"

namespace wse::vm {

// A wavelet for the queue `port` of a colour at a PE of another strip.
struct SentWavelet {
  PeId pe = 0;
  std::uint32_t colour = 0;
  isa::Port port = isa::Port::Ramp;
  Wavelet wavelet;
  Cycle visible = 0;
};

// A place behind the link that leaves a PE of another strip over `port`.
struct FreedPlace {
  PeId pe = 0;
  std::uint32_t colour = 0;
  isa::Port port = isa::Port::Ramp;
  Cycle popped = 0;
  bool awaited = false;  // none was free before
};

class Crossings {
 public:
  struct Box {
    std::vector<SentWavelet> sent;
    std::vector<FreedPlace> freed;
    Cycle first_effect = kNever;  // the first cycle in which somebody may act on it

    [[gnu::noinline]] void send(const SentWavelet& wavelet) {
      sent.push_back(wavelet);
      first_effect = std::min(first_effect, wavelet.visible);
    }
    void free(const FreedPlace& place) {
      freed.push_back(place);
      if (place.awaited) first_effect = std::min(first_effect, place.popped + 1);
    }
    void clear() {
      sent.clear();
      freed.clear();
      first_effect = kNever;
    }
  };

  explicit Crossings(std::size_t strips) : boxes_(strips) {}

  std::size_t strips() const { return boxes_.size(); }
  // Returns the box of a strip for an even or an odd round of cycles.
  Box& box(std::size_t strip, std::size_t round) { return boxes_[strip].of[round % 2]; }

 private:
  struct alignas(64) Pair {
    std::array<Box, 2> of;
  };
  std::vector<Pair> boxes_;
};

}  // namespace wse::vm
