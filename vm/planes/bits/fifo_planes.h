// The FIFOs of one number of a block of PEs: how full each is, as planes.
//
//     lane (a PE)     0 1 2 3 ...
//     level[0]        1 0 1 0        elements in it, bit by bit
//     level[1]        0 0 1 1
//     capacity[0]     1 1 1 1
//     capacity[1]     1 1 1 1
//     empty           0 1 0 0        at the start of the cycle
//     full            0 0 1 0
//
// Registered: what is pushed and popped changes nothing before the cycle is over. At most one
// element of each lane goes in, and one out. The planes know no values: see fifos.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/planes/bits/lane_counters.h"
#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

class FifoPlanes {
 public:
  // Before the first cycle: the PE of the lane has one of so many elements.
  void open(std::uint32_t lane, std::uint32_t capacity) {
    while (std::uint64_t{capacity} >> bits_.size() != 0) bits_.emplace_back();
    for (std::uint32_t k = 0; k < bits_.size(); ++k) {
      bits_[k].capacity.put(lane, (capacity >> k & 1) != 0);
    }
    empty_.set(lane);
  }

  // The FIFO of the lane has so many elements at first, at most its capacity.
  void begin_with(std::uint32_t lane, std::uint32_t level) {
    bool is_full = true;
    for (std::uint32_t k = 0; k < bits_.size(); ++k) {
      const bool bit = (level >> k & 1) != 0;
      bits_[k].level.put(lane, bit);
      is_full &= bit == bits_[k].capacity.has(lane);
    }
    empty_.put(lane, level == 0);
    full_.put(lane, is_full);
  }

  // At the start of the cycle.
  [[gnu::always_inline]] const Lanes& empty() const { return empty_; }
  [[gnu::always_inline]] const Lanes& full() const { return full_; }

  // ---- a cycle
  [[gnu::always_inline]] void begin_cycle() { pushed_ = popped_ = {}; }
  // Not while it is full, or empty.
  [[gnu::always_inline]] void push(const Lanes& lanes) { pushed_ |= lanes; }
  [[gnu::always_inline]] void pop(const Lanes& lanes) { popped_ |= lanes; }
  // The cycle is over. True if lanes are full or empty now that were not, or the other way round.
  [[gnu::always_inline]] bool update() {
    left_full_ = popped_ & full_;
    left_empty_ = pushed_ & empty_;
    Lanes carry = filling();
    Lanes borrow = emptying();
    if (!(carry | borrow).any()) return false;
    Lanes some;
    Lanes room;
    for (Bit& bit : bits_) {
      const Lanes level = bit.level;
      bit.level = level ^ carry ^ borrow;
      carry &= level;
      borrow.remove(isa::mutant(isa::Mutant::LevelBorrow) ? inverse(level) : level);
      some |= bit.level;
      room |= bit.level ^ bit.capacity;
    }
    const Lanes changed = (empty_ ^ inverse(some)) | (full_ ^ inverse(room));
    empty_ = inverse(some);
    full_ = inverse(room);
    return changed.any();
  }
  // Elements in the FIFO of the lane.
  std::uint32_t level(std::uint32_t lane) const {
    std::uint32_t level = 0;
    for (std::uint32_t k = 0; k < bits_.size(); ++k) {
      level |= std::uint32_t{bits_[k].level.has(lane)} << k;
    }
    return level;
  }
  // In the cycle that is over: it was full and was popped; it was empty and was pushed.
  [[gnu::always_inline]] const Lanes& left_full() const { return left_full_; }
  [[gnu::always_inline]] const Lanes& left_empty() const { return left_empty_; }

  // ---- while the block rests
  // Cycles like the last one up to the first after which some lane is full or empty that was not;
  // DownCounter::kEndless if there is none.
  std::uint64_t steps_left() const;
  // Repeats the last cycle so many times, of steps_left() at least one less.
  void repeat(std::uint64_t cycles);

 private:
  struct Bit {
    Lanes level;
    Lanes capacity;
  };
  // Lanes that have one element more, or less, after the cycle.
  [[gnu::always_inline]] Lanes filling() const { return without(pushed_, popped_); }
  [[gnu::always_inline]] Lanes emptying() const { return without(popped_, pushed_); }

  std::vector<Bit> bits_;
  Lanes empty_;
  Lanes full_;
  // The changes of this cycle; they stay while the block rests.
  Lanes pushed_;
  Lanes popped_;
  Lanes left_full_;
  Lanes left_empty_;
};

// The FIFOs that lanes of a thread use.
struct FifoUse {
  FifoPlanes* fifo = nullptr;
  std::uint32_t number = 0;  // of it
  Lanes pops;
  Lanes pushes;
};

// The waits of threads of one number in a block beside wavelets and room.
struct FifoWaits {
  std::vector<FifoUse> uses;
  Lanes ends_early;  // an instruction that does not wait: a FIFO that is empty or full ends it
  Lanes refused;     // of those that end in this cycle: by one that is full

  // Lanes that cannot issue in this cycle.
  struct Blocked {
    Lanes empty;  // for want of an element
    Lanes full;   // for want of room
  };
  [[gnu::always_inline]] Blocked blocked() const {
    Blocked blocked;
    for (const FifoUse& use : uses) {
      blocked.empty |= use.pops & use.fifo->empty();
      blocked.full |= use.pushes & use.fifo->full();
    }
    return blocked;
  }
  // The lanes issue.
  [[gnu::always_inline]] void move(const Lanes& lanes) {
    for (FifoUse& use : uses) {
      use.fifo->pop(lanes & use.pops);
      use.fifo->push(lanes & use.pushes);
    }
  }
  // The lanes have ended.
  void end(const Lanes& lanes) {
    for (FifoUse& use : uses) {
      use.pops.remove(lanes);
      use.pushes.remove(lanes);
    }
    refused = {};
  }
};

}  // namespace wse::vm::wafer
