// The table-driven codec. It knows no instruction and no format by name.
#include "isa/instruction/codec.h"

#include <array>

namespace wse::isa {
namespace {

constexpr std::uint32_t Instruction::* kMembers[] = {
#define FIELD(letter, member, meaning) &Instruction::member,
#include "isa/instruction/fields.def"
#undef FIELD
};

consteval std::array<std::int16_t, 256> index_opcodes() {
  std::array<std::int16_t, 256> index{};
  index.fill(-1);
  for (std::size_t i = 0; i < kInstructionCount; ++i) {
    std::int16_t& entry = index[kInstructions[i].opcode];
    if (entry != -1) throw "two rows of instructions.def have the same opcode";
    entry = static_cast<std::int16_t>(i);
  }
  return index;
}
constexpr std::array<std::int16_t, 256> kByOpcode = index_opcodes();

// A mapped instruction works on memory and is the main thread's; its S is a descriptor register.
bool mapped_in_range(const Instruction& i) {
  return i.mapped == 0 || (i.scalar_operand() == ScalarKind::Register && i.asynchronous == 0);
}

// Only what is asynchronous completes, and what completes nothing names nothing.
bool completion_in_range(const Instruction& i) {
  if (i.completion == 0) return i.completes_slot == 0 && i.completes == 0;
  return i.asynchronous != 0 && i.completion < std::size(kCompletionTexts) &&
         (i.completes_slot != 0 || i.completes < kTaskIds);
}

bool in_range(const Instruction& i) {
  constexpr auto kLastSource = static_cast<std::uint32_t>(SourceKind::Scalar);
  return i.source_a_kind <= kLastSource && i.source_b_kind <= kLastSource &&
         i.condition < kConditionCount && i.compared_type < kTypeCount &&
         i.compared_type != static_cast<std::uint32_t>(Type::Colour) &&
         (i.scalar_operand() != ScalarKind::Register || i.scalar < kRegisters) &&
         (i.asynchronous != 0 || i.microthread == 0 || !info(i.op).is_vector()) &&
         mapped_in_range(i) && completion_in_range(i);
}

}  // namespace

void encode(const Instruction& instruction, std::vector<std::uint32_t>& words) {
  const InstructionInfo& row = info(instruction.op);
  const FormatInfo& format = info(row.format);
  std::array<std::uint32_t, 2> out{static_cast<std::uint32_t>(row.opcode) << kOpcodeShift, 0};
  for (std::size_t k = 0; k < format.field_count; ++k) {
    const FieldBits& bits = format.fields[k];
    out[bits.word] |= (instruction.*kMembers[bits.field] & bits.mask()) << bits.shift;
  }
  words.insert(words.end(), out.begin(), out.begin() + format.words);
}

std::optional<Instruction> decode(std::span<const std::uint32_t> words) {
  if (words.empty()) return std::nullopt;
  const std::int16_t index = kByOpcode[words[0] >> kOpcodeShift];
  if (index < 0) return std::nullopt;
  const InstructionInfo& row = kInstructions[index];
  const FormatInfo& format = info(row.format);
  if (words.size() < format.words) return std::nullopt;
  Instruction instruction{.op = row.op};
  for (std::size_t w = 0; w < format.words; ++w) {
    if ((words[w] & format.zero_mask[w]) != 0) return std::nullopt;
  }
  for (std::size_t k = 0; k < format.field_count; ++k) {
    const FieldBits& bits = format.fields[k];
    instruction.*kMembers[bits.field] = (words[bits.word] >> bits.shift) & bits.mask();
  }
  if (!in_range(instruction)) return std::nullopt;
  return instruction;
}

}  // namespace wse::isa
