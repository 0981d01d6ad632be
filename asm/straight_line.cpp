// The rules of isa/TIMING.md for instructions that follow each other.
#include "asm/straight_line.h"

#include <algorithm>

#include "isa/machine/timing.h"
#include "isa/semantics/execute.h"

namespace wse::assembler {
namespace {

constexpr bool kSeesFinish[] = {
#define INSTRUCTION(name, ...) isa::semantics::sees_finish<isa::Op::name>(),
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

bool waits_for_drain(isa::Op op) {
  return kSeesFinish[static_cast<int>(op)] || op == isa::Op::Halt || op == isa::Op::EndTask;
}

// Returns whether no path leads from the instruction to the one below it.
bool goes_elsewhere(const isa::InstructionInfo& row) {
  return row.format == isa::Format::Jump || row.format == isa::Format::Call ||
         row.format == isa::Format::Return || row.op == isa::Op::Halt || row.op == isa::Op::EndTask;
}

}  // namespace

void StraightLine::begin() {
  now_ = settled_ = drained_ = 0;
  held_ = {};
}

isa::Cost StraightLine::next(const isa::Instruction& instruction, const isa::Program& program) {
  const isa::InstructionInfo& row = isa::info(instruction.op);
  if (row.is_vector()) return of_vector(instruction, isa::cost_of(profile_, row.cost));
  const isa::Cost price = of_scalar(instruction, program);
  note_descriptor(instruction, program);
  if (goes_elsewhere(row)) begin();
  return price;
}

isa::Cost StraightLine::of_vector(const isa::Instruction& instruction, isa::Cost price) {
  const bool follows = profile_.vector_overlap != 0;
  const std::uint64_t first =
      follows ? std::max(now_, settled_) : now_ + profile_.vector_start_cycles;
  const bool tells_of_its_end = instruction.destination_kind == 0 || uses_fifo(instruction);
  const bool goes_on = follows && instruction.asynchronous == 0 && !tells_of_its_end;
  const std::uint64_t finish = first + profile_.vector_drain_cycles;
  price.cycles = static_cast<std::uint32_t>((goes_on ? first : finish) - now_);
  if (instruction.asynchronous != 0) return price;
  now_ += price.cycles;
  drained_ = std::max(drained_, finish);
  return price;
}

isa::Cost StraightLine::of_scalar(const isa::Instruction& instruction,
                                  const isa::Program& program) {
  const isa::InstructionInfo& row = isa::info(instruction.op);
  const bool loads = row.format == isa::Format::LoadDescriptor;
  isa::Cost price =
      loads ? isa::descriptor_cost(profile_, row.cost,
                                   program.descriptors[instruction.target].further)
            : isa::cost_of(profile_,
                           instruction.is_awaited ? isa::CostClass::AwaitedFloat : row.cost);
  if (waits_for_drain(instruction.op) && drained_ > now_) {
    price.cycles += static_cast<std::uint32_t>(drained_ - now_);
  }
  now_ += price.cycles;
  return price;
}

bool StraightLine::uses_fifo(const isa::Instruction& instruction) const {
  const auto is_fifo = [this](std::uint32_t kind, std::uint32_t descriptor_kind,
                              std::uint32_t number) {
    return kind == descriptor_kind && held_[number] == isa::DescriptorKind::Fifo;
  };
  constexpr auto kDescriptor = static_cast<std::uint32_t>(isa::SourceKind::Descriptor);
  return is_fifo(instruction.destination_kind, 1, instruction.destination) ||
         is_fifo(instruction.source_a_kind, kDescriptor, instruction.source_a) ||
         is_fifo(instruction.source_b_kind, kDescriptor, instruction.source_b);
}

// Remembers what a descriptor register holds, as far as the program says it, and that it must
// settle.
void StraightLine::note_descriptor(const isa::Instruction& instruction,
                                   const isa::Program& program) {
  const isa::Format format = isa::info(instruction.op).format;
  if (!isa::info(format).operands.contains('E')) return;
  settled_ = now_ + isa::cost_of(profile_, isa::CostClass::Settling).cycles;
  isa::DescriptorKind& held = held_[instruction.destination];
  if (format == isa::Format::LoadDescriptor) {
    held = program.descriptors[instruction.target].kind;
  } else if (instruction.op == isa::Op::CopyDescriptor) {
    held = held_[instruction.source_a];
  } else if (format == isa::Format::DescriptorLoad) {
    held = isa::DescriptorKind::None;
  }
}

}  // namespace wse::assembler
