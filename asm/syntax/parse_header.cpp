// The lines that begin tasks and functions.
#include "asm/syntax/parser.h"

namespace wse::assembler {

// A broken header is no task: what would miss it is silent.
void Parser::header(const Named& word) {
  if (macro_ != nullptr) {
    reporter_.report(Problem::NotInMacro, word.where, word.text, macro_->name.text);
    return tokens_.fail();
  }
  if (refuse_in_loop(word.text)) return;
  HeaderSyntax made{.is_function = word.text == kFunctionWord};
  made.name = tokens_.expect_name("a name");
  BodySyntax line{.kind = BodySyntax::Kind::Header, .name = made.name, .line = line_here()};
  line.header = static_cast<std::uint32_t>(program_->headers.size());
  if (made.is_function) {
    function_header(made);
  } else {
    task_header(made);
  }
  tokens_.expect(":");
  if (tokens_.failed()) {
    unit_.broken_names.insert(made.name.text);
    return;
  }
  program_->headers.push_back(std::move(made));
  program_->body.push_back(line);
}

// NAME [= id] | NAME on COLOUR (register, register) | NAME control ENTRY (register)
// | NAME teardown COLOUR, each with `high` after it
void Parser::task_header(HeaderSyntax& made) {
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
  if (is_named && tokens_.peek().is("(")) header_arguments(made);
  made.high = tokens_.accept_word("high");
}

// NAME [(register [: type], ...)] [-> register [: type]] link REGISTER
void Parser::function_header(HeaderSyntax& made) {
  if (tokens_.peek().is("(")) header_arguments(made);
  if (tokens_.accept("->")) {
    made.result = exprs_.postfix();
    made.result_type = register_type();
  }
  tokens_.expect_word("link");
  made.link = exprs_.postfix();
}

void Parser::header_arguments(HeaderSyntax& made) {
  tokens_.expect("(");
  if (tokens_.accept(")")) return;
  do {
    made.arguments.push_back(exprs_.postfix());
    if (made.is_function) made.argument_types.push_back(register_type());
  } while (tokens_.accept(","));
  tokens_.expect(")");
}

// Of what the register before it holds, if it is given.
std::optional<isa::Type> Parser::register_type() {
  if (!tokens_.accept(":")) return std::nullopt;
  return type("a register", false);
}

}  // namespace wse::assembler
