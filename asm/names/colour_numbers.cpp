// Reads routes and instructions before anything has a number.
#include "asm/names/colour_numbers.h"

#include <algorithm>

#include "isa/instruction/instruction.h"

namespace wse::assembler {
namespace {

void add_name(const Unit& unit, ExprId id, std::unordered_set<std::string_view>& names) {
  if (id != kNoExpr && unit[id].kind == ExprKind::Name) names.insert(unit[id].text);
}

bool is_switched(const ProgramSyntax& program, const Expr& routing) {
  return std::ranges::any_of(program.routings, [&routing](const NamedRoutingSyntax& named) {
    return named.name.text == routing.text && named.routing.positions.size() > 1;
  });
}

}  // namespace

std::unordered_set<std::string_view> switched_colours(const Unit& unit) {
  std::unordered_set<std::string_view> names;
  for (const RouteSyntax& route : unit.routes) {
    if (route.routing.positions.size() > 1) add_name(unit, route.colour, names);
  }
  for (const ProgramSyntax& program : unit.programs) {
    if (program.routings.empty()) continue;
    for (const BodySyntax& body : program.body) {
      const bool writes = body.kind == BodySyntax::Kind::Instruction && body.operands == 2 &&
                          body.name.text == isa::info(isa::Op::SetRoute).mnemonic;
      if (!writes || !is_switched(program, unit[unit.operands[body.first_operand + 1]])) continue;
      add_name(unit, unit.operands[body.first_operand], names);
    }
  }
  return names;
}

}  // namespace wse::assembler
