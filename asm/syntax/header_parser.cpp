// Parses what follows the word `task` or `function`.
#include "asm/syntax/header_parser.h"

#include <utility>

namespace wse::assembler {

HeaderSyntax HeaderParser::header(bool is_function) {
  HeaderSyntax made{.is_function = is_function};
  made.name = tokens_.expect_name("a name");
  if (is_function) {
    function(made);
  } else {
    task(made);
    const isa::SourceRange& end = tokens_.last_place();
    made.rest = made.name.where;
    made.rest.column += std::exchange(made.rest.length, 0);
    made.rest.length = end.column + end.length - made.rest.column;
    if (end.line != made.rest.line) made.rest.line = 0;
  }
  tokens_.expect(":");
  return made;
}

// NAME [= id] [exported (register: type, ...)] | NAME on COLOUR (register, register)
// | NAME control ENTRY (register) | NAME teardown COLOUR, each with `high` after it
void HeaderParser::task(HeaderSyntax& made) {
  made.kind = made.name.text == "main" ? isa::TaskKind::Main : isa::TaskKind::Local;
  if (tokens_.accept("=")) {
    made.kind = isa::TaskKind::Local;
    made.id = exprs_.expression();
  } else if (tokens_.accept_word("on")) {
    made.kind = isa::TaskKind::Data;
  } else if (tokens_.accept_word("control")) {
    made.kind = isa::TaskKind::Control;
  } else if (tokens_.accept_word("teardown")) {
    made.kind = isa::TaskKind::Teardown;
  }
  const bool is_named = made.kind != isa::TaskKind::Main && made.kind != isa::TaskKind::Local;
  if (is_named) made.id = exprs_.plain();
  if (is_named && tokens_.peek().is("(")) arguments(made);
  made.exported = tokens_.accept_word("exported");
  if (made.exported && tokens_.peek().is("(")) arguments(made);
  made.high = tokens_.accept_word("high");
}

// NAME [(register [: type], ...)] [-> register [: type]] link REGISTER
void HeaderParser::function(HeaderSyntax& made) {
  if (tokens_.peek().is("(")) arguments(made);
  if (tokens_.accept("->")) {
    made.result = exprs_.postfix();
    made.result_type = register_type();
  }
  tokens_.expect_word("link");
  made.link = exprs_.postfix();
}

void HeaderParser::arguments(HeaderSyntax& made) {
  tokens_.expect("(");
  if (tokens_.accept(")")) return;
  do {
    made.arguments.push_back(exprs_.postfix());
    if (made.is_function) made.argument_types.push_back(register_type());
    if (made.exported) made.argument_types.push_back(argument_type());
  } while (tokens_.accept(","));
  tokens_.expect(")");
}

// Takes the type of an argument of a launch, without which nobody could turn a number into bits.
isa::Type HeaderParser::argument_type() {
  tokens_.expect(":");
  return tokens_.failed() ? isa::Type::I32 : phrases_.type("an argument of a launch", false);
}

// Returns the type of what the register before it holds, if it is given.
std::optional<isa::Type> HeaderParser::register_type() {
  if (!tokens_.accept(":")) return std::nullopt;
  return phrases_.type("a register", false);
}

}  // namespace wse::assembler
