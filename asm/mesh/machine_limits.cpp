// A row of diagnostics.def and a place for every breach.
#include "asm/mesh/machine_limits.h"

#include <algorithm>

#include "asm/syntax/code_places.h"
#include "asm/syntax/rewrites.h"

namespace wse::assembler {

using isa::MachineBreach;
using isa::MachineLimit;
using isa::SourceRange;

void MachineLimits::check(const std::vector<PlacedRoute>& routes,
                          const std::vector<FabricInputs>& inputs) {
  for (const FabricInputs& receiving : inputs) {
    reporter_.report(Problem::ManyInputs, receiving.where, receiving.count, profile_.name,
                     counted(profile_.fabric_inputs, "fabric input"));
  }
  for (const MachineBreach& breach : isa::machine_breaches(image_, profile_)) {
    report(breach, place_of(breach, routes));
  }
}

void MachineLimits::check_placements(const std::vector<PlacedProgram>& placements) {
  for (const MachineBreach& breach : isa::placed_breaches(image_, profile_)) {
    report(breach, placements[*breach.placement].syntax->program.where);
  }
}

void MachineLimits::report(const MachineBreach& breach, const SourceRange& where) {
  const std::string program = breach.program ? image_.programs[*breach.program].name : "";
  const std::string pe = breach.placement ? fmt::format(" at PE ({}, {})", breach.x, breach.y) : "";
  switch (breach.limit) {
    case MachineLimit::SwitchColour: return report_switch(breach, where, pe);
    case MachineLimit::ColourChange:
      reporter_.report(Problem::ColourChange, where, isa::info(isa::Op::SetColour).mnemonic,
                       profile_.name);
      return;
    case MachineLimit::InputQueues:
      reporter_.report(Problem::InputQueues, where, program, breach.number, profile_.name,
                       profile_.input_queues, pe);
      return;
    case MachineLimit::OutputQueues:
      reporter_.report(Problem::OutputQueues, where, program, breach.number, profile_.name,
                       profile_.output_queues, pe);
      return;
    case MachineLimit::LocalId:
      reporter_.report(Problem::LocalId, where, breach.number, profile_.name,
                       profile_.first_local_id, isa::kLocalIds - 1);
      if (const HeaderSyntax* const header = header_of(breach); header != nullptr) {
        reporter_.spells(removed_behind(header->name.where, unit_[header->id]));
      }
      return;
    case MachineLimit::Colour:  // constant: refused already where it is defined
    case MachineLimit::SwitchPositions:
    case MachineLimit::PositionSides:  // refused already where the positions are read
      reporter_.report(Problem::BadValue, where, isa::text(breach, image_, profile_));
  }
}

void MachineLimits::report_switch(const MachineBreach& breach, const SourceRange& where,
                                  std::string_view pe) {
  const std::string colour = image_.colour_name(breach.number);
  const auto name_of = [](const Binding& binding) { return binding.name.text; };
  const auto pinned = reporter_.may_suggest()
                          ? std::ranges::find(unit_.colours, std::string_view(colour), name_of)
                          : unit_.colours.end();
  const bool is_pinned = pinned != unit_.colours.end() && pinned->value != kNoExpr;
  reporter_.report(Problem::NoSwitch, where, colour, breach.number, profile_.name,
                   isa::colour_list(profile_.switch_colours), pe, is_pinned ? colour : "");
  if (is_pinned) reporter_.spells(without_value(unit_, *pinned));
}

SourceRange MachineLimits::place_of(const MachineBreach& breach,
                                    const std::vector<PlacedRoute>& routes) const {
  if (!breach.program) {
    const std::vector<PositionSyntax>& positions = routes[breach.index].syntax->routing.positions;
    return positions[std::min<std::size_t>(1, positions.size() - 1)].where;
  }
  switch (breach.limit) {
    case MachineLimit::SwitchColour: return instruction_at(breach, isa::Op::SetRoute);
    case MachineLimit::ColourChange: return instruction_at(breach, isa::Op::SetColour);
    case MachineLimit::LocalId: return task_id(breach);
    default: return programs_[*breach.program]->name.where;
  }
}

SourceRange MachineLimits::instruction_at(const MachineBreach& breach, isa::Op op) const {
  return assembler::place_of(*programs_[*breach.program], breach.where, isa::info(op).mnemonic);
}

SourceRange MachineLimits::task_id(const MachineBreach& breach) const {
  const HeaderSyntax* const header = header_of(breach);
  return header == nullptr ? programs_[*breach.program]->name.where : unit_[header->id].where;
}

const HeaderSyntax* MachineLimits::header_of(const MachineBreach& breach) const {
  const ProgramSyntax& program = *programs_[*breach.program];
  const std::string& name = image_.programs[*breach.program].tasks[breach.index].name;
  const auto found = std::ranges::find_if(program.headers, [&name](const HeaderSyntax& header) {
    return !header.is_function && header.name.text == name && header.id != kNoExpr;
  });
  return found == program.headers.end() ? nullptr : &*found;
}

}  // namespace wse::assembler
