// A vector instruction in the issue slots of its PE: what it still has to move.
//
// Each thread that a program uses has a place of its own for it, one cache line: nothing else is
// looked at by an issue but its queue. Parts that only few instructions need, and longer words,
// lie in pools.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/stepper/pool.h"
#include "vm/stepper/queue.h"

namespace wse::vm {

// Elements that are kept before they are applied, or computed before they are sent; even.
inline constexpr std::uint32_t kBuffered = 64;
using WordBlock = std::array<std::uint32_t, kBuffered>;
// Words for which an instruction takes no block.
inline constexpr std::uint32_t kFew = 2;

// Without initial values: memory of places that no thread takes is never touched.
struct alignas(64) MovingThread {
  const Flow* flow;
  std::uint64_t length;  // elements, as of the flow until something ends it early
  std::uint64_t issued;
  std::uint64_t applied;                // sends: computed ahead
  Cycle next;                           // first cycle in which it may issue again
  std::array<std::uint32_t, kFew> few;  // words of who has no block
  QueueId ramp;                         // Receive: its down-ramp; Send: its up-ramp
  std::uint32_t aside;  // Receive, Send: its block of words; Any: its FabricOperands; or kNothing
  std::uint32_t flops;  // of an element
  std::uint8_t number;
  bool unseen;  // its issues before `next` are not looked at
  Course course;
  std::uint8_t input;  // Receive: of which the wavelets are

  // Field by field: it happens often.
  void begin(std::uint8_t its_number, const Flow& its_flow, Cycle earliest) {
    flow = &its_flow;
    length = its_flow.length;
    issued = 0;
    applied = 0;
    next = earliest;
    ramp = kNoQueue;
    aside = kNothing;
    flops = its_flow.flops;
    number = its_number;
    unseen = false;
    course = its_flow.course;
    input = its_flow.input;
  }

  // The element after those that issue next.
  std::uint64_t end() const {
    if (flow->group != 0) return issued + flow->next_issue(issued);
    return issued + std::min<std::uint64_t>(length - issued, flow->elements_per_issue);
  }
  // From its next issue to its last.
  Cycle cycles_to_last() const {
    return (length - issued - 1) / flow->elements_per_issue * flow->cycles_per_issue;
  }
  bool sends_wavelet(std::uint64_t behind_last) const {
    return flow->out != kNoColour &&
           (!flow->packed_out || behind_last % 2 == 0 || behind_last == length);
  }
  // Computed a range ahead, for nothing can change what it will send.
  bool runs_ahead() const { return flow->runs_ahead(); }
  // Kept until there are enough for a range.
  bool keeps_words() const { return flow->has_input() && flow->out == kNoColour && !flow->at_once; }
};
static_assert(sizeof(MovingThread) == 64);

// The parts that a thread of Course::Any that uses the fabric has beside.
struct FabricOperands {
  std::array<QueueId, kInputs> in = {kNoQueue, kNoQueue, kNoQueue};
  QueueId out = kNoQueue;
  std::uint32_t block = kNothing;  // words not sent
  // Wavelets with elements that are not applied, by source. One at a time needs no block.
  std::array<std::uint32_t, 2> blocks_in = {kNothing, kNothing};
  std::array<std::uint32_t, 2> words_in = {0, 0};  // how many
  std::uint32_t index_in = 0;                      // of the destination, of this element
  std::uint32_t word_out = 0;                      // applied at once: of this wavelet
};

}  // namespace wse::vm
