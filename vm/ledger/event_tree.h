// Events of a run, each with the one that let it happen: its cause. An event that can still become
// a cause is held; one that nobody holds, and that caused nothing which is held, is forgotten at
// once. So a run of any length keeps what its present was waiting for, and not its past.
//
//     start <- issue <- ramp <- link <- ramp <- issue <- ...      held: a word in a queue, a thread
//                          `- link (forgotten: nobody holds it)
//
// Events that follow each other alike and caused nothing else become one.
#pragma once

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
  std::uint32_t uses = 0;    // held, and as a cause
  PeId pe = 0;
  std::uint32_t pc = ~0u;          // of the instruction; ~0: none
  std::uint32_t slack = kNoSlack;  // so much later another of its conditions would be its cause
  std::uint32_t count = 1;         // steps that became one; 0: it is one of no cycle
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
  // Begins with the start of the run, which is held.
  EventTree();

  EventId start() const { return 0; }
  const Event& operator[](EventId id) const { return events_[id]; }
  // Did the event happen after its cause, and not in the same cycle?
  bool is_step(EventId id) const {
    const EventId cause = events_[id].cause;
    return cause == kNoEvent || events_[cause].cycle < events_[id].cycle;
  }
  // Adds an event, whose cause must be held; hold it, or it may be forgotten at the next drop.
  EventId add(const Event& event);
  // `slot` holds the event, and what it held before no more.
  void hold(EventId& slot, EventId id) {
    if (id != kNoEvent) ++events_[id].uses;
    drop(slot);
    slot = id;
  }
  void drop(EventId& slot) {
    if (slot != kNoEvent) release(slot);
    slot = kNoEvent;
  }
  // Events that are kept.
  std::size_t size() const { return events_.size() - free_.size(); }

 private:
  void release(EventId id);
  void join();

  std::vector<Event> events_;
  std::vector<EventId> free_;
  std::size_t join_at_;  // so many are kept
};

}  // namespace wse::vm
