// A descriptor operand as the source says it: its formulas have no slots yet, and registers may say
// what the rest is when the code runs.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/formula/formula.h"
#include "isa/image/image.h"

namespace wse::assembler {

// A multiple of the value of a register.
struct RegisterTerm {
  std::uint32_t number = 0;
  std::int64_t times = 1;

  bool operator==(const RegisterTerm&) const = default;
};

// The part of a slice that registers hold when the code runs.
struct RunTimePart {
  std::vector<RegisterTerm> terms{};               // bytes that are added to the address
  std::optional<std::uint32_t> length_register{};  // in place of the length
  std::optional<RegisterTerm> stride{};            // in place of the stride

  bool empty() const { return terms.empty() && !length_register && !stride; }
};

// A descriptor operand whose formulas have no slots yet.
struct DescriptorPlan {
  isa::DescriptorKind kind = isa::DescriptorKind::Memory;
  isa::Formula address{};
  std::optional<isa::Formula> length{};
  std::int32_t stride = 1;
  isa::Formula colour{};
  isa::FabricOptions options{};
  isa::Formula index{};    // if options.indexed
  isa::Formula task{};     // if options.tells_task()
  std::uint32_t fifo = 0;  // number of a FIFO
  struct Inner {
    isa::Formula extent{};
    std::int32_t stride = 1;
  };
  std::vector<Inner> inner{};           // dimensions inside the one of `length` and `stride`
  std::optional<isa::Formula> ring{};   // elements of a circular one, of an array that is indexed
  std::optional<isa::Formula> start{};  // in the ring; none: its first element
  bool saves = false;
  std::optional<isa::Type> element{};  // of memory, if known
  RunTimePart run_time{};              // what registers say

  // Returns the length over all dimensions, if it is constant.
  std::optional<std::int64_t> constant_length() const;
  bool is_unbounded() const { return options.endless; }
  // Whether the operand can decide how many elements an instruction has, or that it has no bound.
  bool bounds_instruction() const { return length.has_value() || options.endless; }
  // From the outside to the inside.
  void add_dimension(isa::Formula extent, std::int32_t inner_stride) {
    if (!length) {
      length = std::move(extent);
      stride = inner_stride;
    } else {
      inner.push_back({std::move(extent), inner_stride});
    }
  }
};

}  // namespace wse::assembler
