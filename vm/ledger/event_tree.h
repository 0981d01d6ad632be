// Events of a run, each with the one that let it happen: its cause. Whenever the tree is full, it
// keeps those that can still become a cause, and what these go back to, and forgets the others. So
// a run of any length keeps what its present was waiting for, and not its past.
//
// Most events are forgotten soon, so those that came last are looked at by themselves: no event
// that stayed before goes back to one of them, and neither does a root that has not changed since.
// They are as few as caches hold. All events are looked at where many have stayed.
//
//     start <- issue <- ramp <- link <- ramp <- issue <- ...      a root: a word in a queue, a
//     thread
//                          `- link (forgotten: no root goes back to it)
//
// Events that follow each other alike and caused nothing else become one then. Adding an event only
// appends it: most are forgotten soon, and those that are read are among the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>

#include "vm/contract/boundary.h"
#include "vm/support/large_pages.h"
#include "vm/support/time.h"

namespace wse::vm {

// See isa/machine/step_kinds.def.
enum class StepKind : std::uint8_t {
#define STEP_KIND(name, text) name,
#include "isa/machine/step_kinds.def"
#undef STEP_KIND
};
inline constexpr const char* kStepKindTexts[] = {
#define STEP_KIND(name, text) text,
#include "isa/machine/step_kinds.def"
#undef STEP_KIND
};
inline constexpr std::size_t kStepKinds = std::size(kStepKindTexts);

using EventId = std::uint32_t;
inline constexpr EventId kNoEvent = ~0u;

// An event, and the step from its cause to it.
struct Event {
  Cycle cycle = 0;
  EventId cause = kNoEvent;  // none: the start of the run
  std::uint32_t uses = 0;    // as a root and as a young cause, while the tree collects
  PeId pe = 0;
  std::uint32_t pc = ~0u;          // of the instruction; ~0: none
  std::uint32_t slack = kNoSlack;  // so much later another of its conditions would be its cause
  StepKind kind = StepKind::Task;
  std::uint8_t colour = kNoStepColour;
  std::uint8_t thread = 0;

  static constexpr std::uint8_t kNoStepColour = 0xff;
  static constexpr std::uint32_t kNoSlack = ~0u;  // it has one condition
  bool is_like(const Event& other) const {
    return pe == other.pe && pc == other.pc && kind == other.kind && colour == other.colour &&
           thread == other.thread;
  }
};

class EventTree {
 public:
  // Begins with the start of the run. `young`: so many events are added before those are forgotten
  // that came last; `old`: so many must have stayed since all were looked at before all are again.
  EventTree(std::size_t young, std::size_t old);

  static constexpr EventId kStart = 0;
  const Event& operator[](EventId id) const { return events_[id]; }
  // Did the event happen after its cause, and not in the same cycle?
  bool is_step(EventId id) const {
    const EventId cause = events_[id].cause;
    return cause == kNoEvent || events_[cause].cycle < events_[id].cycle;
  }
  // Adds an event; its cause is there already. Inline by force: so its fields are written once.
  [[gnu::always_inline]] EventId add(const Event& event) {
    const std::size_t id = events_.size();
    if (id >= kNoEvent) [[unlikely]]
      throw std::bad_alloc();
    events_.emplace_back() = event;
    return static_cast<EventId>(id);
  }
  std::size_t size() const { return events_.size(); }

  // Whether it is time to forget; if so, whether all events are looked at, or only those that came
  // since the last time.
  bool is_full() const { return events_.size() >= full_at_; }
  bool forgets_all() const { return first_young_ >= all_at_; }
  // Forgets the events to which no root goes back: forgets_all() says which ones.
  // for_each_root(visit) calls visit(EventId&) for each place that holds such an event, in any
  // order; events get other ids there.
  template <class ForEachRoot>
  void collect(const ForEachRoot& for_each_root) {
    const bool all = forgets_all();
    if (all) first_young_ = kStart + 1;
    for_each_root([this](const EventId& id) { mark(id); });
    compact();
    for_each_root([this](EventId& id) {
      if (id != kNoEvent) id = moved(id);
    });
    if (all) all_at_ = first_young_ + std::max<std::size_t>(old_, first_young_);
  }

 private:
  void mark(EventId id) {
    while (id != kNoEvent && id >= first_young_ && events_[id].uses++ == 0) id = events_[id].cause;
  }
  // Returns where an event is now; the others have stayed.
  EventId moved(EventId id) const { return id < first_moved_ ? id : moved_[id - first_moved_]; }
  void compact();

  LargeVector<Event> events_;   // a cause is before what it caused
  LargeVector<EventId> moved_;  // where an event of the last collection is now, from this one on:
  EventId first_moved_ = 0;
  EventId first_young_ = kStart + 1;  // the ones before it are looked at with all others only
  std::size_t young_;
  std::size_t old_;
  std::size_t full_at_;  // so many are there
  std::size_t all_at_;   // so many are not young
};

}  // namespace wse::vm
