// Moves the events that are kept to the front, and joins those that are alike.
#include "vm/ledger/event_tree.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::size_t kMostReserved = std::size_t{1} << 24;

}  // namespace

EventTree::EventTree(std::size_t young, std::size_t old)
    : young_(young), old_(old), full_at_(young), all_at_(old) {
  // Memory that is not touched costs nothing.
  events_.reserve(std::min(young, kMostReserved) + std::min(2 * old, kMostReserved));
  events_.push_back({});
}

// An event that caused nothing but one of its kind is a part of that, and gives it its place.
void EventTree::compact() {
  first_moved_ = first_young_;
  moved_.resize(events_.size() - first_moved_);
  EventId kept = first_moved_;
  for (EventId id = first_moved_; id < events_.size(); ++id) {
    if (events_[id].uses == 0) continue;
    Event event = events_[id];
    EventId to = kept;
    if (event.cause >= first_moved_) {  // a cause that is not young has no uses now
      event.cause = moved_[event.cause - first_moved_];
      const Event& cause = events_[event.cause];
      if (cause.uses == 1 && event.is_like(cause)) {
        to = event.cause;
        event.slack = std::min(event.slack, cause.slack);
        event.cause = cause.cause;
      }
    }
    moved_[id - first_moved_] = to;
    events_[to] = event;
    if (to == kept) ++kept;
  }
  events_.resize(kept);
  for (EventId id = first_moved_; id < kept; ++id) events_[id].uses = 0;
  first_young_ = kept;
  full_at_ = kept + young_;
}

}  // namespace wse::vm
