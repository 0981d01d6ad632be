// The boundary between cores and transport: a Flow goes down, calls of TransportClient come up.
//
//     PE (tasks, scalar code, memory)      begin(thread, flow)       transport (issue slots, ramps,
//     ------------------------------  ------------------------->     routers, queues)
//     applies the meaning to ranges    moved(thread, first, count)
//     of elements                     <-------------------------
//                                      end(thread)
//
// The transport knows lengths, rates and colours, never values: it calls moved() for ranges in
// ascending order, whenever it likes between the issue of the first element of a range and end(),
// but in time for words that leave through the fabric. So a transport may step cycles, or move
// whole vectors at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "isa/descriptor/descriptor.h"
#include "vm/support/time.h"

namespace wse::vm {

// Thread 0 is the main thread, 1 + k is microthread k. A lower number issues first.
struct ThreadId {
  PeId pe = 0;
  std::uint32_t thread = 0;

  bool operator==(const ThreadId&) const = default;
};
inline constexpr std::uint32_t kMainThread = 0;

inline constexpr std::uint32_t kNoColour = ~0u;
inline constexpr std::uint32_t kNoFifo = ~0u;
inline constexpr std::uint64_t kNoBound = ~0ull;

// Inputs of wavelets: the two sources, and the index of a destination that has one.
inline constexpr std::size_t kInputs = 3;
inline constexpr std::size_t kDestinationIndex = 2;

// The kinds of flows, by what their issues ask for.
enum class Course : std::uint8_t {
  Any,
  Memory,   // memory and scalars alone
  Receive,  // an element per cycle, with a wavelet of one source; it may be applied later
  Send,     // an element per cycle, from memory and scalars, with a wavelet; may be computed ahead
};

// The needs of a vector instruction from the transport. Its length is at least 1.
struct Flow {
  std::uint64_t length = 0;  // elements; kNoBound: until something ends it
  std::uint32_t in[kInputs] = {kNoColour, kNoColour, kNoColour};  // colours
  std::uint32_t out = kNoColour;                                  // colour of a fabric destination
  std::uint32_t fifo_in[2] = {kNoFifo, kNoFifo};                  // FIFOs that sources pop
  std::uint32_t fifo_out = kNoFifo;    // FIFO that the destination pushes
  bool packed_in[2] = {false, false};  // two elements in each of its wavelets
  bool packed_out = false;
  isa::OnControl on_control[kInputs] = {};  // what a control wavelet of that input does
  bool controllable = false;                // some of them do something
  bool at_once = false;                     // each element is applied in the cycle of its issue
  bool named = false;                       // wavelets name elements, which may not be there
  bool may_end_early = false;               // a FIFO that is empty or full ends it
  bool control = false;                     // what is sent are control wavelets
  bool advance = false;                     // the own switch advances after the last one
  std::uint32_t elements_per_issue = 1;
  std::uint32_t cycles_per_issue = 1;  // more than 1: a bank conflict, the slot is held
  // Mapped: elements for each scalar, and cycles from the last issue for one to the first for the
  // next, which hold no slot. 0: not mapped.
  std::uint32_t group = 0;
  std::uint32_t gap_cycles = 0;
  std::uint32_t flops = 0;  // of an element, for the counters
  // Follow from the rest, see set_course().
  Course course = Course::Any;
  std::uint8_t input = 0;  // Receive: the source that takes the wavelets

