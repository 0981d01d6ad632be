// From operands to ranges of elements, then one call of the instruction's meaning.
#include "vm/pe/in_flight.h"

namespace wse::vm {
namespace {

constexpr std::ptrdiff_t kWordBytes = 4;

isa::ElementRange memory_range(const isa::Descriptor& d, std::byte* memory, std::uint32_t first) {
  const std::ptrdiff_t step = std::ptrdiff_t{d.stride} * kWordBytes;
  return {memory + d.address + first * step, step};
}

// A range over words that are only read; the meaning functions take both kinds alike.
isa::ElementRange words_range(const std::uint32_t* words, std::ptrdiff_t step) {
  return {reinterpret_cast<std::byte*>(const_cast<std::uint32_t*>(words)), step};
}

}  // namespace

void apply(InFlight& f, std::byte* memory, std::uint32_t first, std::uint32_t count,
           const FabricWords& words) {
  isa::ElementRange source[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const Operand& operand = f.operands.source[k];
    switch (operand.kind) {
      case Operand::Kind::Memory:
        source[k] = memory_range(operand.descriptor, memory, first);
        break;
      case Operand::Kind::FabricIn: source[k] = words_range(words.in[k], kWordBytes); break;
      case Operand::Kind::Register: source[k] = words_range(&f.accumulator, 0); break;
      default: source[k] = words_range(&operand.word, 0); break;
    }
  }
  const Operand& to = f.operands.destination;
  isa::ElementRange destination = words_range(&f.accumulator, 0);
  if (to.kind == Operand::Kind::FabricOut) destination = words_range(words.out, kWordBytes);
  if (to.is_memory()) destination = memory_range(to.descriptor, memory, first);
  f.function(destination, source[0], source[1], f.operands.scalar, count);
}

}  // namespace wse::vm
