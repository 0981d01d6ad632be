// A set of PEs as a message names it: one PE, a rectangle with steps, or the first of so many.
#pragma once

#include <cstdint>
#include <string>

#include "isa/machine/fabric.h"

namespace wse::assembler {

bool contains(const isa::StridedRange& range, std::int64_t value);
bool contains(const isa::StridedRect& rect, std::uint32_t x, std::uint32_t y);

class PeSet {
 public:
  // Adds a PE that is not in the set.
  void add(std::uint32_t x, std::uint32_t y);
  std::uint64_t count() const { return count_; }

  // "PE (3, 0)", "PEs (0..6 step 2, 0..3)", "PE (3, 0) and 4 others in (0..7, 0..3)".
  std::string text() const;
  // "(3, 0)", "(0..6 step 2, 0..3)" where the set is a rectangle, else its first PE: a place for
  // `at` in a line of the source.
  std::string place() const;

 private:
  // The members along one axis: all differ from the first one by multiples of `step`.
  struct Axis {
    std::uint32_t first = 0;
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::uint32_t step = 0;  // 0: one member

    void add(std::uint32_t value, bool is_first);
    std::uint64_t count() const { return step == 0 ? 1 : (most - least) / step + 1; }
    std::string text() const;
  };

  bool is_rectangle() const { return count_ == x_.count() * y_.count(); }

  std::uint64_t count_ = 0;
  Axis x_;
  Axis y_;
};

}  // namespace wse::assembler
