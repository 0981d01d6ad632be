// From operands to ranges of elements, then the instruction's meaning, once for each range.
#include "vm/pe/in_flight.h"

#include <algorithm>
#include <cstring>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr std::ptrdiff_t kWaveletBytes = 4;  // an element is its low bits
constexpr std::ptrdiff_t kPackedBytes = 2;   // or one of its halves, the low one first

// Elements of one call of apply(): `first` is that of the instruction, `done` are behind us, and
// `count` follow, as many as have one step in every operand.
struct Piece {
  std::uint64_t first;
  std::uint32_t done;
  std::uint32_t count;
  std::uint64_t begin = 0;  // mapped: the element with which this scalar began
};

// Returns the next elements of an operand. In a mapped instruction one whose position is not saved
// begins again with every scalar.
isa::ElementRange memory_range(const WordSet& set, const Operand& operand, std::byte* memory,
                               Piece& piece) {
  const bool goes_on = operand.saves() || isa::mutant(isa::Mutant::MapGoesOn);
  const ElementRun run = set.path().run_at(piece.first + piece.done - (goes_on ? 0 : piece.begin));
  piece.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(piece.count, run.count));
  return {memory + run.first, static_cast<std::ptrdiff_t>(run.step)};
}

// Returns the element that a wavelet names. They come one by one.
isa::ElementRange named_range(const WordSet& set, std::byte* memory, std::uint32_t index) {
  if (isa::mutant(isa::Mutant::IndexIgnored)) index = 0;
  return {memory + set.path().run_at(index).first, 0};
}

// A range over words that are only read; the meaning functions take both kinds alike.
isa::ElementRange words_range(const std::uint32_t* words, std::ptrdiff_t step) {
  return {reinterpret_cast<std::byte*>(const_cast<std::uint32_t*>(words)), step};
}

// `words` begin with the wavelet of the first element. Packed elements lie in them as in an array.
isa::ElementRange wavelets_range(const std::uint32_t* words, const Operand& operand,
                                 const Piece& piece) {
  const bool packed = operand.descriptor.options.packed;
  isa::ElementRange range = words_range(words, packed ? kPackedBytes : kWaveletBytes);
  const std::uint64_t begun = packed ? piece.first % 2 : 0;
  range.at += range.step * static_cast<std::ptrdiff_t>(piece.done + begun);
  return range;
}

isa::ElementRange source_range(const InFlight& f, std::size_t k, std::byte* memory,
                               const FabricWords& words, Piece& piece) {
  const Operand& operand = f.operands().source[k];
  switch (operand.kind) {
    case Operand::Kind::Memory:
    case Operand::Kind::Fifo: return memory_range(f.plan->reads[k], operand, memory, piece);
    case Operand::Kind::Indexed: return named_range(f.plan->reads[k], memory, *words.in[k]);
    case Operand::Kind::FabricIn: return wavelets_range(words.in[k], operand, piece);
    case Operand::Kind::Register: return words_range(&f.accumulator, 0);
    default: return words_range(&f.word[k], 0);
  }
}

isa::ElementRange destination_range(const InFlight& f, std::byte* memory, const FabricWords& words,
                                    Piece& piece) {
  const Operand& to = f.operands().destination;
  switch (to.kind) {
    case Operand::Kind::Memory:
    case Operand::Kind::Fifo: return memory_range(f.plan->writes, to, memory, piece);
    case Operand::Kind::Indexed:
      return named_range(f.plan->writes, memory, *words.in[kDestinationIndex]);
    case Operand::Kind::FabricOut: return wavelets_range(words.out, to, piece);
    default: return words_range(&f.accumulator, 0);
  }
}

// Sets the half above 16-bit elements (Plan::clears_destination): to 0 in a register, to the index
// in a wavelet.
void clear_destination(InFlight& f, std::uint64_t first, std::uint32_t count,
                       const FabricWords& words) {
  const Operand& to = f.operands().destination;
  if (to.kind == Operand::Kind::Register) f.accumulator &= 0xffffu;
  if (to.kind != Operand::Kind::FabricOut || !to.descriptor.options.packed) return;
  const auto begun = static_cast<std::uint32_t>(first % 2);  // of packed wavelets those after it
  std::fill(words.out + begun, words.out + (begun + count + 1) / 2, to.descriptor.index << 16);
}

