// Reads code from its first line to its last, as if nothing jumped.
#include "vm/wafer_worth.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/instruction/instruction.h"
#include "vm/wafer/grid.h"

namespace wse::vm {
namespace {

// Words of a message from which on a train costs no more than its words one by one. In a row of 512
// PEs that is so from 32 words on, where many PEs work from 8 to 16.
constexpr std::uint32_t kLongMessage = 32;
constexpr std::uint32_t kLongMessageOfMany = 16;
constexpr std::size_t kManyPes = 4096;
// PEs that send or take such messages: of a machine, and of a block on average. With fewer planes
// are mostly empty.
constexpr std::size_t kFewPes = 64;

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

// Of its instructions that use the fabric at least half have so many words.
bool has_long_messages(const ProgramInstance& instance, std::uint32_t words) {
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
    long_ones += length.value_or(0) >= words ? 1 : 0;
  }
  return long_ones > 0 && 2 * long_ones >= messages;
}

// Blocks of the wafer in which some of the PEs lie. All ascend.
std::size_t blocks_with(const std::vector<PeId>& some, const isa::Topology& mesh,
                        const std::vector<PeId>& placed) {
  auto next = placed.begin();
  const wafer::Box box =
      wafer::Box::around(mesh, {placed.front(), placed.back() + 1}, [&](PeId pe) {
        while (*next < pe) ++next;
        return *next == pe;
      });
  const wafer::Grid grid(mesh, box);
  std::vector<bool> has(grid.blocks());
  for (const PeId pe : some) has[grid.block_of(pe)] = true;
  return static_cast<std::size_t>(std::ranges::count(has, true));
}

}  // namespace

WaferWorth wafer_worth(const isa::Topology& mesh, const Loaded& loaded) {
  if (loaded.placed().size() < kFewPes) return {};
  const std::uint32_t words = loaded.placed().size() < kManyPes ? kLongMessage : kLongMessageOfMany;
  std::vector<bool> is_long;
  for (const ProgramInstance& instance : loaded.instances()) {
    is_long.push_back(has_long_messages(instance, words));
  }
  std::vector<PeId> busy;
  for (const PeId pe : loaded.placed()) {
    if (is_long[loaded.instance_of(pe)]) busy.push_back(pe);
  }
  if (busy.empty()) return {false, "messages of few words"};
  if (busy.size() < kFewPes * blocks_with(busy, mesh, loaded.placed())) {
    return {false, "few PEs that send much"};
  }
  return {true, "long messages of many PEs"};
}

}  // namespace wse::vm
