// Which codes a program needs: one for each set of values that its constant parameters take, and of
// optional colours that are given, where it is placed.
//
// A constant may differ from PE to PE of one `.place`; that line then becomes several, each with a
// strided rectangle of PEs whose constants are equal.
#pragma once

#include <vector>

#include "asm/names/globals.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

// A placement in place of the one with that index; its constants are gone.
struct RolePlacement {
  std::size_t index = 0;
  PlaceSyntax syntax{};
};

struct Role {
  std::vector<isa::Number> constants{};  // of the constant parameters, in their order
  std::vector<bool> given{};             // whether each optional colour is
  std::vector<RolePlacement> placements{};
  isa::SourceRange where{};  // of the first placement

  bool is_same(const Role& other) const {
    return constants == other.constants && given == other.given;
  }
};

// Whether code of the program depends on constants: it has such parameters, or blocks.
bool has_roles(const ProgramSyntax& program);

// Returns the roles in the order of the placements; one without placements for a program that has
// only blocks. New expressions go to the unit. Errors are reported; nothing is placed where one is.
std::vector<Role> roles_of(const ProgramSyntax& program, Unit& unit, const Globals& globals,
                           Reporter& reporter);

// Returns "heat(west=1, tx=absent)": the role by the constants and optional colours in which it
// differs from others of `roles`.
std::string role_text(const ProgramSyntax& program, const std::vector<Role>& roles,
                      const Role& role);

}  // namespace wse::assembler
