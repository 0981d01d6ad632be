// Collects what the program unblocks, then looks at what is blocked.
#include "asm/warnings/task_checks.h"

#include <algorithm>
#include <span>

#include "asm/code/reach.h"
#include "asm/syntax/code_places.h"
#include "isa/instruction/codec.h"

namespace wse::assembler {
namespace {

using isa::Format;
using isa::Instruction;
using isa::Op;
using isa::SlotValue;

// Returns the id that `block` or `unblock` names; nothing if a register does.
std::optional<SlotValue> named_id(const isa::Program& program, const Instruction& i) {
  switch (i.scalar_operand()) {
    case isa::ScalarKind::Immediate:
      return SlotValue{.value = static_cast<std::uint32_t>(i.immediate())};
    case isa::ScalarKind::Literal: return SlotValue{.value = program.literals[i.scalar]};
    case isa::ScalarKind::Slot: return SlotValue{.is_slot = true, .value = i.scalar};
    case isa::ScalarKind::Register: return std::nullopt;
  }
  return std::nullopt;
}

// Ids that a program may unblock, by an instruction, at the end of another one, or by a control
// wavelet.
struct Unblocked {
  std::vector<SlotValue> ids;
  bool any = false;  // registers name some, or descriptors from memory do

  bool is_empty() const { return ids.empty() && !any; }
  // Two names that are not alike can mean one task unless both are constants.
  bool may_hold(const SlotValue& id) const {
    return any || std::ranges::any_of(ids, [&id](const SlotValue& other) {
             return other == id || other.is_slot || id.is_slot;
           });
  }
};

Unblocked unblocked_by(const isa::Program& program) {
  Unblocked unblocked;
  for (const isa::DescriptorLiteral& literal : program.descriptors) {
    if (literal.options.on_control == isa::OnControl::Unblock)
      unblocked.ids.push_back(literal.task);
  }
  any_reached(program, [&](const Instruction& i, std::uint32_t) {
    if (i.op == Op::Unblock) {
      const std::optional<SlotValue> id = named_id(program, i);
      if (id) unblocked.ids.push_back(*id);
      unblocked.any |= !id;
    } else if (i.op == Op::FetchDescriptor) {
      unblocked.any = true;
    } else if (i.completion_action() == isa::Completion::Unblock) {
      unblocked.ids.push_back({.is_slot = i.completes_slot != 0, .value = i.completes});
    }
    return false;
  });
  return unblocked;
}

// Calls visit(instruction, pc) for what main does before anything decides which way it goes.
template <class Visit>
void visit_beginning(const isa::Program& program, Visit visit) {
  const auto main = std::ranges::find(program.tasks, isa::TaskKind::Main, &isa::Task::kind);
  if (main == program.tasks.end()) return;
  const std::span<const std::uint32_t> code = program.code;
  std::uint32_t pc = main->entry;
  for (std::size_t steps = 0; steps < code.size() && pc < code.size(); ++steps) {
    const std::optional<Instruction> i = isa::decode(code.subspan(pc));
    if (!i) return;
    const isa::InstructionInfo& row = isa::info(i->op);
    const bool ends = i->op == Op::Halt || i->op == Op::EndTask || row.format == Format::Branch ||
                      row.format == Format::Return;
    if (ends) return;
    visit(*i, pc);
    const bool jumps = row.format == Format::Jump || row.format == Format::Call;
    pc = jumps ? i->target : pc + row.words();
  }
}

void check_blocked(const isa::Program& program, const ProgramSyntax& syntax,
                   const Unblocked& unblocked, Reporter& reporter) {
  visit_beginning(program, [&](const Instruction& i, std::uint32_t pc) {
    if (i.op != Op::Block) return;
    const std::optional<SlotValue> id = named_id(program, i);
    if (!id || unblocked.may_hold(*id)) return;
    for (const isa::Task& task : program.tasks) {
      const bool may_be_blocked =
          task.kind != isa::TaskKind::Main && task.kind != isa::TaskKind::Teardown;
      if (!may_be_blocked || task.id != *id) continue;
      reporter.report(Problem::BlockedForEver, place_of(syntax, program, pc), task.name,
                      program.name);
    }
  });
}

// Colours without a data task start blocked, and with them the control tasks of their wavelets.
void check_control_tasks(const isa::Program& program, const ProgramSyntax& syntax,
                         const Unblocked& unblocked, Reporter& reporter) {
  const auto has = [&program](isa::TaskKind kind) {
    return std::ranges::find(program.tasks, kind, &isa::Task::kind) != program.tasks.end();
  };
  if (has(isa::TaskKind::Data) || !unblocked.is_empty()) return;
  for (const isa::Task& task : program.tasks) {
    if (task.kind != isa::TaskKind::Control) continue;
    reporter.report(Problem::ColoursBlocked, place_of(syntax, task), task.name, program.name);
  }
}

}  // namespace

void check_tasks(const isa::Program& program, const ProgramSyntax& syntax, Reporter& reporter) {
  if (program.has_main_only()) return;
  const Unblocked unblocked = unblocked_by(program);
  check_blocked(program, syntax, unblocked, reporter);
  check_control_tasks(program, syntax, unblocked, reporter);
}

void check_placed(const std::vector<const ProgramSyntax*>& syntax,
                  const std::vector<PlacedProgram>& placements, Reporter& reporter) {
  std::vector<bool> placed(syntax.size());
  for (const PlacedProgram& placement : placements) placed[placement.item.program] = true;
  for (std::size_t k = 0; k < syntax.size(); ++k) {
    const Named& name = syntax[k]->name;
    if (!placed[k] && name.where.file == 0) {
      reporter.report(Problem::NeverPlaced, name.where, name.text);
    }
  }
}

}  // namespace wse::assembler
