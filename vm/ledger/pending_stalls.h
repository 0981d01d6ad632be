// Stalls that are known before their time: of vector instructions that scalar code passes, or that
// run without being looked at. Their cycles are charged as busy, and become stalls in the slices of
// time once they are over; where the machine stops before, they may be forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
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
  void add(PeId pe, const StallSpan& span) { events_.push_back(event(pe, span)); }
  // The PE was to stall from that cycle on: so far it will not.
  void forget(PeId pe, Cycle from) { forgets_.push_back({pe, events_.size(), from}); }

  // So many events that those which are over should be taken.
  bool are_many() const { return events_.size() + forgets_.size() >= many_; }
  // Calls take(pe, span) for all spans of instructions that finish before cycle `end`, and drops
  // them: nobody can forget them.
  template <class Take>
  void take_finished(Cycle end, Take take) {
    std::ranges::sort(forgets_, {}, &Forget::pe);
    std::size_t count = 0;  // of those that stay
    for (std::size_t k = 0; k < events_.size(); ++k) {
      const Event event = events_[k];
      const StallSpan span = span_of(event);
      const bool stands = !is_forgotten(forgets_, k, span.from);
      if (stands && span.finish >= end) {
        events_[count++] = event;
        continue;
      }
      if (stands) take(event.pe, span);
      if (event.is_wide()) wide_.erase(event.rest);
    }
    events_.resize(count);
    forgets_.clear();
    many_ = kLeastMany + count + count / 2;
    begin_at(end);
  }
  // Calls take(pe, span) for all spans that stand.
  template <class Take>
  void for_each_standing(Take take) const {
    std::vector<Forget> forgets = forgets_;
    std::ranges::sort(forgets, {}, &Forget::pe);
    for (std::size_t k = 0; k < events_.size(); ++k) {
      const StallSpan span = span_of(events_[k]);
      if (!is_forgotten(forgets, k, span.from)) take(events_[k].pe, span);
    }
  }

 private:
  static constexpr std::size_t kLeastMany = 4096;
  static constexpr Cycle kBefore = Cycle{1} << 20;

  // A wafer has millions of them: no byte is lost. A span whose numbers do not fit, or are far
  // away, is kept apart: `rest` is its number there.
  struct Event {
    static constexpr unsigned kCountBits = 15;
    static constexpr std::uint32_t kMostCount = (1u << kCountBits) - 1;
    static constexpr std::uint32_t kMostAfter = (1u << (31 - kCountBits)) - 1;
    static constexpr std::uint32_t kWide = 1u << 31;

    PeId pe = 0;
    std::uint32_t from = 0;  // cycles since begin_
    std::uint32_t rest = 0;  // the cycles after the last stall up to the finish, then the count

    bool is_wide() const { return (rest & kWide) != 0; }
  };
  static_assert(sizeof(Event) == 12);
  // A PE forgets the spans from a cycle on among its first `events` ones of events_.
  struct Forget {
    PeId pe = 0;
    std::size_t events = 0;
    Cycle from = 0;
  };

  Event event(PeId pe, const StallSpan& span);
  StallSpan span_of(const Event& event) const {
    if (event.is_wide()) [[unlikely]]
      return wide_.at(event.rest);
    const std::uint32_t count = event.rest & Event::kMostCount;
    const Cycle from = begin_ + event.from;
    return {from, count, from + 2 * Cycle{count} + (event.rest >> Event::kCountBits)};
  }
  // `forgets` are sorted by PE; `number` is that of the event.
  bool is_forgotten(const std::vector<Forget>& forgets, std::size_t number, Cycle from) const {
    return !forgets.empty() && is_among(forgets, number, from);
  }
  bool is_among(const std::vector<Forget>& forgets, std::size_t number, Cycle from) const;
  // Spans that are told from now on begin after that cycle, or not long before it.
  void begin_at(Cycle cycle);

  // In the order in which they were told. A vector would be copied where it grows, and leave gaps
  // in the memory of the host.
  std::deque<Event> events_;
  std::vector<Forget> forgets_;
  std::map<std::uint32_t, StallSpan> wide_;
  std::uint32_t next_wide_ = Event::kWide;
  Cycle begin_ = 0;
  std::size_t many_ = kLeastMany;
};

}  // namespace wse::vm
