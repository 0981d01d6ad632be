// From operands to ranges of elements, then the instruction's meaning, once for each range.
#include "vm/pe/in_flight.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::ptrdiff_t kWaveletBytes = 4;  // an element is its low bits

// Elements of one call of apply(): `first` is that of the instruction, `done` are behind us, and
// `count` follow, as many as have one step in every operand.
struct Piece {
  std::uint32_t first;
  std::uint32_t done;
  std::uint32_t count;
};

isa::ElementRange memory_range(const WordSet& set, std::byte* memory, Piece& piece) {
  const ElementRun run = set.path().run_at(std::uint64_t{piece.first} + piece.done);
  piece.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(piece.count, run.count));
  return {memory + run.first, static_cast<std::ptrdiff_t>(run.step)};
}

// A range over words that are only read; the meaning functions take both kinds alike.
isa::ElementRange words_range(const std::uint32_t* words, std::ptrdiff_t step) {
  return {reinterpret_cast<std::byte*>(const_cast<std::uint32_t*>(words)), step};
}

isa::ElementRange wavelets_range(const std::uint32_t* words, const Piece& piece) {
  return words_range(words + piece.done, kWaveletBytes);
}

isa::ElementRange source_range(const InFlight& f, std::size_t k, std::byte* memory,
                               const FabricWords& words, Piece& piece) {
  const Operand& operand = f.operands.source[k];
  switch (operand.kind) {
    case Operand::Kind::Memory: return memory_range(f.reads[k], memory, piece);
    case Operand::Kind::FabricIn: return wavelets_range(words.in[k], piece);
    case Operand::Kind::Register: return words_range(&f.accumulator, 0);
    default: return words_range(&operand.word, 0);
  }
}

isa::ElementRange destination_range(const InFlight& f, std::byte* memory, const FabricWords& words,
                                    Piece& piece) {
  switch (f.operands.destination.kind) {
    case Operand::Kind::Memory: return memory_range(f.writes, memory, piece);
    case Operand::Kind::FabricOut: return wavelets_range(words.out, piece);
    default: return words_range(&f.accumulator, 0);
  }
}

// 16-bit elements are zero-extended to a register or wavelet.
void clear_destination(InFlight& f, std::uint32_t count, const FabricWords& words) {
  if (isa::info(f.op).result_bytes() != 2) return;
  const Operand& to = f.operands.destination;
  if (to.kind == Operand::Kind::Register) f.accumulator &= 0xffffu;
  if (to.kind == Operand::Kind::FabricOut) std::fill_n(words.out, count, 0u);
}

}  // namespace

void apply(InFlight& f, std::byte* memory, std::uint32_t first, std::uint32_t count,
           const FabricWords& words) {
  clear_destination(f, count, words);
  for (Piece piece{first, 0, count}; piece.done < count; piece.done += piece.count) {
    piece.count = count - piece.done;
    const isa::ElementRange a = source_range(f, 0, memory, words, piece);
    const isa::ElementRange b = source_range(f, 1, memory, words, piece);
    const isa::ElementRange d = destination_range(f, memory, words, piece);
    f.function(d, a, b, f.operands.scalar, piece.count);
  }
}

}  // namespace wse::vm
