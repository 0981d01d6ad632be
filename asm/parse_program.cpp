// What stands inside a program: data, names, labels, tasks and instructions.
#include "asm/parser.h"

namespace wse::assembler {

void Parser::data(isa::Type data_type) {
  DataSyntax made{.line = line_here()};
  made.data.type = data_type;
  made.data.name = tokens_.expect_name("the name of the data");
  if (tokens_.accept("[")) {
    made.count = exprs_.expression();
    tokens_.expect("]");
  }
  made.exported = tokens_.accept_word("exported");
  if (tokens_.accept("=")) made.data.value = exprs_.expression();
  if (!tokens_.failed()) program_->data.push_back(made);
}

void Parser::registers() {
  if (!open_program(".reg", begin_)) return;
  bindings(program_->registers, "the name of the register");
}

void Parser::microthreads() {
  if (!open_program(".microthread", begin_)) return;
  bindings(program_->microthreads, "the name of the microthread");
}

void Parser::queues() {
  if (!open_program(".queue", begin_)) return;
  bindings(program_->queues, "the name of the queue");
}

void Parser::descriptors() {
  if (!open_program(".dsd", begin_)) return;
  const Binding made = binding("the name of the descriptor");
  if (!tokens_.failed()) program_->descriptors.push_back(made);
}

// {label:} instruction    |    task NAME:
void Parser::body_statement() {
  while (!tokens_.peek().ends_statement()) {
    const Named word = tokens_.expect_name("an instruction, a label or a directive");
    if (tokens_.failed() || !open_program(word.text, word.where)) return;
    BodySyntax made{.name = word, .line = line_here()};
    std::vector<BodySyntax>& body = macro_ != nullptr ? macro_->body : program_->body;
    const bool is_task = word.text == "task" && tokens_.peek().kind == TokenKind::Name &&
                         tokens_.peek_second().is(":");
    if (is_task && macro_ != nullptr) {
      reporter_.report(Problem::NotInMacro, word.where, word.text, macro_->name.text);
      return tokens_.fail();
    }
    if (is_task) made.name = tokens_.expect_name("the name of the task");
    if (!tokens_.accept(":")) return instruction(word);
    made.kind = is_task ? BodySyntax::Kind::Task : BodySyntax::Kind::Label;
    body.push_back(made);
  }
}

void Parser::instruction(const Named& mnemonic) {
  BodySyntax made{.name = mnemonic, .line = line_here()};
  std::vector<ExprId> operands;
  if (!tokens_.peek().ends_statement() && !tokens_.peek().is_word("async")) {
    do operands.push_back(exprs_.expression());
    while (tokens_.accept(","));
  }
  if (tokens_.accept(":")) made.type = tokens_.expect_name("a type");
  if (tokens_.accept_word("async")) made.microthread = exprs_.postfix();
  // Reported here, so that a word too many is not taken for the operand of something else.
  tokens_.expect_end();
  if (tokens_.failed()) return;
  made.first_operand = static_cast<std::uint32_t>(unit_.operands.size());
  made.operands = static_cast<std::uint32_t>(operands.size());
  unit_.operands.insert(unit_.operands.end(), operands.begin(), operands.end());
  (macro_ != nullptr ? macro_->body : program_->body).push_back(made);
}

}  // namespace wse::assembler
