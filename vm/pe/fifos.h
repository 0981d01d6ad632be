// FIFOs as a PE sees them: rings in its memory, of which instructions know where they are.
//
// How full they are is the business of the issue slots (vm/stepper/fifo_levels.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isa/image/image.h"
#include "vm/pe/operand.h"
#include "vm/pe/word_set.h"

namespace wse::vm {

// Elements that went through the two ends so far, modulo the size of the FIFO.
struct FifoEnds {
  std::uint32_t pushed = 0;
  std::uint32_t popped = 0;
};

// Turns FIFO operands into the rings in which their next elements lie. Returns why an operand
// cannot be, if it cannot: its elements have another size, or the program has no such FIFO.
std::optional<std::string> place_fifos(Operands& operands, const isa::InstructionInfo& row,
                                       const isa::Program& program, std::span<const FifoEnds> ends);

// After an instruction that moved `elements` elements.
void move_ends(std::vector<FifoEnds>& ends, const Operands& operands, std::uint64_t elements);

// Both sources are one FIFO.
bool pops_twice(const Operands& operands);

// A FIFO that both push, or both pop.
std::optional<std::uint32_t> shared_fifo(const Operands& one, const Operands& other);

// The FIFO of the program in whose storage some of the words lie; nullptr if there is none.
const isa::Fifo* fifo_at(const isa::Program& program, const WordSet& words);

// The sizes of the program's FIFOs in elements.
std::vector<std::uint32_t> fifo_capacities(const isa::Program& program);

}  // namespace wse::vm
