// Queues of wavelets, and the rule of room: the occupancy at the start of the cycle decides.
//
// A queue has one producer and one consumer, each acting at most once per cycle. So the occupancy
// at the start of a cycle is what is there now plus what was taken in this cycle; what was put in
// this cycle has no effect, because its producer has already decided.
//
//     | head, size, ... | place 0 | place 1 | place 2 ...      cells of 32 bytes
//
// State and places of a queue lie side by side: one of two places is one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "isa/profile.h"
#include "isa/support/mutant.h"
#include "vm/stepper/wavelet.h"
#include "vm/time.h"

namespace wse::vm {

using QueueId = std::uint32_t;  // the first cell of the queue
inline constexpr QueueId kNoQueue = ~0u;

class Queues {
 public:
  Queues() = default;
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  // Finds a place for a queue of so many wavelets, at least 1. Throws bad_alloc if there are more
  // than numbers.
  QueueId reserve(std::uint32_t depth) {
    const std::size_t cells = cells_of(depth);
    if (cells <= kLineCells && end_ % kLineCells != 0) ++end_;
    const std::size_t id = end_;
    end_ += cells;
    if (end_ >= kNoQueue) throw std::bad_alloc();
    return static_cast<QueueId>(id);
  }
  // Makes all that are reserved; then open() each of them.
  void allocate() {
    lines_.resize((end_ + kLineCells - 1) / kLineCells);
    cells_ = lines_.empty() ? nullptr : lines_.front().cells;
  }
  void open(QueueId q, std::uint32_t depth) {
    cells_[q].state = {.depth = static_cast<Count>(depth), .places = places_of(depth)};
    for (std::size_t cell = 1; cell < cells_of(depth); ++cell) {
      cells_[q + cell].places[0] = Place{};
      cells_[q + cell].places[1] = Place{};
    }
  }

  // Where the queue lies, for prefetch().
  const void* address(QueueId q) const { return &cells_[q]; }

  static std::uint64_t bytes(std::uint32_t depth) { return cells_of(depth) * sizeof(Cell); }

  bool empty(QueueId q) const { return state(q).size == 0; }
  std::uint32_t size(QueueId q) const { return state(q).size; }
  // The k-th wavelet from the head, k < size.
  Wavelet at(QueueId q, std::uint32_t k) const {
    return place(q, wrapped(state(q), std::uint32_t{state(q).head} + k)).wavelet;
  }
  Wavelet head(QueueId q) const { return place(q, state(q).head).wavelet; }
  // There is a head, and it can be taken.
  bool visible(QueueId q, Cycle now) const { return place(q, state(q).head).visible <= now; }
  // Visible, and nothing was taken in this cycle yet.
  bool can_take(QueueId q, Cycle now) const { return visible(q, now) && state(q).popped != now; }

  bool has_room(QueueId q, Cycle now) const {
    return state(q).size + (state(q).popped == now ? 1u : 0u) < state(q).depth;
  }
  // No place is left: who puts wavelets into it may wait for one.
  bool full(QueueId q) const { return state(q).size >= state(q).depth; }
  // All that ever were in it.
  std::uint64_t pushed(QueueId q) const { return state(q).pushed; }

  // It can be taken from cycle `visible` on.
  void push(QueueId q, Wavelet wavelet, Cycle visible) {
    State& to = cells_[q].state;
    place(q, wrapped(to, std::uint32_t{to.head} + to.size)) = {wavelet, visible};
    ++to.size;
    ++to.pushed;
  }
  Wavelet pop(QueueId q, Cycle now) {
    State& from = cells_[q].state;
    Place& first = place(q, from.head);
    const Wavelet wavelet = first.wavelet;
    first.visible = kNever;
    from.head = static_cast<Count>(wrapped(from, from.head + 1u));
    --from.size;
    from.popped = now;
    return wavelet;
  }

 private:
  using Count = std::uint16_t;  // of wavelets in a queue: there are many queues
  static_assert(isa::fits<Count>(&isa::Profile::router_depth));
  static_assert(isa::fits<Count>(&isa::Profile::up_ramp_depth));
  static_assert(isa::fits<Count>(&isa::Profile::down_ramp_depth));
  struct State {
    Cycle popped = kNever;  // the last cycle in which something was taken
    std::uint64_t pushed = 0;
    Count head = 0;
    Count size = 0;
    Count depth = 0;           // wavelets that have room by the rules
    std::uint32_t places = 0;  // that are there
  };
  struct Place {
    Wavelet wavelet;
    Cycle visible = kNever;  // first cycle in which it can be taken; never where there is none
  };
  union Cell {
    Cell() : state{} {}
    State state;
    Place places[2];
  };
  static_assert(sizeof(State) == sizeof(Place[2]));
  static constexpr std::size_t kLineCells = 2;
  struct alignas(64) Line {  // of the host's cache
    Cell cells[kLineCells];
  };
  static_assert(sizeof(Line) == 64);

  // A planted error fills more places than there should be.
  static std::uint32_t places_of(std::uint32_t depth) {
    return depth + (isa::mutant(isa::Mutant::MulticastSplit) ? 3 : 0);
  }
  static std::size_t cells_of(std::uint32_t depth) {
    return 1 + (std::size_t{places_of(depth)} + 1) / 2;
  }
  static std::uint32_t wrapped(const State& state, std::uint32_t index) {
    return index < state.places ? index : index - state.places;
  }
  const State& state(QueueId q) const { return cells_[q].state; }
  const Place& place(QueueId q, std::uint32_t k) const {
    const Place* const first = cells_[q + 1].places;
    return first[k];
  }
  Place& place(QueueId q, std::uint32_t k) {
    Place* const first = cells_[q + 1].places;
    return first[k];
  }

  std::vector<Line> lines_;
  Cell* cells_ = nullptr;  // of all lines
  std::size_t end_ = 0;    // cells that are reserved
};

}  // namespace wse::vm
