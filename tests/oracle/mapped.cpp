// Mapped vector instructions: the scalars over which they go.
#include <algorithm>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"

namespace wse::oracle {

std::optional<isa::Trap> Processor::read_scalars(Flight& flight) const {
  const isa::Instruction& code = flight.code;
  if (code.mapped == 0) return std::nullopt;
  if (!fits(descriptors_[code.scalar], false)) return isa::Trap::UnsetDescriptor;
  const isa::InstructionInfo& row = *flight.row;
  flight.scalars =
      operand(isa::SourceKind::Descriptor, code.scalar, row.source_bytes(row.last_source()), code);
  const bool waits = std::ranges::any_of(flight.operands(), [](const Operand* each) {
    return each->is_fabric() || each->kind == Operand::Kind::Fifo;
  });
  const bool in_memory = flight.scalars->kind == Operand::Kind::Memory;
  return in_memory && !waits ? std::nullopt : std::optional(isa::Trap::BadDescriptor);
}

std::optional<isa::Trap> Processor::check_scalars(const Flight& flight) const {
  for (std::uint64_t k = 0; flight.scalars && k < flight.length; k += flight.per_scalar) {
    const Operand& from = *flight.scalars;
    const std::uint64_t address = address_of(from.descriptor, k / flight.per_scalar, from.bytes);
    if (const auto cause = memory.refuses(address, from.bytes)) return cause;
  }
  return std::nullopt;
}

// So many elements for each scalar, so many scalars.
std::optional<isa::Trap> Processor::set_scalars(Flight& flight) const {
  if (!flight.scalars) return std::nullopt;
  const std::uint64_t count = flight.scalars->descriptor.length;
  flight.per_scalar = flight.length;
  flight.length *= count;
  const bool fits = count <= isa::kMaxLength && flight.length <= isa::kMaxLength;
  return fits ? std::nullopt : std::optional(isa::Trap::BadDescriptor);
}

// What it is mapped over is read until the end, and must not be what it writes.
std::optional<isa::Trap> Processor::claim_scalars(const Flight& flight, const Words& written,
                                                  Words& read) const {
  for (std::uint64_t k = 0; flight.scalars && k < flight.length; k += flight.per_scalar) {
    const Operand& from = *flight.scalars;
    Words words;
    add_words(words, address_of(from.descriptor, k / flight.per_scalar, from.bytes), from.bytes);
    if (is_of_fifo(words)) return isa::Trap::FifoMisuse;
    const auto is_written = [&written](std::uint32_t word) { return written.contains(word); };
    if (std::ranges::any_of(words, is_written)) return isa::Trap::Overlap;
    read.insert(words.begin(), words.end());
  }
  return std::nullopt;
}

}  // namespace wse::oracle
