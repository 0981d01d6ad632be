// A walk over the code, each word once.
#include "asm/code/reach.h"

#include <span>
#include <vector>

#include "isa/instruction/codec.h"
#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

using isa::Format;
using isa::Instruction;
using isa::Op;

template <class Visit>
void visit_all(std::span<const std::uint32_t> code, Visit visit) {
  for (std::uint32_t pc = 0; pc < code.size();) {
    const std::optional<Instruction> i = isa::decode(code.subspan(pc));
    if (!i) return;
    visit(*i, pc);
    pc += isa::info(i->op).words();
  }
}

// Registers that something else than a call writes: a return through one may lead anywhere.
std::uint32_t computed_registers(const isa::Program& program) {
  std::uint32_t computed = 0;
  for (const isa::Task& task : program.tasks) {
    for (const std::uint32_t argument : task.arguments) computed |= 1u << argument;
  }
  visit_all(program.code, [&computed](const Instruction& i, std::uint32_t) {
    const isa::InstructionInfo& row = isa::info(i.op);
    if (row.format == Format::Call) return;
    const std::string_view letters = isa::info(row.format).operands;
    const bool scalar = letters.find('d') != std::string_view::npos;
    const bool vector = letters.find('D') != std::string_view::npos && i.destination_kind == 0;
    if (scalar || vector) computed |= 1u << i.destination;
  });
  return computed;
}

// Where control may go from the instruction at `pc`, computed returns apart.
void add_successors(const Instruction& i, std::uint32_t pc, std::vector<std::uint32_t>& out) {
  const isa::InstructionInfo& row = isa::info(i.op);
  const bool jumps = row.format == Format::Jump;
  const bool ends_task = i.op == Op::EndTask && !isa::mutant(isa::Mutant::EndPasses);
  const bool ends = i.op == Op::Halt || ends_task || row.format == Format::Return;
  if (jumps || row.format == Format::Branch || row.format == Format::Call) out.push_back(i.target);
  if (!jumps && !ends) out.push_back(pc + row.words());
}

}  // namespace

bool any_reached(const isa::Program& program,
                 const std::function<bool(const Instruction&, std::uint32_t)>& visit) {
  const std::span<const std::uint32_t> code = program.code;
  std::vector<bool> seen(code.size(), false);
  std::vector<std::uint32_t> open;
  for (const isa::Task& task : program.tasks) open.push_back(task.entry);
  std::uint32_t computed = computed_registers(program);
  while (!open.empty()) {
    const std::uint32_t pc = open.back();
    open.pop_back();
    if (pc >= code.size() || seen[pc]) continue;
    seen[pc] = true;
    const std::optional<Instruction> instruction = isa::decode(code.subspan(pc));
    if (!instruction) continue;
    if (visit(*instruction, pc)) return true;
    const bool returns = isa::info(instruction->op).format == Format::Return;
    if (returns && (computed >> instruction->source_a & 1) != 0) {
      visit_all(code, [&open](const Instruction&, std::uint32_t place) { open.push_back(place); });
      computed = 0;  // once is enough
    }
    add_successors(*instruction, pc, open);
  }
  return false;
}

bool reaches(const isa::Program& program, Op op) {
  return any_reached(program, [op](const Instruction& i, std::uint32_t) { return i.op == op; });
}

}  // namespace wse::assembler
