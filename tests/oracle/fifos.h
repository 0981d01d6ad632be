// The FIFOs of a PE: rings of memory that nobody else may touch.
//
// What counts is how many elements were in one at the start of the cycle. Must never know who
// pushes or pops: processors see to it that there is one of each.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/image/image.h"

namespace wse::oracle {

class Fifo {
 public:
  Fifo(const isa::Fifo& fifo, const isa::Symbol& array)
      : bytes_(isa::info(array.type).bytes),
        address_(array.address + fifo.first * bytes_),
        capacity_(fifo.count),
        on_leaving_full_(fifo.on_leaving_full),
        on_leaving_empty_(fifo.on_leaving_empty) {}

  void begin_cycle() {
    long_before_ = before_;
    before_ = pushed_ - popped_;
  }
  // Both tell of the cycle before.
  bool was_empty() const { return long_before_ == 0; }
  bool was_full() const { return long_before_ == capacity_; }
  bool is_empty() const { return before_ == 0; }
  bool is_full() const { return before_ == capacity_; }

  std::uint32_t element_bytes() const { return bytes_; }
  bool owns(std::uint32_t word) const {  // a number of a 16-bit word
    return 2 * word >= address_ && 2 * word < address_ + capacity_ * bytes_;
  }
  // The address of the element that goes in or comes out.
  std::uint32_t push() { return place_of(pushed_++); }
  std::uint32_t pop() { return place_of(popped_++); }
  // The task to activate because of a push or a pop in this cycle.
  std::optional<std::uint32_t> told_by_push() const {
    return is_empty() ? on_leaving_empty_ : std::nullopt;
  }
  std::optional<std::uint32_t> told_by_pop() const {
    return is_full() ? on_leaving_full_ : std::nullopt;
  }

 private:
  std::uint32_t place_of(std::uint64_t element) const {
    return address_ + static_cast<std::uint32_t>(element % capacity_) * bytes_;
  }

  std::uint32_t bytes_;
  std::uint32_t address_;
  std::uint32_t capacity_;
  std::optional<std::uint32_t> on_leaving_full_;
  std::optional<std::uint32_t> on_leaving_empty_;
  std::uint64_t pushed_ = 0;
  std::uint64_t popped_ = 0;
  std::uint64_t before_ = 0;       // elements, at the start of the cycle
  std::uint64_t long_before_ = 0;  // at the start of the cycle before
};

}  // namespace wse::oracle
