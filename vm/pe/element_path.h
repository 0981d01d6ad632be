// Where the elements of a memory operand lie: through dimensions, round a ring, from its position
// on.
//
//     elements:  0  1  2 | 3  4  5 | 6 ...        a run: elements with one step between them,
//                run       run       run          up to the end of a row or of the ring
//
// Addresses are 64-bit and may lie outside memory; checks.cpp judges them. A path must never be
// made of a ring or row without elements (is_endless() says so). A path that bends looks
// at its descriptor, which must stay.
#pragma once

#include <cstdint>
#include <limits>

#include "isa/descriptor/descriptor.h"

namespace wse::vm {

struct ElementRun {
  std::int64_t first = 0;   // byte address
  std::int64_t step = 0;    // bytes
  std::uint64_t count = 0;  // elements, at least 1
};

inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

// A row or ring has no elements: counting through it would never end.
bool is_endless(const isa::Descriptor& memory);

class ElementPath {
 public:
  ElementPath() = default;
  ElementPath(const isa::Descriptor& memory, std::uint32_t element_bytes)
      : step_(std::int64_t{memory.stride} * element_bytes),
        first_(memory.address + memory.position * step_),
        bytes_(element_bytes) {
    const bool bends = memory.further != 0 || memory.kind == isa::DescriptorKind::Circular;
    if (bends) bent_ = &memory;
  }

  // All elements have one step between them.
  bool is_linear() const { return bent_ == nullptr; }

  // The run that begins with element k of the instruction.
  ElementRun run_at(std::uint64_t k) const {
    if (!is_linear()) return bent_run(k);
    return {first_ + static_cast<std::int64_t>(k) * step_, step_, kUnbounded};
  }

  // After so many elements `count` the addresses begin again: all that a set of words needs.
  std::uint64_t distinct(std::uint64_t count) const {
    return is_linear() ? count : bent_distinct(count);
  }

 private:
  ElementRun bent_run(std::uint64_t k) const;
  std::uint64_t bent_distinct(std::uint64_t count) const;

  std::int64_t step_ = 0;                  // bytes; linear: from one element to the next
  std::int64_t first_ = 0;                 // linear: address of element 0 of the instruction
  std::int64_t bytes_ = 0;                 // of an element
  const isa::Descriptor* bent_ = nullptr;  // what goes through rows or round a ring
};

// The position after `count` elements. Round a ring it stays below its length.
std::uint32_t position_after(const isa::Descriptor& memory, std::uint64_t count);

}  // namespace wse::vm
