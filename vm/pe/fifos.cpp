// Where the elements of FIFOs lie.
#include "vm/pe/fifos.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

// Where a FIFO lies, in bytes.
struct Storage {
  std::uint32_t address = 0;
  std::uint32_t element_bytes = 0;
};
Storage storage_of(const isa::Program& program, const isa::Fifo& fifo) {
  const isa::Symbol& array = program.symbols[fifo.symbol];
  const std::uint32_t bytes = isa::info(array.type).bytes;
  return {array.address + bytes * fifo.first, bytes};
}

std::optional<std::string> place(Operand& operand, std::uint32_t element_bytes, bool pushes,
                                 const isa::Program& program, std::span<const FifoEnds> ends) {
  if (!operand.is_fifo()) return std::nullopt;
  const std::uint32_t number = operand.descriptor.fifo;
  if (number >= program.fifos.size()) return fmt::format("the program has no FIFO {}", number);
  const isa::Fifo& fifo = program.fifos[number];
  const Storage storage = storage_of(program, fifo);
  if (storage.element_bytes != element_bytes) {
    return fmt::format("{} has elements of {} bits, the instruction takes {}", fifo.name,
                       8 * storage.element_bytes, 8 * element_bytes);
  }
  isa::Descriptor& ring = operand.descriptor;
  ring.kind = isa::DescriptorKind::Circular;
  ring.address = storage.address;
  ring.stride = 1;
  ring.ring = fifo.count;
  ring.position = pushes ? ends[number].pushed : ends[number].popped;
  return std::nullopt;
}

bool same_fifo(const Operand& a, const Operand& b) {
  return a.is_fifo() && b.is_fifo() && a.descriptor.fifo == b.descriptor.fifo;
}

}  // namespace

std::optional<std::string> place_fifos(Operands& operands, const isa::InstructionInfo& row,
                                       const isa::Program& program,
                                       std::span<const FifoEnds> ends) {
  for (std::size_t k = 0; k < 2; ++k) {
    auto failed = place(operands.source[k], row.source_bytes(k), false, program, ends);
    if (failed) return failed;
  }
  return place(operands.destination, row.result_bytes(), true, program, ends);
}

void move_ends(std::vector<FifoEnds>& ends, const Operands& operands, std::uint64_t elements) {
  for (const Operand& source : operands.source) {
    if (!source.is_fifo()) continue;
    ends[source.descriptor.fifo].popped = position_after(source.descriptor, elements);
  }
  const Operand& to = operands.destination;
  if (to.is_fifo()) ends[to.descriptor.fifo].pushed = position_after(to.descriptor, elements);
}

bool pops_twice(const Operands& operands) {
  return same_fifo(operands.source[0], operands.source[1]);
}

std::optional<std::uint32_t> shared_fifo(const Operands& one, const Operands& other) {
  if (same_fifo(one.destination, other.destination)) return one.destination.descriptor.fifo;
  for (const Operand& a : one.source) {
    for (const Operand& b : other.source) {
      if (same_fifo(a, b)) return a.descriptor.fifo;
    }
  }
  return std::nullopt;
}

const isa::Fifo* fifo_at(const isa::Program& program, const WordSet& words) {
  if (words.empty()) return nullptr;
  for (const isa::Fifo& fifo : program.fifos) {
    const Storage storage = storage_of(program, fifo);
    const WordSet all = WordSet::of_bytes(storage.address, storage.element_bytes * fifo.count);
    if (intersect(words, all)) return &fifo;
  }
  return nullptr;
}

std::vector<std::uint32_t> fifo_capacities(const isa::Program& program) {
  std::vector<std::uint32_t> capacities;
  for (const isa::Fifo& fifo : program.fifos) capacities.push_back(fifo.count);
  return capacities;
}

}  // namespace wse::vm
