// Lists are rare, and short: a stretch of scalar code that passes many vectors has one.
#include "vm/ledger/place_queues.h"

namespace wse::vm {

void PlaceQueues::add_to_list(Queue& queue, const LinePlace& place) {
  if (queue.list == kNone) {
    queue.list = static_cast<std::uint32_t>(lists_.size());
    lists_.emplace_back();
  }
  queue.has_list = true;
  lists_[queue.list].places.push_back(place);
}

// Moves as many places to the near ones as there is room for.
void PlaceQueues::take_from_list(Queue& queue) {
  List& list = lists_[queue.list];
  while (!list.is_empty() && queue.near.add(list.first())) ++list.begin;
  if (!list.is_empty()) return;
  list.places.clear();
  list.begin = 0;
  queue.has_list = false;
}

void PlaceQueues::drop_first_before_list(Queue& queue) {
  List& list = lists_[queue.list];
  if (queue.near.has_one()) {
    queue.near.begin_with(list.first());
    ++list.begin;
  } else {
    queue.near.drop_first();
  }
  if (queue.near.is_alone()) take_from_list(queue);
}

std::vector<LinePlace> PlaceQueues::all(const Queue& queue) const {
  std::vector<LinePlace> all;
  LinePlaces rest = queue.near;
  for (; !rest.has_one(); rest.drop_first()) all.push_back(rest.first(row_mask_));
  all.push_back(rest.first(row_mask_));
  if (!queue.has_list) return all;
  const List& list = lists_[queue.list];
  all.insert(all.end(), list.places.begin() + static_cast<std::ptrdiff_t>(list.begin),
             list.places.end());
  return all;
}

}  // namespace wse::vm
