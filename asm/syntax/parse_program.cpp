// What is inside a program: data, names, labels, tasks and instructions.
#include <algorithm>

#include "asm/syntax/parser.h"
#include "asm/text/suggest.h"

namespace wse::assembler {

void Parser::data(isa::Type data_type) {
  DataSyntax made{.line = line_here()};
  made.data.type = data_type;
  made.data.name = tokens_.expect_name("the name of the data");
  made.counted = tokens_.peek().is("[") && tokens_.peek_second().is("]");
  if (tokens_.accept("[") && !made.counted) {
    do made.extents.push_back(exprs_.expression());
    while (tokens_.accept(","));
  }
  if (made.counted || !made.extents.empty()) tokens_.expect("]");
  made.exported = tokens_.accept_word("exported");
  data_place(made);
  if (tokens_.accept("=")) data_values(made);
  if (!tokens_.failed()) program_->data.push_back(std::move(made));
}

// One expression for all elements, a view, or a list: two values at least, or `[]` before it.
void Parser::data_values(DataSyntax& data) {
  data.data.value = exprs_.expression();
  if (tokens_.failed()) return;
  const Expr& first = unit_[data.data.value];
  const bool is_view = first.kind == ExprKind::Call && first.text == kViewFunction;
  if ((!data.counted || is_view) && !tokens_.peek().is(",")) return;
  data.list.push_back(data.data.value);
  data.data.value = kNoExpr;
  while (!tokens_.failed() && tokens_.accept(",")) data.list.push_back(exprs_.expression());
}

// .table NAME = label {, label}: an array of their addresses
void Parser::table() {
  if (!open_program(".table", begin_)) return;
  DataSyntax made{.counted = true, .is_table = true, .line = line_here()};
  made.data.type = isa::Type::U32;
  made.data.name = tokens_.expect_name("the name of the table");
  tokens_.expect("=");
  do made.list.push_back(exprs_.address());
  while (!tokens_.failed() && tokens_.accept(","));
  if (!tokens_.failed()) program_->data.push_back(std::move(made));
}

// bank=expr or address=expr
void Parser::data_place(DataSyntax& data) {
  for (const auto& [word, place] :
       {std::pair{"bank", &DataSyntax::bank}, std::pair{"address", &DataSyntax::address}}) {
    if (!tokens_.at_word(word) || !tokens_.peek_second().is("=")) continue;
    tokens_.take();
    tokens_.take();
    data.*place = exprs_.expression();
    return;
  }
}

void Parser::registers() {
  if (!open_program(".reg", begin_)) return;
  bindings(program_->registers, "the name of the register");
}

void Parser::descriptor_registers() {
  if (!open_program(".dsr", begin_)) return;
  bindings(program_->descriptor_registers, "the name of the descriptor register");
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

// .fifo NAME = storage {on_leaving_full=task | on_leaving_empty=task}
void Parser::fifo() {
  if (!open_program(".fifo", begin_)) return;
  FifoSyntax made;
  made.name = tokens_.expect_name("the name of the FIFO");
  tokens_.expect("=");
  made.storage = exprs_.postfix();
  for (const auto& [word, task] : {std::pair{"on_leaving_full", &FifoSyntax::on_leaving_full},
                                   std::pair{"on_leaving_empty", &FifoSyntax::on_leaving_empty}}) {
    if (!tokens_.accept_word(word)) continue;
    tokens_.expect("=");
    made.*task = exprs_.postfix();
  }
  if (!tokens_.failed()) program_->fifos.push_back(made);
}

void Parser::passive() {
  if (open_program(".passive", begin_) && program_ != nullptr) program_->passive.push_back(begin_);
}

// {label:} instruction    |    task NAME ...:    |    function NAME ...:
void Parser::body_statement() {
  while (!tokens_.peek().ends_statement()) {
    const Named word = tokens_.expect_name("an instruction, a label or a directive");
    if (tokens_.failed() || !open_program(word.text, word.where)) return;
    const bool is_header = std::ranges::find(kHeaderWords, word.text) != std::end(kHeaderWords) &&
                           tokens_.peek().kind == TokenKind::Name;
    const bool is_function = is_header && word.text == kFunctionWord;
    const bool in_function = program_ != nullptr && !program_->headers.empty() && !is_header;
    if (!is_function && !in_function && refuse_in_library(word.text, word.where)) return;
    if (is_header) {
      header(word);
      continue;
    }
    BodySyntax made{.name = word, .line = line_here()};
    if (!tokens_.accept(":")) return instruction(word);
    made.kind = BodySyntax::Kind::Label;
    (macro_ != nullptr ? macro_->body : program_->body).push_back(made);
  }
}

void Parser::instruction(const Named& mnemonic) {
  BodySyntax made{.name = mnemonic, .line = line_here()};
  if (!tokens_.failed() && tokens_.peek().is("=")) {
    reporter_.report(Problem::Assignment, mnemonic.where, mnemonic.text);
    return tokens_.fail();
  }
  const std::size_t first_operand = unit_.operands.size();
  if (!tokens_.peek().ends_statement() && !tokens_.peek().is_word("async")) {
    do {
      if (map_option(made)) break;
      unit_.operands.push_back(exprs_.expression());
    } while (tokens_.accept(","));
  }
  if (is_mistyped_header(mnemonic)) return;
  if (tokens_.accept(":")) {
    made.type = static_cast<std::uint32_t>(unit_.types.size());
    unit_.types.push_back(tokens_.expect_name("a type"));
    if (tokens_.failed()) poison_names();  // it may have been the header of a task
  }
  if (tokens_.accept_word("async")) {
    made.microthread = exprs_.postfix();
    completion(made);
  }
  // Reported here, so that a word too many is not taken for the operand of something else.
  at_vendor_option();
  tokens_.expect_end();
  if (tokens_.failed()) return unit_.operands.resize(first_operand);
  made.first_operand = static_cast<std::uint32_t>(first_operand);
  made.operands = static_cast<std::uint32_t>(unit_.operands.size() - first_operand);
  (macro_ != nullptr ? macro_->body : program_->body).push_back(made);
}

// index=register, after the operands of map.
bool Parser::map_option(BodySyntax& made) {
  const Token option = tokens_.peek();
  const bool is_option =
      made.name.text == kMapWord && option.kind == TokenKind::Name && tokens_.peek_second().is("=");
  if (!is_option || tokens_.failed()) return false;
  if (option.text != kIndexWord) {
    report_choice(reporter_, Problem::UnknownOption, option.where, option.text,
                  {std::string(kIndexWord) + "=..."}, fmt::format("'{}'", option.text), kMapWord);
    tokens_.fail();
    return true;
  }
  tokens_.take();
  tokens_.take();
  made.index = exprs_.postfix();
  return true;
}

// `taks take on red (v):` reads as an instruction up to what only a header has.
bool Parser::is_mistyped_header(const Named& word) {
  constexpr std::string_view kOfHeaders[] = {"on", "control", "teardown", "high", "link"};
  const Token& next = tokens_.peek();
  if (tokens_.failed() || next.ends_statement()) return false;
  const bool goes_on = next.is(":") || next.is("=") || next.is("->") ||
                       (next.kind == TokenKind::Name &&
                        std::ranges::find(kOfHeaders, next.text) != std::end(kOfHeaders));
  if (!goes_on) return false;
  const std::vector<std::string> headers(std::begin(kHeaderWords), std::end(kHeaderWords));
  const std::string meant = nearest_of(word.text, headers, reporter_);
  if (meant.empty()) return false;
  reporter_.report(Problem::UnknownMnemonic, word.where, word.text, meant);
  tokens_.fail();
  poison_names();
  if (program_ != nullptr) program_->incomplete = true;
  return true;
}

void Parser::completion(BodySyntax& made) {
  for (std::size_t k = 1; k < std::size(isa::kCompletionTexts); ++k) {
    if (!tokens_.accept_word(isa::kCompletionTexts[k])) continue;
    made.completion = static_cast<isa::Completion>(k);
    made.completes = exprs_.expression();
  }
}

}  // namespace wse::assembler
