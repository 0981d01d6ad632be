// Lines as they are written: which of them is an instruction of the machine is asked later.
#include "asm/syntax/body_parser.h"

#include <algorithm>

#include "asm/syntax/broken_names.h"
#include "asm/text/suggest.h"

namespace wse::assembler {

void BodyParser::statement() {
  while (!tokens_.peek().ends_statement()) {
    const Named word = tokens_.expect_name("an instruction, a label or a directive");
    if (tokens_.failed() || !open_.check_open(word.text, word.where)) return;
    const bool is_header = std::ranges::find(kHeaderWords, word.text) != std::end(kHeaderWords) &&
                           tokens_.peek().kind == TokenKind::Name;
    const bool is_function = is_header && word.text == kFunctionWord;
    const bool in_function =
        open_.program() != nullptr && !open_.program()->headers.empty() && !is_header;
    if (!is_function && !in_function && open_.refuse_in_library(word.text, word.where)) return;
    if (is_header) {
      header(word);
      continue;
    }
    BodySyntax made{.name = word, .line = lines_.here()};
    if (!tokens_.accept(":")) return instruction(word);
    made.kind = BodySyntax::Kind::Label;
    open_.body().push_back(made);
  }
}

// A broken header is no task: what would miss it is silent.
void BodyParser::header(const Named& word) {
  if (open_.macro() != nullptr) {
    reporter_.report(Problem::NotInMacro, word.where, word.text, open_.macro()->name.text);
    return tokens_.fail();
  }
  if (blocks_.refuse_in_loop(word.text)) return;
  HeaderSyntax made = headers_.header(word.text == kFunctionWord);
  if (tokens_.failed()) {
    unit_.broken_names.insert(made.name.text);
    return;
  }
  ProgramSyntax& program = *open_.program();
  program.body.push_back({.kind = BodySyntax::Kind::Header,
                          .name = made.name,
                          .header = static_cast<std::uint32_t>(program.headers.size()),
                          .line = lines_.here()});
  program.headers.push_back(std::move(made));
}

void BodyParser::instruction(const Named& mnemonic) {
  BodySyntax made{.name = mnemonic, .line = lines_.here()};
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
    if (tokens_.failed()) poison_names(tokens_, unit_);  // it may have been the header of a task
  }
  if (tokens_.accept_word("async")) {
    made.microthread = exprs_.postfix();
    completion(made);
  }
  // Reported here, so that a word too many is not taken for the operand of something else.
  phrases_.refuse_vendor_word();
  tokens_.expect_end();
  if (tokens_.failed()) return unit_.operands.resize(first_operand);
  made.first_operand = static_cast<std::uint32_t>(first_operand);
  made.operands = static_cast<std::uint32_t>(unit_.operands.size() - first_operand);
  open_.body().push_back(made);
}

// index=register, after the operands of map.
bool BodyParser::map_option(BodySyntax& made) {
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
bool BodyParser::is_mistyped_header(const Named& word) {
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
  poison_names(tokens_, unit_);
  if (open_.program() != nullptr) open_.program()->incomplete = true;
  return true;
}

void BodyParser::completion(BodySyntax& made) {
  for (std::size_t k = 1; k < std::size(isa::kCompletionTexts); ++k) {
    if (!tokens_.accept_word(isa::kCompletionTexts[k])) continue;
    made.completion = static_cast<isa::Completion>(k);
    made.completes = exprs_.expression();
  }
}

}  // namespace wse::assembler
