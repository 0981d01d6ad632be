// Reads one line each; `.program` and `.library` open what the lines after them belong to.
#include "asm/syntax/top_parser.h"

#include <algorithm>

#include "asm/syntax/escapes.h"

namespace wse::assembler {

void TopParser::grid() {
  GridSyntax made{.where = tokens_.statement_place()};
  made.width = exprs_.expression();
  tokens_.expect(",");
  made.height = exprs_.expression();
  unit_.grids.push_back(made);
}

void TopParser::hypercube() {
  GridSyntax made{.where = tokens_.statement_place()};
  made.dimensions = exprs_.expression();
  unit_.grids.push_back(made);
}

void TopParser::constant() {
  const Binding made = phrases_.binding("the name of the constant");
  if (!tokens_.failed()) unit_.constants.push_back(made);
}

void TopParser::parameter() {
  TypedBinding made;
  made.name = tokens_.expect_name("the name of the parameter");
  tokens_.expect(":");
  made.type = phrases_.type("a .param", false);
  if (tokens_.accept("=")) made.value = exprs_.expression();
  if (!tokens_.failed()) unit_.parameters.push_back(made);
}

void TopParser::colour() { phrases_.bindings(unit_.colours, "the name of the colour"); }

void TopParser::entry() { phrases_.bindings(unit_.entries, "the name of the entry"); }

void TopParser::program() {
  ProgramSyntax made;
  made.name = tokens_.expect_name("the name of the program");
  made.first_expr = static_cast<ExprId>(unit_.exprs.size());
  if (tokens_.accept("(")) program_parameters(made);
  if (tokens_.peek().kind == TokenKind::String) program_role(made);
  tokens_.expect_end();
  made.broken = tokens_.failed();
  unit_.programs.push_back(std::move(made));  // even if broken: what follows belongs to it
  open_.set_program(&unit_.programs.back());
}

// Reads a role: printable, so that it may stand in messages as it is.
void TopParser::program_role(ProgramSyntax& program) {
  const Token text = tokens_.take();
  program.role = string_value(text, reporter_);
  const bool printable =
      std::ranges::all_of(program.role, [](char c) { return c >= ' ' && c <= '~'; });
  if (!printable)
    reporter_.report(Problem::BadValue, text.where, "a role has printable characters");
}

// `.library NAME`, then functions, and the data and registers that they name.
void TopParser::library() {
  ProgramSyntax made{.is_library = true};
  made.name = tokens_.expect_name("the name of the library");
  made.first_expr = static_cast<ExprId>(unit_.exprs.size());
  unit_.libraries.push_back(std::move(made));
  open_.set_program(&unit_.libraries.back());
}

void TopParser::program_parameters(ProgramSyntax& program) {
  if (tokens_.accept(")")) return;
  do {
    ParameterSyntax made;
    made.name = tokens_.expect_name("the name of a parameter");
    tokens_.expect(":");
    made.is_constant = tokens_.accept_word("const");
    if (!made.is_constant) made.type = phrases_.type("a parameter", true);
    made.is_optional = made.type == isa::Type::Colour && tokens_.accept("?");
    if (tokens_.accept("=")) made.value = exprs_.expression();
    if (!tokens_.failed()) program.parameters.push_back(made);
  } while (tokens_.accept(","));
  tokens_.expect(")");
}

void TopParser::place() {
  PlaceSyntax made{.where = tokens_.statement_place(), .line = lines_.here()};
  made.program = tokens_.expect_name("the name of a program");
  made.rect = phrases_.rect();
  if (tokens_.accept_word("with")) {
    do made.arguments.push_back(phrases_.binding("the name of a parameter"));
    while (tokens_.accept(","));
  }
  if (!tokens_.failed()) unit_.placements.push_back(std::move(made));
}

void TopParser::expectation() {
  ExpectSyntax made{.where = tokens_.statement_place(), .line = lines_.here()};
  made.cycles = tokens_.peek().is_word("cycles") && tokens_.peek_second().is("==");
  if (made.cycles) {
    tokens_.take();
  } else {
    if (tokens_.peek().kind != TokenKind::Name)
      tokens_.fail_expected("the name of data, or cycles");
    made.subject = exprs_.postfix();
    if (tokens_.peek().is("==")) tokens_.fail_expected("'at', which only `cycles` does without");
    made.rect = phrases_.rect();
  }
  tokens_.expect("==");
  made.value = exprs_.expression();
  if (tokens_.accept_word("within")) made.within = exprs_.expression();
  if (tokens_.accept_word("on")) made.profile = tokens_.expect_name("a machine profile");
  if (!tokens_.failed()) unit_.expectations.push_back(made);
}

}  // namespace wse::assembler
