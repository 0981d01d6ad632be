// Where the elements of a memory operand lie: through dimensions, round a ring, from its position
// on.
//
//     elements:  0  1  2 | 3  4  5 | 6 ...        a run: elements with one step between them,
//                run       run       run          up to the end of a row or of the ring
//
// Addresses are 64-bit and may lie outside memory; checks.cpp judges them. A path must never be
// asked for an element of a ring or row without elements (is_endless() says so).
#pragma once

#include <cstdint>
#include <limits>

#include "isa/descriptor.h"

namespace wse::vm {

struct ElementRun {
  std::int64_t first = 0;   // byte address
  std::int64_t step = 0;    // bytes
  std::uint64_t count = 0;  // elements, at least 1
};

inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

class ElementPath {
 public:
  ElementPath() = default;
  ElementPath(const isa::Descriptor& memory, std::uint32_t element_bytes)
      : memory_(memory), bytes_(element_bytes) {}

  // All elements have one step between them.
  bool is_linear() const {
    return memory_.further == 0 && memory_.kind != isa::DescriptorKind::Circular;
  }
  // A row or ring has no elements: counting through it would never end.
  bool is_endless() const;

  // The run that begins with element k of the instruction.
  ElementRun run_at(std::uint64_t k) const { return is_linear() ? linear(k) : run(k); }

  // After so many elements `count` the addresses begin again: all that a set of words needs.
  std::uint64_t distinct(std::uint64_t count) const;

 private:
  ElementRun linear(std::uint64_t k) const {
    const std::int64_t step = memory_.stride * bytes_;
    return {memory_.address + element(k) * step, step, kUnbounded};
  }
  ElementRun run(std::uint64_t k) const;
  std::int64_t element(std::uint64_t k) const {
    return static_cast<std::int64_t>(memory_.position + k);
  }

  isa::Descriptor memory_;
  std::int64_t bytes_ = 0;  // of an element
};

// The position behind `count` elements. Round a ring it stays below its length.
std::uint32_t position_after(const isa::Descriptor& memory, std::uint32_t count);

}  // namespace wse::vm
