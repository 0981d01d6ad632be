// Follows code from an instruction on to everything that stops a stretch.
#include "vm/pe/register_code.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/scalar_step.h"

namespace wse::vm {
namespace {

// Instructions that are looked at: stretches that may come to more are long, and few.
constexpr std::size_t kMost = 256;

// Where execution may go on after the instruction.
enum class Way : std::uint8_t {
  Next,    // after it
  Jump,    // at its target
  Branch,  // at either
  Ends,    // nowhere, for it stops the stretch
  Unknown  // anywhere, or it depends on more than registers
};

Way way_of(const isa::Instruction& i) {
  if (may_be_passed(i)) return Way::Next;
  switch (isa::info(i.op).format) {
    case isa::Format::Reg2:
    case isa::Format::Reg3:
    case isa::Format::Reg4:
    case isa::Format::LoadDescriptor:
    case isa::Format::DescriptorCopy:
    case isa::Format::DescriptorSet:
    case isa::Format::DescriptorGet:
    case isa::Format::Assert: return Way::Next;
    case isa::Format::Read: return i.op == isa::Op::ReadLeft ? Way::Next : Way::Unknown;
    case isa::Format::Branch: return Way::Branch;
    case isa::Format::Jump:
    case isa::Format::Call: return Way::Jump;
    case isa::Format::Load:
      if (isa::mutant(isa::Mutant::CohortMemory)) return Way::Next;
      [[fallthrough]];
    case isa::Format::LoadIndexed:
    case isa::Format::Store:
    case isa::Format::StoreIndexed:
    case isa::Format::DescriptorLoad:
    case isa::Format::DescriptorStore:
    case isa::Format::Return: return Way::Unknown;
    default: return Way::Ends;  // stop points, marks and prints
  }
}

}  // namespace

bool RegisterCode::look(const LoadedProgram& program, std::uint32_t pc) {
  std::vector<std::uint32_t> found{pc};
  const auto go_to = [&](std::uint32_t next) {
    if (std::ranges::find(found, next) == found.end()) found.push_back(next);
  };
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k == kMost || found[k] >= program.code.size()) return false;
    const isa::Instruction& i = program.code[found[k]];
    const std::uint32_t after = found[k] + isa::info(i.op).words();
    switch (way_of(i)) {
      case Way::Next: go_to(after); break;
      case Way::Jump: go_to(i.target); break;
      case Way::Branch:
        go_to(after);
        go_to(i.target);
        break;
      case Way::Ends: break;
      case Way::Unknown: return false;
    }
  }
  return true;
}

}  // namespace wse::vm
