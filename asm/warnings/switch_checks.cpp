// Collects the colours whose switches something moves, then looks at the routes.
#include "asm/warnings/switch_checks.h"

#include <algorithm>

#include "isa/instruction/each_instruction.h"
#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

constexpr std::uint32_t kAllColours = ~0u;

std::uint32_t mask_of(const isa::SlotValue& colour) {
  return colour.is_slot ? kAllColours : 1u << colour.value;
}

// Colours whose switches this instruction moves, or gives to a descriptor that may.
std::uint32_t moved_by(const isa::Instruction& instruction) {
  switch (instruction.op) {
    case isa::Op::SetSwitchPosition:
      return mask_of({instruction.colour_kind != 0, instruction.colour});
    case isa::Op::SetColour: return kAllColours;
    case isa::Op::FetchDescriptor: return isa::mutant(isa::Mutant::FetchStays) ? 0 : kAllColours;
    default: return 0;
  }
}

// A mask of colours.
std::uint32_t moved_by(const isa::Program& program) {
  std::uint32_t moved = 0;
  for (const isa::DescriptorLiteral& literal : program.descriptors) {
    if (literal.options.control || literal.options.advance) moved |= mask_of(literal.colour);
  }
  const bool whole = isa::for_each_instruction(
      program.code, [&moved](const isa::Instruction& i, std::uint32_t) { moved |= moved_by(i); });
  return whole ? moved : kAllColours;
}

}  // namespace

void check_switches(const std::vector<isa::Program>& programs,
                    const std::vector<PlacedRoute>& routes, const Unit& unit, Reporter& reporter) {
  const auto has_switch = [](const PlacedRoute& route) {
    return route.item.routing.positions.size() > 1 && !route.item.rect.empty();
  };
  if (std::ranges::none_of(routes, has_switch)) return;
  std::uint32_t moved = 0;
  for (const isa::Program& program : programs) moved |= moved_by(program);
  for (const PlacedRoute& route : routes) {
    // A file that is included may hold more than one program uses.
    if (!has_switch(route) || route.syntax->where.file != 0) continue;
    if (route.item.start != 0) continue;  // another one is never reached
    if ((moved >> route.item.colour & 1) != 0) continue;
    reporter.report(Problem::PositionUnreached, route.syntax->routing.positions[1].where,
                    unit[route.syntax->colour].text);
  }
}

}  // namespace wse::assembler
