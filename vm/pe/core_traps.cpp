// Says what the traps of cores are about.
#include "vm/pe/core_traps.h"

#include <fmt/format.h>

#include "vm/pe/print_text.h"

namespace wse::vm {

void CoreTraps::raise(PeId pe, std::uint32_t pc, Complaint complaint, Cycle now) {
  parts_.tape.spoil();
  parts_.trap.raise({complaint.trap, now, pe, pc, std::move(complaint.detail)});
}

void CoreTraps::halt(PeId pe, Core& core, Complaint complaint, Cycle now) {
  raise(pe, core.state.pc, std::move(complaint), now);
  core.main = Core::Main::Halted;
}

void CoreTraps::expect(PeId pe, isa::Trap trap, std::uint32_t address) {
  parts_.tape.spoil();
  Expected& expected = expected_[pe];
  expected.trap = trap;
  expected.address = address;
}

void CoreTraps::raise_expected(PeId pe, const Core& core, Cycle now) {
  const Expected& expected = expected_[pe];
  raise(pe, core.state.pc, {expected.trap, text(core, expected)}, now);
}

std::string CoreTraps::bad_descriptor_text(const Core& core, const Expected& trap) {
  const isa::Instruction& i = core.instruction();
  std::string text = fmt::format("descriptor register d{}", trap.address);
  if (isa::info(i.op).format != isa::Format::DescriptorSet) return text;
  const std::uint32_t value = isa::semantics::scalar_operand(core.state, i);
  text += fmt::format(" cannot get {}", static_cast<std::int32_t>(value));
  if (i.op == isa::Op::SetLength) text += fmt::format("; a length is 0 to {}", isa::kMaxLength);
  return text;
}

std::string CoreTraps::text(const Core& core, const Expected& trap) const {
  const isa::PeState& state = core.state;
  switch (trap.trap) {
    case isa::Trap::FifoMisuse:
    case isa::Trap::MemoryRace: return trap.detail;
    case isa::Trap::OutsideMemory:
    case isa::Trap::Misaligned:
      return fmt::format("byte address {} of {} bytes of data", trap.address, state.memory_bytes);
    case isa::Trap::UnsetDescriptor: return fmt::format("descriptor register d{}", trap.address);
    case isa::Trap::BadDescriptor: return bad_descriptor_text(core, trap);
    case isa::Trap::BadReturn:
      return fmt::format("code word {} of {}", trap.address, state.view->code_words);
    case isa::Trap::NoProgress:
      return fmt::format("{} instructions within one cycle", parts_.profile.stretch_instructions);
    case isa::Trap::Assertion: {
      const isa::Instruction& i = core.instruction();
      const auto type = static_cast<isa::Type>(i.compared_type);
      return fmt::format("{} {} {}", value_text(state.r[i.source_a], type),
                         isa::kConditionTexts[i.condition],
                         value_text(isa::semantics::scalar_operand(state, i), type));
    }
    default: return {};
  }
}

}  // namespace wse::vm
