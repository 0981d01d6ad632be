// Stalls that are known before their time: of vector instructions that scalar code passes, or that
// run without being looked at. Their cycles are charged as busy, and become stalls in the slices of
// time once they are over; where the machine stops before, they may be forgotten.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

// Stalls of one vector instruction: `count` cycles, from + 1, from + 3, from + 5 and so on.
struct StallSpan {
  Cycle from = 0;
  std::uint64_t count = 0;
  Cycle finish = 0;  // of the instruction
};

class PendingStalls {
 public:
  void add(PeId pe, const StallSpan& span) { events_.push_back({pe, false, span}); }
  // The PE was to stall from that cycle on: so far it will not.
  void forget(PeId pe, Cycle from) { events_.push_back({pe, true, {.from = from}}); }

  // So many events that those which are over should be taken.
  bool are_many() const { return events_.size() >= many_; }
  // Calls take(pe, span) for all spans of instructions that finish before cycle `end`, and drops
  // them: nobody can forget them.
  template <class Take>
  void take_finished(Cycle end, Take take) {
    sort_out();
    std::erase_if(events_, [&](const Event& event) {
      const bool is_over = event.span.finish < end;
      if (is_over) take(event.pe, event.span);
      return is_over;
    });
    many_ = kLeastMany + 2 * events_.size();
  }
  // Returns all spans that stand.
  struct Event {
    PeId pe = 0;
    bool forgets = false;
    StallSpan span{};
  };
  std::vector<Event> standing() const;

 private:
  static constexpr std::size_t kLeastMany = 4096;

  void sort_out() { events_ = standing(); }

  std::vector<Event> events_;  // in the order in which they were told
  std::size_t many_ = kLeastMany;
};

}  // namespace wse::vm
