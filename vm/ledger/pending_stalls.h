// Stalls that are known before their time: of vector instructions that scalar code passes, or that
// run without being looked at. Their cycles are charged as busy, and become stalls in the slices of
// time once they are over; where the machine stops before, they may be forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

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
  void add(PeId pe, const StallSpan& span) { enter(pe, kSpan, span); }
  // The PE was to stall from that cycle on: so far it will not.
  void forget(PeId pe, Cycle from) { enter(pe, kForgets, {.from = from}); }

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
    count_anew();
    many_ = kLeastMany + 2 * events_.size();
  }
  // Calls take(pe, span) for all spans that stand.
  template <class Take>
  void for_each_standing(Take take) const {
    const auto take_all = [&take](const std::deque<Event>& events) {
      for (const Event& event : events) take(event.pe, event.span);
    };
    if (std::ranges::none_of(events_, &Event::forgets)) return take_all(events_);
    PendingStalls sorted = *this;
    sorted.sort_out();
    take_all(sorted.events_);
  }

 private:
  static constexpr std::size_t kLeastMany = 4096;
  static constexpr std::uint32_t kSpan = 0;
  static constexpr std::uint32_t kForgets = 1;

  // A wafer has millions of them: no byte is lost.
  struct Event {
    PeId pe = 0;
    std::uint32_t turn = 0;  // twice its number among the events, and kForgets
    StallSpan span{};

    bool forgets() const { return turn % 2 == kForgets; }
  };
  static_assert(sizeof(Event) == 32);

  void enter(PeId pe, std::uint32_t kind, const StallSpan& span) {
    events_.push_back({pe, static_cast<std::uint32_t>(2 * events_.size()) + kind, span});
  }
  // Leaves the spans that stand.
  void sort_out();
  // Numbers them anew where only spans are left.
  void count_anew();

  // In the order in which they were told. A vector would be copied where it grows, and leave gaps
  // in the memory of the host.
  std::deque<Event> events_;
  std::size_t many_ = kLeastMany;
};

}  // namespace wse::vm
