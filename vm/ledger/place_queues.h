// The places of the main threads of a strip, a queue for each PE: the first ones beside each other,
// and lists of those for which there is no room, or that are too far away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/ledger/line_places.h"

namespace wse::vm {

class PlaceQueues {
 public:
  // The queue of one PE. There is always one place.
  struct Queue {
    LinePlaces near{};
    std::uint32_t list = kNone;  // the one of its later places, if it ever had any
    bool has_list = false;       // it has some
  };

  // For tags whose rows are in these bits.
  explicit PlaceQueues(std::uint32_t row_mask) : row_mask_(row_mask) {}

  LinePlace first(const Queue& queue) const { return queue.near.first(row_mask_); }
  // When the second place begins; kNever if there is none.
  Cycle first_ends(const Queue& queue) const {
    const Cycle end = queue.near.first_ends();
    if (!queue.has_list || end != kNever) [[likely]]
      return end;
    return lists_[queue.list].first().from;
  }
  LinePlace last(const Queue& queue) const {
    return queue.has_list ? lists_[queue.list].places.back() : queue.near.last();
  }
  bool has_one(const Queue& queue) const { return !queue.has_list && queue.near.has_one(); }

  void set_last_tag(Queue& queue, std::uint32_t tag) {
    queue.has_list ? void(lists_[queue.list].places.back().tag = tag)
                   : queue.near.set_last_tag(tag);
  }
  void add(Queue& queue, const LinePlace& place) {
    if (queue.has_list || !queue.near.add(place)) [[unlikely]]
      add_to_list(queue, place);
  }
  // Drops the last or the first place; there are others.
  void drop_last(Queue& queue) {
    if (!queue.has_list) [[likely]]
      return queue.near.drop_last(row_mask_);
    List& list = lists_[queue.list];
    list.places.pop_back();
    if (list.is_empty()) take_from_list(queue);
  }
  void drop_first(Queue& queue) {
    if (!queue.has_list) [[likely]]
      return queue.near.drop_first();
    drop_first_before_list(queue);
  }
  // All places of a queue, in turn.
  std::vector<LinePlace> all(const Queue& queue) const;

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct List {
    std::vector<LinePlace> places{};
    std::size_t begin = 0;  // the ones before it are gone

    bool is_empty() const { return begin == places.size(); }
    const LinePlace& first() const { return places[begin]; }
  };

  void add_to_list(Queue& queue, const LinePlace& place);
  void take_from_list(Queue& queue);
  void drop_first_before_list(Queue& queue);

  std::uint32_t row_mask_;
  std::vector<List> lists_;
};

}  // namespace wse::vm