  // Once, when all but the length is there.
  void set_course() {
    const bool each_cycle = elements_per_issue == 1 && cycles_per_issue == 1;
    if (at_once || has_fifo() || controllable) return;
    if (!has_fabric()) {
      course = Course::Memory;
    } else if (each_cycle && is_send() && !packed_out) {
      course = Course::Send;
    } else if (each_cycle && out == kNoColour && in[kDestinationIndex] == kNoColour) {
      if ((in[0] == kNoColour) == (in[1] == kNoColour)) return;
      input = in[0] != kNoColour ? 0 : 1;
      if (!packed_in[input]) course = Course::Receive;
    }
  }
  // Mapped: how many elements issue after `issued` of them.
  std::uint64_t next_issue(std::uint64_t issued) const {
    return std::min<std::uint64_t>(group - issued % group, elements_per_issue);
  }
  // Returns whether, after so many issues, the next ones wait for the gap.
  bool has_gap_after(std::uint64_t issued) const {
    return gap_cycles != 0 && issued != 0 && issued < length && issued % group == 0;
  }
  // A packed wavelet comes with the first of its elements and goes with the last one.
  bool takes_wavelet(std::size_t k, std::uint64_t element) const {
    return in[k] != kNoColour && (k == kDestinationIndex || !packed_in[k] || element % 2 == 0);
  }
  bool sends_wavelet(std::uint64_t end) const {  // after the last element that issues
    return out != kNoColour && (!packed_out || end % 2 == 0 || end == length);
  }
  // Wavelets that have gone when so many elements have issued.
  std::uint64_t words_out(std::uint64_t elements) const {
    if (!packed_out || elements == kNoBound) return elements;
    return elements / 2 + (elements == length ? elements % 2 : 0);
  }
  bool has_fabric() const { return has_input() || out != kNoColour; }
  bool has_input() const {
    return in[0] != kNoColour || in[1] != kNoColour || in[kDestinationIndex] != kNoColour;
  }
  bool has_fifo() const {
    return fifo_in[0] != kNoFifo || fifo_in[1] != kNoFifo || fifo_out != kNoFifo;
  }
  // Only memory and scalars in, fabric out: such an instruction has a slot of its own in duplex.
  bool is_send() const { return out != kNoColour && !has_input(); }
  // It may end before its length is over.
  bool may_be_cut() const { return may_end_early || controllable; }
  // A send that nothing can change or keep waiting for an element, once it has started.
  bool runs_ahead() const { return is_send() && !at_once; }
};

// The words of a range that come from and go to the fabric, from the wavelet of its first element
// on; nullptr where there is no such operand. A packed range that begins with the second element of
// a wavelet leaves the first one as it is.
struct FabricWords {
  const std::uint32_t* in[kInputs] = {nullptr, nullptr, nullptr};
  std::uint32_t* out = nullptr;
};

class TransportClient {
 public:
  virtual ~TransportClient() = default;

  // Elements first .. first + count - 1 of the thread's instruction have issued, the last one in
  // `cycle` if the flow says at_once: apply its meaning.
  virtual void moved(ThreadId thread, std::uint64_t first, std::uint32_t count,
                     const FabricWords& words, Cycle cycle) = 0;

  // There are no more elements than the `elements` that were moved; `cycle` is the one after the
  // last issue, or after what ended the instruction.
  virtual void end(ThreadId thread, std::uint64_t elements, Cycle cycle) = 0;

  // A control wavelet of input k was taken; it activates or unblocks a task.
  virtual void controlled(ThreadId thread, std::size_t k, Cycle cycle) = 0;

  // The FIFO was full and is popped, or was empty and is pushed.
  enum class Level : std::uint8_t { Full, Empty };
  virtual void left(PeId pe, std::uint32_t fifo, Level level, Cycle cycle) = 0;

  // The colour was torn down at the PE; its task may be picked from cycle `visible` on.
  virtual void torn_down(PeId pe, std::uint32_t colour, Cycle visible) = 0;

  // Hints that moved() and end() of the thread will follow soon. The client prefetches what these
  // will look at: first the core, then its instruction, then the operands of that, of whose memory
  // element `first` is next.
  enum class Fetch : std::uint8_t { Core, Instruction, Operands };
  virtual void fetch(ThreadId /*thread*/, Fetch /*what*/, std::uint64_t /*first*/ = 0) {}

  // Something that a core may wait for changes in that cycle: wavelets for its tasks.
  virtual void look_at(PeId pe, Cycle when) = 0;
};

}  // namespace wse::vm
