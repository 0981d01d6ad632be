// Reads each program once, and each PE once.
#include "asm/warnings/colour_uses.h"

#include <algorithm>

#include "isa/image/placement_values.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

// A colour beyond those of the machine is an error that others report.
std::uint32_t bit_of(std::uint32_t colour) { return colour < isa::kMaxColours ? 1u << colour : 0; }

}  // namespace

bool sends_words(const isa::DescriptorLiteral& literal) {
  const bool empty = !literal.length.is_slot && literal.length.value == 0;
  return literal.kind == isa::DescriptorKind::FabricOut && !literal.options.control && !empty;
}

ColourUses::ColourUses(const isa::Image& image, const std::vector<PlacedProgram>& placements) {
  std::vector<Named> named;
  for (const isa::Program& program : image.programs) named.push_back(named_by(program));
  const bool sends = std::ranges::any_of(
      named, [](const Named& n) { return n.constant.sent != 0 || !n.sent_slots.empty(); });
  if (!sends) return;
  at_.resize(std::size_t{image.width} * image.height);
  for (const PlacedProgram& placed : placements) {
    if (!placed.item.rect.empty()) add(image, placed.item, named[placed.item.program]);
  }
}

ColourUses::Named ColourUses::named_by(const isa::Program& program) {
  Named named;
  const auto add = [](const isa::SlotValue& colour, std::uint32_t& constant,
                      std::vector<std::uint32_t>& slots) {
    if (!colour.is_slot) {
      constant |= bit_of(colour.value);
    } else if (std::ranges::find(slots, colour.value) == slots.end()) {
      slots.push_back(colour.value);
    }
  };
  for (const isa::DescriptorLiteral& literal : program.descriptors) {
    if (isa::receives(literal.kind)) {
      add(literal.colour, named.constant.received, named.received_slots);
    } else if (sends_words(literal)) {
      add(literal.colour, named.constant.sent, named.sent_slots);
    }
  }
  for (const isa::Task& task : program.tasks) {
    if (task.kind != isa::TaskKind::Data) continue;
    add(task.id, named.constant.received, named.received_slots);
  }
  isa::for_each_instruction(program.code, [&named](const isa::Instruction& i, std::uint32_t) {
    const bool computes = i.op == isa::Op::SetColour || i.op == isa::Op::FetchDescriptor;
    if (computes) named.constant.received = ~0u;
  });
  return named;
}

void ColourUses::add(const isa::Image& image, const isa::Placement& placement, const Named& named) {
  const bool varies = !named.received_slots.empty() || !named.sent_slots.empty();
  isa::PlacementValues values(image, placement);
  isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
    Masks& masks = at_[std::size_t{y} * image.width + x];
    masks = named.constant;
    if (varies && values.move_to(x, y)) {
      for (const std::uint32_t k : named.received_slots) {
        masks.received |= bit_of(values.slots()[k]);
      }
      for (const std::uint32_t k : named.sent_slots) masks.sent |= bit_of(values.slots()[k]);
    }
    sent_anywhere_ |= masks.sent;
  });
}

}  // namespace wse::assembler
