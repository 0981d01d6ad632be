// From operands to ranges of elements, then one call of the instruction's meaning.
#include "vm/pe/in_flight.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::ptrdiff_t kWordBytes = 4;  // of a wavelet; an element is its low bits

isa::ElementRange memory_range(const isa::Descriptor& d, std::uint32_t element_bytes,
                               std::byte* memory, std::uint32_t first) {
  const std::ptrdiff_t step = std::ptrdiff_t{d.stride} * element_bytes;
  return {memory + d.address + first * step, step};
}

// A range over words that are only read; the meaning functions take both kinds alike.
isa::ElementRange words_range(const std::uint32_t* words, std::ptrdiff_t step) {
  return {reinterpret_cast<std::byte*>(const_cast<std::uint32_t*>(words)), step};
}

}  // namespace

void apply(InFlight& f, std::byte* memory, std::uint32_t first, std::uint32_t count,
           const FabricWords& words) {
  const isa::InstructionInfo& row = isa::info(f.op);
  isa::ElementRange source[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const Operand& operand = f.operands.source[k];
    switch (operand.kind) {
      case Operand::Kind::Memory:
        source[k] = memory_range(operand.descriptor, row.source_bytes(k), memory, first);
        break;
      case Operand::Kind::FabricIn: source[k] = words_range(words.in[k], kWordBytes); break;
      case Operand::Kind::Register: source[k] = words_range(&f.accumulator, 0); break;
      default: source[k] = words_range(&operand.word, 0); break;
    }
  }
  const Operand& to = f.operands.destination;
  const bool half = row.result_bytes() == 2;  // zero-extended to a register or wavelet
  isa::ElementRange destination = words_range(&f.accumulator, 0);
  if (to.kind == Operand::Kind::Register && half) f.accumulator &= 0xffffu;
  if (to.kind == Operand::Kind::FabricOut) {
    destination = words_range(words.out, kWordBytes);
    if (half) std::fill_n(words.out, count, 0u);
  }
  if (to.is_memory()) {
    destination = memory_range(to.descriptor, row.result_bytes(), memory, first);
  }
  f.function(destination, source[0], source[1], f.operands.scalar, count);
}

}  // namespace wse::vm
