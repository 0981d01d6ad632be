// A vector instruction in the issue slots of its PE: what it still has to move.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "vm/boundary.h"
#include "vm/stepper/pool.h"
#include "vm/stepper/queue.h"

namespace wse::vm {

// Elements that are kept before they are applied, or computed before they are sent; even.
inline constexpr std::uint32_t kBuffered = 64;
using WordBlock = std::array<std::uint32_t, kBuffered>;
// Words for which an instruction takes no block.
inline constexpr std::uint32_t kFew = 2;

// What its issues ask for.
enum class Course : std::uint8_t {
  Any,
  Receive,  // a wavelet of one input, an element of which may wait until it is applied
  Send,     // computed ahead, a wavelet for each element
};

struct alignas(64) MovingThread {
  // ---- what every issue looks at: one cache line
  std::uint32_t behind = kNothing;  // the PE's thread with the next higher number
  QueueId ramp = kNoQueue;          // Receive: its down-ramp; Send: its up-ramp
  std::uint32_t block = kNothing;   // Receive: words not applied; Send: words not sent
  std::uint8_t number = 0;
  std::uint8_t slot = 0;  // 0: compute, 1: send
  Course course = Course::Any;
  std::uint8_t input = 0;    // Receive: of which the wavelets are
  std::uint64_t length = 0;  // elements, as of the flow until something ends it early
  std::uint64_t issued = 0;
  std::uint64_t applied = 0;   // sends: computed ahead
  Cycle next = 0;              // first cycle in which it may issue again
  Cycle unseen_from = kNever;  // issues of this cycle and later ones, before `next`, are not seen
  std::uint32_t flops = 0;     // of an element

  // ---- the rest
  const Flow* flow = nullptr;
  std::array<QueueId, kInputs> in = {kNoQueue, kNoQueue, kNoQueue};
  QueueId out = kNoQueue;
  // Any: wavelets with elements that are not applied, by source. One at a time needs no block.
  std::array<std::uint32_t, 2> blocks_in = {kNothing, kNothing};
  std::array<std::uint32_t, 2> words_in = {0, 0};  // how many
  std::array<std::uint32_t, kFew> few = {0, 0};    // words of who has no block
  std::uint32_t index_in = 0;                      // of the destination, of this element
  std::uint32_t word_out = 0;                      // applied at once: of this wavelet

  // Field by field: it happens often.
  void begin(std::uint8_t its_number, const Flow& its_flow, Cycle earliest) {
    ramp = kNoQueue;
    block = kNothing;
    number = its_number;
    slot = 0;
    course = Course::Any;
    length = its_flow.length;
    issued = 0;
    applied = 0;
    next = earliest;
    unseen_from = kNever;
    flops = its_flow.flops;
    flow = &its_flow;
    in = {kNoQueue, kNoQueue, kNoQueue};
    out = kNoQueue;
    blocks_in = {kNothing, kNothing};
    words_in = {0, 0};
  }

  // The element behind those that issue next.
  std::uint64_t end() const {
    return issued + std::min<std::uint64_t>(length - issued, flow->elements_per_issue);
  }
  bool sends_wavelet(std::uint64_t behind_last) const {
    return flow->out != kNoColour &&
           (!flow->packed_out || behind_last % 2 == 0 || behind_last == length);
  }
  // Computed a range ahead, for nothing can change what it will send.
  bool runs_ahead() const { return flow->is_send() && !flow->at_once; }
  // Kept until there are enough for a range.
  bool keeps_words() const { return flow->has_input() && flow->out == kNoColour && !flow->at_once; }
};

}  // namespace wse::vm
