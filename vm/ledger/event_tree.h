// Events of a run, each with the one that let it happen: its cause. Whenever the tree is full, it
// keeps those that can still become a cause, and what these go back to, and forgets the others. So
// a run of any length keeps what its present was waiting for, and not its past.
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
#include <vector>

#include "vm/contract/boundary.h"
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
  std::uint32_t uses = 0;    // as a root and as a cause, while the tree collects
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
  // Begins with the start of the run. Keeps `window` events at least before it forgets any.
  explicit EventTree(std::size_t window);

  static constexpr EventId kStart = 0;
  const Event& operator[](EventId id) const { return events_[id]; }
  // Did the event happen after its cause, and not in the same cycle?
  bool is_step(EventId id) const {
    const EventId cause = events_[id].cause;
    return cause == kNoEvent || events_[cause].cycle < events_[id].cycle;
  }
  // Adds an event; its cause is there already.
  EventId add(const Event& event);
  std::size_t size() const { return events_.size(); }

  // Whether it is time to forget.
  bool is_full() const { return events_.size() >= full_at_; }
  // Forgets what no root goes back to. for_each_root(visit) calls visit(EventId&) for each place
  // that holds an event, in any order; events get other ids there.
  template <class ForEachRoot>
  void collect(const ForEachRoot& for_each_root) {
    mark(kStart);
    for_each_root([this](const EventId& id) { mark(id); });
    compact();
    for_each_root([this](EventId& id) {
      if (id != kNoEvent) id = moved_[id];
    });
  }

 private:
  void mark(EventId id) {
    while (id != kNoEvent && events_[id].uses++ == 0) id = events_[id].cause;
  }
  void compact();

  std::vector<Event> events_;   // a cause is before what it caused
  std::vector<EventId> moved_;  // where an event of the last collection is now
  std::size_t window_;
  std::size_t full_at_;  // so many are there
};

}  // namespace wse::vm
