// Begins and ends a macro; the lines between are those of every body.
#include "asm/syntax/macro_parser.h"

namespace wse::assembler {

void MacroParser::macro() {
  MacroSyntax made;
  made.name = tokens_.expect_name("the name of the macro");
  if (tokens_.accept("(") && !tokens_.accept(")")) {
    do made.parameters.push_back(tokens_.expect_name("the name of a parameter"));
    while (tokens_.accept(","));
    tokens_.expect(")");
  }
  tokens_.expect_end();
  made.broken = tokens_.failed();
  unit_.macros.push_back(std::move(made));  // even if broken: what follows belongs to it
  open_.set_macro(&unit_.macros.back());
  end_lost_ = false;
}

void MacroParser::close() {
  const MacroSyntax* const macro = open_.macro();
  if (macro == nullptr) return;
  end_lost_ |= blocks_.has_open();
  blocks_.close_all();
  const Named& name = macro->name;
  if (!macro->broken && !end_lost_) reporter_.report(Problem::OpenMacro, name.where, name.text);
  open_.set_macro(nullptr);
}

void MacroParser::refuse(const Token& directive) {
  reporter_.report(Problem::NotInMacro, directive.where, directive.text, open_.macro()->name.text);
  end_lost_ = true;
  tokens_.fail();
}

}  // namespace wse::assembler