// The words may be those that came in, which held more than the elements do now.
void clear_wavelets(const Operand& to, std::uint32_t count, const FabricWords& words) {
  if (to.kind != Operand::Kind::FabricOut || to.descriptor.options.packed) return;
  std::for_each(words.out, words.out + count,
                [&](std::uint32_t& word) { word = (word & 0xffffu) | to.descriptor.index << 16; });
}

}  // namespace

void read_values(InFlight& f, const isa::PeState& state, std::uint32_t scalar) {
  f.scalar = scalar;
  for (std::size_t k = 0; k < 2; ++k) {
    const Operand& source = f.operands().source[k];
    if (source.kind != Operand::Kind::Scalar) continue;
    f.word[k] = source.register_number == kOperandS ? scalar : state.r[source.register_number];
  }
  const Operand& to = f.operands().destination;
  if (to.kind == Operand::Kind::Register) f.accumulator = state.r[to.register_number];
}

std::optional<WrongIndex> wrong_index(const InFlight& f, const FabricWords& words) {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const Operand& operand = *f.operands().in_order()[k];
    const std::uint32_t elements = operand.descriptor.ring;
    if (!operand.is_indexed() || *words.in[k] < elements) continue;
    return WrongIndex{static_cast<std::int32_t>(*words.in[k]), elements};
  }
  return std::nullopt;
}

namespace {

// The scalar number `k` of those over which the instruction is mapped.
void read_scalar(InFlight& f, const std::byte* memory, std::uint64_t k) {
  const isa::InstructionInfo& row = isa::info(f.plan->op);
  const std::int64_t at = f.plan->reads[2].path().run_at(k).first;
  f.scalar = 0;
  std::memcpy(&f.scalar, memory + at, row.source_bytes(row.last_source()));
  for (std::size_t j = 0; j < 2; ++j) {
    const Operand& source = f.operands().source[j];
    const bool is_s = source.kind == Operand::Kind::Scalar && source.register_number == kOperandS;
    if (is_s) f.word[j] = f.scalar;
  }
}

// The elements of one scalar, or of all.
[[gnu::flatten]] void apply_pieces(InFlight& f, std::byte* memory, std::uint64_t begin,
                                   std::uint64_t first, std::uint32_t count,
                                   const FabricWords& words) {
  for (Piece piece{first, 0, count, begin}; piece.done < count; piece.done += piece.count) {
    piece.count = count - piece.done;
    const isa::ElementRange a = source_range(f, 0, memory, words, piece);
    const isa::ElementRange b = source_range(f, 1, memory, words, piece);
    const isa::ElementRange d = destination_range(f, memory, words, piece);
    f.plan->function(d, a, b, f.scalar, piece.count);
  }
  if (f.plan->clears_destination) clear_wavelets(f.operands().destination, count, words);
}

// Scalar by scalar.
void apply_mapped(InFlight& f, std::byte* memory, std::uint64_t first, std::uint32_t count) {
  const std::uint32_t group = f.plan->flow.group;
  for (const std::uint64_t end = first + count; first < end;) {
    const std::uint64_t within = first % group;
    const auto taken = static_cast<std::uint32_t>(std::min(end - first, group - within));
    read_scalar(f, memory, first / group);
    apply_pieces(f, memory, first - within, first, taken, {});
    first += taken;
  }
}

}  // namespace

void apply(InFlight& f, std::byte* memory, std::uint64_t first, std::uint32_t count,
           const FabricWords& words) {
  if (f.plan->clears_destination) clear_destination(f, first, count, words);
  if (f.plan->is_mapped()) return apply_mapped(f, memory, first, count);
  apply_pieces(f, memory, 0, first, count, words);
}

}  // namespace wse::vm
