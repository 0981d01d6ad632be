// The hand-written expectations of the instructions, and a bench to execute one on.
//
// Must never compute an expectation: results are in isa_values.def as numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction/codec.h"
#include "isa/semantics/execute.h"

namespace wse::isa {

using Word = std::uint32_t;

// Kinds of scalar operands, as an instruction holds them.
inline constexpr auto kImmediate = static_cast<std::uint32_t>(ScalarKind::Immediate);
inline constexpr auto kLiteral = static_cast<std::uint32_t>(ScalarKind::Literal);
inline constexpr auto kSlot = static_cast<std::uint32_t>(ScalarKind::Slot);

// f32 values that expectations name.
inline constexpr Word kMinusZero = 0x80000000u;
inline constexpr Word kHalf = 0x3f000000u;
inline constexpr Word kOne = 0x3f800000u;
inline constexpr Word kMinusOne = 0xbf800000u;
inline constexpr Word kTwo = 0x40000000u;
inline constexpr Word kThree = 0x40400000u;
inline constexpr Word kLargest = 0x7f7fffffu;
inline constexpr Word kInf = 0x7f800000u;
inline constexpr Word kMinusInf = 0xff800000u;
inline constexpr Word kQuietNan = 0x7fc00000u;
inline constexpr Word kSignallingNan = 0x7f800001u;
inline constexpr Word kMinusNan = 0xffc12345u;
inline constexpr Word kLeastSubnormal = 0x00000001u;
inline constexpr Word kLargestSubnormal = 0x007fffffu;
inline constexpr Word kLeastNormal = 0x00800000u;

// f16 values that expectations name.
inline constexpr Word kMinusZero16 = 0x8000u;
inline constexpr Word kHalf16 = 0x3800u;
inline constexpr Word kOne16 = 0x3c00u;
inline constexpr Word kMinusOne16 = 0xbc00u;
inline constexpr Word kTwo16 = 0x4000u;
inline constexpr Word kThree16 = 0x4200u;
inline constexpr Word kLargest16 = 0x7bffu;
inline constexpr Word kInf16 = 0x7c00u;
inline constexpr Word kMinusInf16 = 0xfc00u;
inline constexpr Word kQuietNan16 = 0x7e00u;
inline constexpr Word kSignallingNan16 = 0x7c01u;
inline constexpr Word kMinusNan16 = 0xfe12u;
inline constexpr Word kLargestSubnormal16 = 0x03ffu;
inline constexpr Word kLeastNormal16 = 0x0400u;

// A line of isa_values.def. `taken` belongs to branches, `result` to the others.
struct ValueCase {
  std::string_view mnemonic;
  Word result;
  bool taken;
  std::vector<Word> operands;
  int line;
};
const std::vector<ValueCase>& value_cases();
const std::vector<ValueCase>& branch_cases();

// "isa_values.def:12: add32(0x7fffffff, 0x00000001)"
std::string place_of(const ValueCase& expectation);

// An expectation of a row that is more than a function of values.
struct Effect {
  std::string_view what;
  Op op;
  void (*check)(Op op);
};
// How a list of tests names it.
inline void PrintTo(const Effect& effect, std::ostream* out) { *out << effect.what; }
// Those of descriptor_test.cpp.
std::span<const Effect> descriptor_effects();

// The rows whose effects effects_test.cpp and descriptor_test.cpp expect by hand.
std::vector<Op> effect_rows();

// Sources that a value computing row reads: the letters a, b, S, A, B of its format.
std::size_t source_count(const InstructionInfo& row);

// The row of that mnemonic, scalar or vector; nullptr if there is none.
const InstructionInfo* row_of(std::string_view mnemonic, bool vector);

// A scalar state with everything that it points to, filled with recognisable values.
class Bench {
 public:
  static constexpr std::uint32_t kMemoryBytes = 64;

  Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // execute<op> with the costs of wse2.
  Step run(const Instruction& instruction);

  Word word_at(std::uint32_t address, std::size_t bytes = 4) const;
  void set_word(std::uint32_t address, Word word, std::size_t bytes = 4);

  // The parts of the state that differ from `before`, as text; empty if none. The trap and its
  // address do not count: they say why nothing else changed.
  std::string changes_since(const Bench& before) const;

  ScalarState state;
  DescriptorRegisters d;  // those of the state
  ProgramView view;       // that of the state, filled by run()
  std::array<std::byte, kMemoryBytes> memory{};
  std::vector<Word> literals;
  std::vector<Word> slots;
  std::vector<DescriptorLiteral> descriptors;
};

// One instruction of no flops that holds the slot in all of its cycles.
void expect_charge(const Bench& bench, std::uint64_t cycles);

}  // namespace wse::isa
