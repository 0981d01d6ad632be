// Reads code from its first line to its last, as if nothing jumped.
#include "vm/wafer_worth.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/instruction/instruction.h"

namespace wse::vm {
namespace {

// Words of a message from which on a train costs clearly less than its words one by one.
constexpr std::uint32_t kLongMessage = 64;
// PEs that send or take such messages: of a machine, and of all those in 512 lanes. Fewer and
// planes are mostly empty.
constexpr std::size_t kFewPes = 64;
constexpr std::size_t kShareOfPes = 8;

// What is known of the descriptor registers where the code has come to.
using Registers = std::array<std::optional<isa::Descriptor>, isa::kDescriptorRegisters>;

// Elements of a vector instruction with a fabric operand; nothing of another one, 0: not known.
std::optional<std::uint32_t> message_length(const isa::Instruction& instruction,
                                            const Registers& registers) {
  std::optional<std::uint32_t> length;
  bool has_fabric = false;
  const auto look_at = [&](std::uint32_t number) {
    const std::optional<isa::Descriptor>& descriptor = registers[number];
    if (!descriptor) {
      length = 0;
      return;
    }
    has_fabric |= isa::has_colour(descriptor->kind);
    if (!descriptor->is_unbounded()) {
      length = std::min(length.value_or(descriptor->length), descriptor->length);
    }
  };
  if (instruction.destination_kind != 0) look_at(instruction.destination);
  if (instruction.source_a_operand() == isa::SourceKind::Descriptor) look_at(instruction.source_a);
  if (instruction.source_b_operand() == isa::SourceKind::Descriptor) look_at(instruction.source_b);
  return has_fabric ? std::optional(length.value_or(0)) : std::nullopt;
}

// Follows what the instruction does to descriptor registers.
void follow(const isa::Instruction& instruction, const ProgramInstance& instance,
            Registers& registers) {
  switch (instruction.op) {
    case isa::Op::LoadDescriptor:
      registers[instruction.destination] =
          isa::resolve(instance.program->program->descriptors[instruction.target], instance.slots);
      break;
    case isa::Op::CopyDescriptor:
      registers[instruction.destination] = registers[instruction.source_a];
      break;
    case isa::Op::SetLength: registers[instruction.destination].reset(); break;
    default: break;
  }
}

// Of its instructions that use the fabric at least half are long.
bool has_long_messages(const ProgramInstance& instance) {
  const LoadedProgram& program = *instance.program;
  Registers registers;
  std::size_t messages = 0;
  std::size_t long_ones = 0;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.begins[pc] == 0) continue;
    const isa::Instruction& instruction = program.code[pc];
    follow(instruction, instance, registers);
    if (!isa::info(instruction.op).is_vector()) continue;
    const auto length = message_length(instruction, registers);
    messages += length ? 1 : 0;
    long_ones += length.value_or(0) >= kLongMessage ? 1 : 0;
  }
  return long_ones > 0 && 2 * long_ones >= messages;
}

}  // namespace

WaferWorth wafer_worth(const isa::Topology& mesh, const Loaded& loaded) {
  if (loaded.placed().size() < kFewPes) return {};
  std::vector<bool> is_long;
  for (const ProgramInstance& instance : loaded.instances()) {
    is_long.push_back(has_long_messages(instance));
  }
  std::size_t busy = 0;
  for (const PeId pe : loaded.placed()) busy += is_long[loaded.instance_of(pe)] ? 1 : 0;
  if (busy == 0) return {false, "messages of few words"};
  if (busy < kFewPes || busy < mesh.pes() / kShareOfPes) return {false, "few PEs that send much"};
  return {true, "long messages of many PEs"};
}

}  // namespace wse::vm
