// A walk over the code, each word once.
#include "asm/code/reach.h"

#include <span>
#include <vector>

#include "isa/instruction/codec.h"

namespace wse::assembler {
namespace {

using isa::Format;
using isa::Instruction;
using isa::Op;

// Where control may go from the instruction at `pc`.
void add_successors(const Instruction& i, std::uint32_t pc, std::vector<std::uint32_t>& out) {
  const isa::InstructionInfo& row = isa::info(i.op);
  const bool jumps = row.format == Format::Jump;
  const bool ends = i.op == Op::Halt || i.op == Op::EndTask || row.format == Format::Return;
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
  while (!open.empty()) {
    const std::uint32_t pc = open.back();
    open.pop_back();
    if (pc >= code.size() || seen[pc]) continue;
    seen[pc] = true;
    const std::optional<Instruction> instruction = isa::decode(code.subspan(pc));
    if (!instruction) continue;
    if (visit(*instruction, pc)) return true;
    add_successors(*instruction, pc, open);
  }
  return false;
}

bool reaches(const isa::Program& program, Op op) {
  return any_reached(program, [op](const Instruction& i, std::uint32_t) { return i.op == op; });
}

}  // namespace wse::assembler
