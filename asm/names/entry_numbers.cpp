// Reads headers and placements before entries have numbers; errors are reported where these are
// resolved.
#include "asm/names/entry_numbers.h"

#include <algorithm>

#include "asm/names/formulas.h"

namespace wse::assembler {
namespace {

using isa::TaskKind;

static_assert(isa::kTaskIds <= 64);

class IdsBeside {
 public:
  IdsBeside(const Unit& unit, const Globals& globals, const ProgramSyntax& program)
      : unit_(unit), globals_(globals), program_(program) {
    for (const ParameterSyntax& parameter : program.parameters) {
      parameters_.define(parameter.name, NameKind::Parameter, 0, unheard_);
    }
  }

  std::uint64_t run() {
    for (const HeaderSyntax& header : program_.headers) {
      if (header.is_function || header.id == kNoExpr) continue;
      if (header.kind == TaskKind::Local) add(header.id);
      if (header.kind == TaskKind::Data) add_colour(header.id);
    }
    return ids_;
  }

 private:
  void add_colour(ExprId id) {
    const Expr& colour = unit_[id];
    if (colour.kind != ExprKind::Name || parameters_.find(colour.text) == nullptr) return add(id);
    for (const ParameterSyntax& parameter : program_.parameters) {
      if (parameter.name.text == colour.text) add_values(parameter);
    }
  }

  void add_values(const ParameterSyntax& parameter) {
    for (const PlaceSyntax& placement : unit_.placements) {
      if (placement.program.text != program_.name.text) continue;
      const auto given =
          std::ranges::find_if(placement.arguments, [&parameter](const Binding& argument) {
            return argument.name.text == parameter.name.text;
          });
      add(given == placement.arguments.end() ? parameter.value : given->value);
    }
  }

  void add(ExprId id) {
    if (id == kNoExpr) return;
    FormulaBuilder builder(unit_, globals_, unheard_,
                           {.level = FormulaScope::Level::Fixed, .locals = &parameters_});
    const std::optional<std::int64_t> number = builder.whole(id, "", 0, isa::kTaskIds - 1);
    if (number) ids_ |= std::uint64_t{1} << *number;
  }

  const Unit& unit_;
  const Globals& globals_;
  const ProgramSyntax& program_;
  Reporter unheard_;
  NameTable parameters_;
  std::uint64_t ids_ = 0;
};

}  // namespace

std::uint64_t ids_beside(const Unit& unit, const Globals& globals, std::string_view entry) {
  std::uint64_t ids = 0;
  for (const ProgramSyntax& program : unit.programs) {
    const auto is_control = [&](const HeaderSyntax& header) {
      return !header.is_function && header.kind == TaskKind::Control && header.id != kNoExpr &&
             unit[header.id].kind == ExprKind::Name && unit[header.id].text == entry;
    };
    if (std::ranges::any_of(program.headers, is_control)) {
      ids |= IdsBeside(unit, globals, program).run();
    }
  }
  return ids;
}

}  // namespace wse::assembler
