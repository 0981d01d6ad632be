// Counts who needs an event, and joins those that are alike.
#include "vm/ledger/event_tree.h"

#include <algorithm>
#include <new>

namespace wse::vm {
namespace {

constexpr std::size_t kLeastJoined = std::size_t{1} << 16;

}  // namespace

EventTree::EventTree() : join_at_(kLeastJoined) { events_.push_back({.uses = 1}); }

EventId EventTree::add(const Event& event) {
  ++events_[event.cause].uses;
  if (free_.empty() && events_.size() >= join_at_) join();
  if (free_.empty()) {
    if (events_.size() >= kNoEvent) throw std::bad_alloc();
    events_.push_back(event);
    return static_cast<EventId>(events_.size() - 1);
  }
  const EventId id = free_.back();
  free_.pop_back();
  events_[id] = event;
  return id;
}

void EventTree::release(EventId id) {
  while (id != kNoEvent && --events_[id].uses == 0) {
    free_.push_back(id);
    id = events_[id].cause;
  }
}

// An event that caused nothing but one of its kind is a part of that.
void EventTree::join() {
  for (Event& event : events_) {
    if (event.uses == 0) continue;
    while (event.cause != kNoEvent) {
      Event& cause = events_[event.cause];
      if (cause.uses != 1 || cause.cause == kNoEvent || !event.is_like(cause)) break;
      event.count += cause.count;
      event.slack = std::min(event.slack, cause.slack);
      cause.uses = 0;
      free_.push_back(event.cause);
      event.cause = cause.cause;
    }
  }
  join_at_ = std::max(kLeastJoined, 2 * size());
}

}  // namespace wse::vm
