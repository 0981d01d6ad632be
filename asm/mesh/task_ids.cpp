// Evaluates the colours PE by PE, as the loader does.
#include "asm/mesh/task_ids.h"

#include <algorithm>

#include "asm/mesh/placing.h"
#include "asm/mesh/varying_pes.h"
#include "asm/program/header_resolver.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {
namespace {

using isa::FormulaOp;
using isa::TaskKind;

constexpr std::uint32_t kAnyColour = (1u << isa::kMaxColours) - 1;

// Whether a local task may get an id that a colour can have.
bool may_meet_colours(const ProgramSyntax& program) {
  const auto has_id = [](const HeaderSyntax& header) {
    return !header.is_function &&
           (header.kind == TaskKind::Local || header.kind == TaskKind::Control);
  };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(program.headers, has_id));
  return count > std::size(kIdsWithoutColour);
}

class DataColours {
 public:
  DataColours(const Unit& unit, const Globals& globals, const ProgramSyntax& syntax)
      : unit_(unit), globals_(globals) {
    image_.width = globals.width;
    image_.height = globals.height;
    image_.parameters = globals.parameters;
    image_.programs.emplace_back();
    add_parameters(syntax);
    for (const HeaderSyntax& header : syntax.headers) {
      if (!header.is_function && header.kind == TaskKind::Data) add_colour(header.id);
    }
  }

  // Returns the colours, as bits, that any placement of the program gives its data tasks.
  std::uint32_t run(const std::vector<isa::Placement>& placements) {
    if (program().derived.empty()) return 0;
    for (const isa::Placement& placement : placements) add_placement(placement);
    return colours_;
  }

 private:
  isa::Program& program() { return image_.programs[0]; }

  void add_parameters(const ProgramSyntax& syntax) {
    for (const ParameterSyntax& parameter : syntax.parameters) {
      const auto index = static_cast<std::uint32_t>(program().parameters.size());
      if (!names_.define(parameter.name, NameKind::Parameter, index, unheard_)) continue;
      program().parameters.push_back({std::string(parameter.name.text), parameter.type});
    }
  }

  // A constant one is known where ids are chosen.
  void add_colour(ExprId id) {
    std::optional<isa::Formula> formula =
        FormulaBuilder(unit_, globals_, unheard_, {.locals = &names_}).build(id);
    if (!formula || formula->is_constant()) return;
    if (isa::uses(*formula, FormulaOp::Global)) colours_ = kAnyColour;
    program().derived.push_back({isa::Type::Colour, std::move(*formula)});
  }

  void add_placement(isa::Placement placement) {
    placement.program = 0;
    const auto changes = [](const isa::Formula& f) { return isa::uses(f, FormulaOp::Global); };
    if (std::ranges::any_of(placement.arguments, changes)) colours_ = kAnyColour;
    const isa::StridedRect pes = varying_pes(program(), placement);
    isa::PlacementValues values(image_, placement);
    isa::for_each_until(pes, [&](std::uint32_t x, std::uint32_t y) {
      if (values.move_to(x, y)) add_values(values);
      // Placements that cover more than the grid are refused later.
      return colours_ != kAnyColour && ++visited_ < std::uint64_t{image_.width} * image_.height;
    });
  }

  void add_values(const isa::PlacementValues& values) {
    const auto derived =
        values.slots().subspan(isa::kBuiltinSlotCount + program().parameters.size());
    for (const std::uint32_t colour : derived) {
      if (colour < isa::kMaxColours) colours_ |= 1u << colour;
    }
  }

  const Unit& unit_;
  const Globals& globals_;
  isa::Image image_;  // of the program alone: its parameters, and a derived slot for each colour
  NameTable names_;
  Reporter unheard_;
  std::uint32_t colours_ = 0;
  std::uint64_t visited_ = 0;
};

}  // namespace

void find_data_colours(Unit& unit, const Globals& globals, const isa::Profile& profile) {
  if (std::ranges::none_of(unit.programs, may_meet_colours)) return;
  std::vector<const ProgramSyntax*> programs;
  NameTable names;
  Reporter unheard;
  for (const ProgramSyntax& program : unit.programs) {
    names.define(program.name, NameKind::Other, static_cast<std::uint32_t>(programs.size()),
                 unheard);
    programs.push_back(&program);
  }
  std::vector<std::vector<isa::Placement>> placements(programs.size());
  for (PlacedProgram& placed :
       Placer(unit, globals, profile, programs, names, unheard).placements()) {
    placements[placed.item.program].push_back(std::move(placed.item));
  }
  for (std::size_t k = 0; k < programs.size(); ++k) {
    if (!may_meet_colours(*programs[k])) continue;
    unit.programs[k].data_colours = DataColours(unit, globals, *programs[k]).run(placements[k]);
  }
}

}  // namespace wse::assembler
