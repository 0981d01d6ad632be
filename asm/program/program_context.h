// Everything that is known while one program is built: what is given, the image that is made, and
// the parts that own what names became.
#pragma once

#include <string_view>
#include <unordered_set>

#include "asm/names/formulas.h"
#include "asm/names/globals.h"
#include "asm/names/names.h"
#include "asm/names/queue_uses.h"
#include "asm/program/data_symbols.h"
#include "asm/program/header_plans.h"
#include "asm/program/labels.h"
#include "asm/program/numbered_names.h"
#include "asm/program/pools.h"
#include "asm/program/program_addresses.h"
#include "asm/program/register_numbers.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

struct ProgramContext {
  ProgramContext(const Unit& unit_, const ProgramSyntax& syntax_, const Globals& globals_,
                 const isa::Profile& profile_, Reporter& reporter_)
      : unit(unit_),
        syntax(syntax_),
        globals(globals_),
        profile(profile_),
        reporter(reporter_),
        mistakes_before_(reporter_.mistakes()) {}
  ProgramContext(const ProgramContext&) = delete;
  ProgramContext& operator=(const ProgramContext&) = delete;

  FormulaBuilder formulas(FormulaScope::Level level = FormulaScope::Level::Placed,
                          bool index = false) const {
    return FormulaBuilder(
        unit, globals, reporter,
        {.level = level, .index = index, .locals = &names, .addresses = &addresses});
  }
  // False (and a diagnostic) if the name is taken or no program may define it.
  bool define(const Named& name, NameKind kind, std::size_t index) {
    return may_define(name, kind, reporter) &&
           names.define(name, kind, static_cast<std::uint32_t>(index), reporter);
  }
  // Mistakes of other programs and of the top level do not count.
  bool has_mistakes() const { return reporter.mistakes() > mistakes_before_; }

  const Unit& unit;
  const ProgramSyntax& syntax;
  const Globals& globals;
  const isa::Profile& profile;
  Reporter& reporter;

  isa::Program program;
  Pools pools{program, globals};
  DataSymbols data{program};

  NameTable names;
  std::unordered_set<std::string_view> broken_names;  // data, descriptors, FIFOs with an error
  RegisterNumbers registers = RegisterNumbers::general(names);
  RegisterNumbers descriptor_registers = RegisterNumbers::descriptors(names);
  NumberedNames microthreads;
  NumberedNames queues;
  QueueUses queue_uses;
  NameTable routings;  // numbers are those of the image
  NameTable filters;
  HeaderPlans headers{syntax.headers};
  Labels labels{unit.scope_parents};
  ProgramAddresses addresses{*this};

 private:
  const std::size_t mistakes_before_;
};

}  // namespace wse::assembler
