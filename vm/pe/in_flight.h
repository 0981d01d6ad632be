// A vector instruction between its start and its finish, as its PE sees it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "isa/instruction.h"
#include "isa/semantics/ranges.h"
#include "vm/boundary.h"
#include "vm/pe/operand.h"
#include "vm/pe/word_set.h"

namespace wse::vm {

// What an asynchronous instruction does at its finish.
struct Completed {
  isa::Completion action = isa::Completion::None;
  std::uint32_t id = 0;  // of the task or colour
  std::uint32_t pc = 0;  // of the instruction
};

struct InFlight {
  std::uint32_t thread = kMainThread;
  std::uint32_t pc = 0;
  Cycle finish = kNever;        // kNever until all elements have issued
  Cycle drains_from = kNever;   // the cycle after the last issue
  Cycle claims_until = kNever;  // first cycle in which others may touch the memory again
  std::uint32_t saved = 0;      // descriptor registers whose positions move on, as bits
  std::uint32_t controls = 0;   // colours of which it takes control wavelets, as bits
  std::uint64_t length = 0;     // elements; kNoBound; at the end, those that were done
  std::uint64_t asked = 0;      // the length at the start
  Completed completed;
  std::uint32_t accumulator = 0;  // of a register destination; written back at the finish
  isa::Op op = isa::Op::Halt;
  bool has_fifos = false;
  bool has_indices = false;  // wavelets name elements of an operand
  bool conflicts = false;    // each issue holds its slot for more than one cycle
  isa::RangeFunction function = nullptr;
  WordSet reads[2];  // empty where a source claims no memory
  WordSet writes;    // their paths also say where element k lies
  Operands operands;

  bool receives(std::uint32_t colour) const {
    return std::ranges::any_of(operands.source,
                               [colour](const Operand& source) {
                                 return source.receives() && source.descriptor.colour == colour;
                               }) ||
           (operands.destination.is_indexed() && operands.destination.descriptor.colour == colour);
  }
  // It can still take elements, and control wavelets.
  bool is_moving() const { return finish == kNever; }
  bool is_unbounded() const { return asked == kNoBound; }
};

// Applies the instruction to elements first .. first + count - 1. `memory` is that of the PE; what
// wavelets name must lie inside its array (wrong_index).
void apply(InFlight& instruction, std::byte* memory, std::uint64_t first, std::uint32_t count,
           const FabricWords& words);

// What a wavelet names although its array does not have it. For the element of one call of apply().
struct WrongIndex {
  std::int32_t index = 0;
  std::uint32_t elements = 0;  // of the array
};
std::optional<WrongIndex> wrong_index(const InFlight& instruction, const FabricWords& words);

}  // namespace wse::vm
