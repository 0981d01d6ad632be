// Queues of wavelets, and the rule of room: the occupancy at the start of the cycle decides.
//
// A queue has one producer and one consumer, each acting at most once per cycle. So the occupancy
// at the start of a cycle is what is there now plus what was taken in this cycle; what was put in
// this cycle has no effect, because its producer has already decided.
//
//     | head, size, reader, ... | place 0 | place 1 | place 2 ...      cells of 32 bytes
//
// State and places of a queue lie side by side: one of two places is one cache line. An empty queue
// begins at its first place again: short messages touch no second line. A queue knows who takes
// from it, so whoever fills it looks nothing up.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "isa/machine/profile.h"
#include "isa/support/mutant.h"
#include "vm/stepper/wavelet.h"
#include "vm/support/large_pages.h"
#include "vm/support/time.h"

namespace wse::vm {

using QueueId = std::uint32_t;  // the first cell of the queue
inline constexpr QueueId kNoQueue = ~0u;

// Returns a number of a queue that no other has; they are half as many as cells, or fewer.
constexpr std::uint32_t number_of(QueueId queue) { return queue / 2; }

// Its places lie after it, so it is never copied: see Queues.
class Queue {
 public:
  // The reader, who takes from it.
  struct Reader {
    PeId pe = 0;
    std::uint32_t standing = 0;  // the bit of the channel at its router, see Fabric; ramps down: 0
  };

  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  // The k-th wavelet from the head, k < size.
  Wavelet at(std::uint32_t k) const { return places()[wrapped(head_ + k)].wavelet; }
  Wavelet head() const { return places()[head_].wavelet; }
  // There is a head, and it can be taken.
  bool visible(Cycle now) const { return places()[head_].visible <= now; }
  // Visible, and nothing was taken in this cycle yet.
  bool can_take(Cycle now) const { return visible(now) && popped_ != now; }

  bool has_room(Cycle now) const { return size_ + (popped_ == now ? 1u : 0u) < depth_; }
  // There is room, and no other place was free at the start of the cycle.
  bool has_last_place(Cycle now) const { return size_ + (popped_ == now ? 1u : 0u) + 1u == depth_; }
  // No place is left: who puts wavelets into it may wait for one.
  bool full() const { return size_ >= depth_; }
  // The last wavelet, of one or more, can be taken from this cycle on.
  Cycle last_visible() const { return places()[wrapped(head_ + size_ - 1u)].visible; }
  const Reader& reader() const { return reader_; }
  // All that ever were in it.
  std::uint64_t pushed() const { return pushed_; }

  // Returns since when the k-th wavelet from the head, k < size, can be taken.
  Cycle visible_from(std::uint32_t k) const { return places()[wrapped(head_ + k)].visible; }
  // Of a queue that takes up what another one held: so many ever were in it.
  void set_pushed(std::uint64_t pushed) { pushed_ = pushed; }
  // Becomes what the other holds, of another strip.
  void copy(const Queue& other) {
    for (std::uint32_t k = 0; k < other.size(); ++k) push(other.at(k), other.visible_from(k));
  }

  // It can be taken from cycle `visible` on.
  void push(Wavelet wavelet, Cycle visible) {
    places()[wrapped(head_ + size_)] = {wavelet, visible};
    ++size_;
    ++pushed_;
  }
  Wavelet pop(Cycle now) {
    Place& first = places()[head_];
    first.visible = kNever;
    --size_;
    head_ = size_ == 0 ? Count{0} : static_cast<Count>(wrapped(head_ + 1u));
    popped_ = now;
    return first.wavelet;
  }

 private:
  friend class Queues;
  using Count = std::uint16_t;  // of wavelets in a queue: there are many queues
  static_assert(isa::fits<Count>(&isa::Profile::router_depth));
  static_assert(isa::fits<Count>(&isa::Profile::up_ramp_depth));
  static_assert(isa::fits<Count>(&isa::Profile::down_ramp_depth));
  struct Place {
    Wavelet wavelet;
    Cycle visible = kNever;  // first cycle in which it can be taken; never where there is none
  };
  union Cell;

  Queue() = default;
  Queue(std::uint32_t depth, std::uint32_t places, const Reader& reader)
      : depth_(static_cast<Count>(depth)),
        last_place_(static_cast<Count>(places - 1)),
        reader_(reader) {}

  std::uint32_t wrapped(std::uint32_t index) const { return index & last_place_; }
  inline Place* places();
  inline const Place* places() const;

  Cycle popped_ = kNever;  // the last cycle in which something was taken
  std::uint64_t pushed_ = 0;
  Count head_ = 0;
  Count size_ = 0;
  Count depth_ = 0;       // wavelets that have room by the rules
  Count last_place_ = 0;  // number of it: the places are a power of two
  Reader reader_;
};

union Queue::Cell {
  Cell() : queue{} {}
  Queue queue;
  Place places[2];
};
static_assert(sizeof(Queue) == 32);

inline Queue::Place* Queue::places() { return reinterpret_cast<Cell*>(this)[1].places; }
inline const Queue::Place* Queue::places() const {
  return reinterpret_cast<const Cell*>(this)[1].places;
}

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
    lines_ = LargeVector<Line>((end_ + kLineCells - 1) / kLineCells);
    cells_ = lines_.empty() ? nullptr : lines_.front().cells;
  }
  void open(QueueId q, std::uint32_t depth, const Queue::Reader& reader) {
    new (&cells_[q].queue) Queue(depth, places_of(depth), reader);
    for (std::size_t cell = 1; cell < cells_of(depth); ++cell) {
      cells_[q + cell].places[0] = Queue::Place{};
      cells_[q + cell].places[1] = Queue::Place{};
    }
  }

  Queue& operator[](QueueId q) { return cells_[q].queue; }
  const Queue& operator[](QueueId q) const { return cells_[q].queue; }

  // The second cache line of a queue that has more than two places; for prefetch().
  const void* second_line(QueueId q) const { return &cells_[q + kLineCells]; }

  static std::uint64_t bytes(std::uint32_t depth) { return cells_of(depth) * sizeof(Queue); }

 private:
  static constexpr std::size_t kLineCells = 2;
  struct alignas(64) Line {  // of the host's cache
    Queue::Cell cells[kLineCells];
  };
  static_assert(sizeof(Line) == 64);

  // A planted error fills more places than there should be.
  static std::uint32_t places_of(std::uint32_t depth) {
    return std::bit_ceil(depth + (isa::mutant(isa::Mutant::MulticastSplit) ? 3 : 0));
  }
  static std::size_t cells_of(std::uint32_t depth) {
    return 1 + (std::size_t{places_of(depth)} + 1) / 2;
  }

  LargeVector<Line> lines_;
  Queue::Cell* cells_ = nullptr;  // of all lines
  std::size_t end_ = 0;           // cells that are reserved
};

}  // namespace wse::vm
