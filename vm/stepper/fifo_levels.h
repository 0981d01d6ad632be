// How full the FIFOs of a PE are: what the issue slots need to know of them.
//
// Registered: what is pushed in cycle t can be popped from t + 1 on, and a place popped in t is
// free from t + 1 on. One element in and one out per cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/support/time.h"

namespace wse::vm {

class FifoLevels {
 public:
  // `capacities` in elements, by number.
  explicit FifoLevels(const std::vector<std::uint32_t>& capacities = {}) {
    for (const std::uint32_t capacity : capacities) fifos_.push_back({.capacity = capacity});
  }

  // At the start of the cycle.
  bool is_empty(std::uint32_t fifo, Cycle now) const {
    if (isa::mutant(isa::Mutant::FifoSameCycle)) return size(fifo) == 0;
    return level(fifos_[fifo], now) == 0;
  }
  bool is_full(std::uint32_t fifo, Cycle now) const {
    const std::uint32_t more = isa::mutant(isa::Mutant::FifoDepth) ? 1 : 0;
    return level(fifos_[fifo], now) == fifos_[fifo].capacity + more;
  }
  // Returns whether it had one element, or one place for `pushes`, at the start of the cycle.
  bool is_tight(std::uint32_t fifo, bool pushes, Cycle now) const {
    return level(fifos_[fifo], now) == (pushes ? fifos_[fifo].capacity - 1 : 1);
  }
  std::uint32_t size(std::uint32_t fifo) const { return fifos_[fifo].size; }

  void push(std::uint32_t fifo, Cycle now) {
    ++fifos_[fifo].size;
    fifos_[fifo].pushed = now;
  }
  void pop(std::uint32_t fifo, Cycle now) {
    --fifos_[fifo].size;
    fifos_[fifo].popped = now;
  }

  // How many FIFOs there are.
  std::size_t count() const { return fifos_.size(); }
  std::uint32_t capacity(std::uint32_t fifo) const { return fifos_[fifo].capacity; }
  // Takes up what the FIFO held and refused before.
  void set(std::uint32_t fifo, std::uint32_t size, std::uint64_t refused) {
    fifos_[fifo].size = size;
    fifos_[fifo].refused = refused;
  }

  // An instruction that does not wait ended because the FIFO was full, with so many elements left.
  void refuse(std::uint32_t fifo, std::uint64_t elements) { fifos_[fifo].refused += elements; }
  std::uint64_t refused(std::uint32_t fifo) const { return fifos_[fifo].refused; }

 private:
  struct Fifo {
    std::uint32_t capacity = 0;
    std::uint32_t size = 0;
    Cycle pushed = kNever;  // last
    Cycle popped = kNever;
    std::uint64_t refused = 0;  // elements, by all pushes
  };
  static std::uint32_t level(const Fifo& fifo, Cycle now) {
    return fifo.size - (fifo.pushed == now ? 1 : 0) + (fifo.popped == now ? 1 : 0);
  }

  std::vector<Fifo> fifos_;
};

}  // namespace wse::vm
