// Moves the events that are kept to the front, and joins those that are alike.
#include "vm/ledger/event_tree.h"

#include <new>

namespace wse::vm {
namespace {

constexpr std::size_t kMostReserved = std::size_t{1} << 24;

}  // namespace

EventTree::EventTree(std::size_t window) : window_(window), full_at_(window) {
  events_.reserve(2 * std::min(window, kMostReserved));  // what is not touched costs nothing
  events_.push_back({});
}

EventId EventTree::add(const Event& event) {
  if (events_.size() >= kNoEvent) throw std::bad_alloc();
  events_.push_back(event);
  return static_cast<EventId>(events_.size() - 1);
}

// An event that caused nothing but one of its kind is a part of that, and gives it its place.
void EventTree::compact() {
  moved_.resize(events_.size());
  EventId kept = 0;
  for (EventId id = 0; id < events_.size(); ++id) {
    if (events_[id].uses == 0) continue;
    Event event = events_[id];
    EventId to = kept;
    if (event.cause != kNoEvent) {
      event.cause = moved_[event.cause];
      const Event& cause = events_[event.cause];
      if (cause.uses == 1 && cause.cause != kNoEvent && event.is_like(cause)) {
        to = event.cause;
        event.slack = std::min(event.slack, cause.slack);
        event.cause = cause.cause;
      }
    }
    moved_[id] = to;
    events_[to] = event;
    if (to == kept) ++kept;
  }
  events_.resize(kept);
  for (Event& event : events_) event.uses = 0;
  full_at_ = events_.size() + std::max(window_, events_.size());
}

}  // namespace wse::vm
