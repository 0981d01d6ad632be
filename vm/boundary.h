// The boundary between the PEs and the engine that moves their elements.
//
//     PE (tasks, scalar code, memory)      begin(thread, flow)       engine (issue slots, ramps,
//     ------------------------------  ------------------------->     routers, queues)
//     applies the meaning to ranges    moved(thread, first, count)
//     of elements                     <-------------------------
//                                      end(thread)
//
// The engine knows lengths, rates and colours, never values: it calls moved() for ranges in
// ascending order, whenever it likes between the issue of the first element of a range and end(),
// but in time for words that leave through the fabric. An engine that moves whole vectors at once
// can stand behind this boundary just as well as one that steps cycles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/time.h"

namespace wse::vm {

// Thread 0 is the main thread, 1 + k is microthread k. A lower number issues first.
struct ThreadId {
  PeId pe = 0;
  std::uint32_t thread = 0;

  bool operator==(const ThreadId&) const = default;
};
inline constexpr std::uint32_t kMainThread = 0;

inline constexpr std::uint32_t kNoColour = ~0u;

// What a vector instruction needs from the engine. Its length is at least 1.
struct Flow {
  std::uint32_t length = 0;                      // elements
  std::uint32_t in[2] = {kNoColour, kNoColour};  // colours of fabric sources
  std::uint32_t out = kNoColour;                 // colour of a fabric destination
  bool packed_in[2] = {false, false};            // two elements in each of its wavelets
  bool packed_out = false;
  bool control = false;  // what is sent are control wavelets
  bool advance = false;  // the own switch advances behind the last one
  std::uint32_t elements_per_issue = 1;
  std::uint32_t cycles_per_issue = 1;  // more than 1: a bank conflict, the slot is held
  Cycle earliest = 0;                  // first cycle in which an element may issue
  std::uint32_t flops = 0;             // of an element, for the counters

  // A packed wavelet comes with the first of its elements and goes with the last one.
  bool takes_wavelet(std::size_t k, std::uint32_t element) const {
    return in[k] != kNoColour && (!packed_in[k] || element % 2 == 0);
  }
  bool sends_wavelet(std::uint32_t end) const {  // behind the last element that issues
    return out != kNoColour && (!packed_out || end % 2 == 0 || end == length);
  }
  bool has_fabric() const { return has_input() || out != kNoColour; }
  bool has_input() const { return in[0] != kNoColour || in[1] != kNoColour; }
  // Only memory and scalars in, fabric out: such an instruction has a slot of its own in duplex.
  bool is_send() const { return out != kNoColour && !has_input(); }
};

// The words of a range that come from and go to the fabric, from the wavelet of its first element
// on; nullptr where an operand is none. A packed range that begins with the second element of a
// wavelet leaves the first one as it is.
struct FabricWords {
  const std::uint32_t* in[2] = {nullptr, nullptr};
  std::uint32_t* out = nullptr;
};

class ElementClient {
 public:
  virtual ~ElementClient() = default;

  // Elements first .. first + count - 1 of the thread's instruction have issued: apply its meaning.
  virtual void moved(ThreadId thread, std::uint32_t first, std::uint32_t count,
                     const FabricWords& words) = 0;

  // All elements have issued and were moved; `cycle` is the one after the last issue.
  virtual void end(ThreadId thread, Cycle cycle) = 0;
};

// What routers tell the PEs.
class RouterClient {
 public:
  virtual ~RouterClient() = default;

  // The colour was torn down at the PE; its task may be picked from cycle `visible` on.
  virtual void torn_down(PeId pe, std::uint32_t colour, Cycle visible) = 0;
};

}  // namespace wse::vm
