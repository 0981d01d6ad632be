// Which conditions of an event were fulfilled in its own cycle, and not in the one before: what it
// waited for last is one of them.
//
// Read off the state of queues, links and slots when the event happens; no event knows another one.
#pragma once

#include <cstdint>

namespace wse::oracle {

struct Conditions {
  bool word = false;    // what it takes is visible
  bool front = false;   // what was before that in the queue has left
  bool room = false;    // the queue or FIFO that was full has room
  bool link = false;    // a port that another wavelet took is free
  bool change = false;  // the switch, or the filter, acts otherwise
  bool own = false;     // its instruction may issue
  bool slot = false;    // the issue slot, or the ramp, which somebody else held, is free
};

// An issue, a move in a router, or a wavelet that the picker takes.
struct Happening {
  enum class Sort : std::uint8_t { Issue, Move, Taken };
  std::uint64_t cycle = 0;
  std::uint32_t pe = 0;
  Sort sort = Sort::Issue;
  std::uint32_t number = 0;  // of the thread, or the colour
  Conditions conditions{};
};

}  // namespace wse::oracle
