// Statements: which directive or body line is here, and what all of them share.
#include "asm/syntax/parser.h"

#include <algorithm>

#include "asm/syntax/operand_options.h"
#include "asm/text/suggest.h"

namespace wse::assembler {

const Parser::Directive Parser::kDirectives[] = {
#define DIRECTIVE(word, rule, ...) {word, &Parser::rule, __VA_ARGS__},
#include "asm/syntax/directives.def"
#undef DIRECTIVE
};

Parser::Parser(Sources& sources, const isa::SourceRange& start, Unit& unit, Reporter& reporter)
    : sources_(sources),
      tokens_(sources[start.file].text, start, reporter),
      unit_(unit),
      reporter_(reporter),
      exprs_(tokens_, unit, reporter),
      file_number_(unit.file_number(sources[start.file].name)),
      line_file_(file_number_) {}

void Parser::parse_source() {
  while (tokens_.next_statement()) {
    begin_ = tokens_.peek().where;
    statement();
    at_vendor_option();
    tokens_.expect_end();
  }
  close_macro();
  close_all_blocks();
  if (program_ != nullptr) program_->last_expr = static_cast<ExprId>(unit_.exprs.size());
}

void Parser::parse_override() {
  tokens_.next_statement();
  Binding given = binding("a name");
  tokens_.expect_end();
  if (!tokens_.failed()) unit_.overrides.push_back(given);
}

// Reports an option of the vendor's that is written here.
bool Parser::at_vendor_option() {
  const Token& next = tokens_.peek();
  if (tokens_.failed() || next.kind != TokenKind::Name) return false;
  if (!refuse_vendor_option(next.text, next.where, reporter_)) return false;
  tokens_.fail();
  return true;
}

void Parser::statement() {
  const Token first = tokens_.peek();
  if (first.kind == TokenKind::Dotted) {
    directive();
  } else {
    body_statement();
  }
  if (tokens_.failed()) miss(first);
}

// The statement that begins with this token is not there. What is missed because of it is silent.
void Parser::miss(const Token& first) {
  if (program_ != nullptr) program_->incomplete = true;
  if (macro_ != nullptr) unit_.broken_directives.insert(".macro");
  if (first.kind == TokenKind::Dotted) {
    unit_.broken_directives.insert(first.text);
  } else if (first.kind != TokenKind::Name) {
    unit_.broken_statement = true;
    macro_end_lost_ = true;
  } else {
    return;  // of an instruction; a header has told its name
  }
  poison_names();
}

void Parser::directive() {
  const Token token = tokens_.take();
  if (is_in_macro(token)) return tokens_.fail();
  const auto* row = std::ranges::find(kDirectives, token.text, &Directive::word);
  if (row == std::end(kDirectives)) {
    const std::optional<isa::Type> found = isa::type_named(token.text.substr(1));
    if (!found) return unknown_directive(token);
    if (!refuse_in_loop(token.text) && open_program(token.text, token.where)) data(*found);
    return;
  }
  if (!row->in_program && row->rule != &Parser::end) {
    end_program();
    stray_ = false;
  } else if (!row->in_library && refuse_in_library(row->word, token.where)) {
    stray_ |= row->in_macro;  // its end follows
    return;
  } else if (row->declares && refuse_in_loop(row->word)) {
    return;
  }
  (this->*row->rule)();
}

void Parser::end_program() {
  if (macro_ == nullptr) close_all_blocks();
  in_loop_ = false;
  if (program_ != nullptr) program_->last_expr = static_cast<ExprId>(unit_.exprs.size());
  program_ = nullptr;
}

void Parser::unknown_directive(const Token& token) {
  Suggestion suggestion(token.text, reporter_);
  for (const Directive& row : kDirectives) suggestion.offer(row.word);
  for (const isa::TypeInfo& type : isa::kTypes) {
    if (type.type != isa::Type::Colour) suggestion.offer(fmt::format(".{}", type.text));
  }
  const std::string meant = suggestion.best();
  reporter_.report(Problem::UnknownDirective, token.where, token.text, meant);
  unit_.broken_statement = true;
  tokens_.fail();
  const auto* row = std::ranges::find(kDirectives, meant, &Directive::word);
  if (row != std::end(kDirectives) && !row->in_program) end_program();
  stray_ = program_ == nullptr;
}

// Reports a directive of a program between the lines of a macro. One of the top level ends it.
bool Parser::is_in_macro(const Token& token) {
  if (macro_ == nullptr) return false;
  const auto* row = std::ranges::find(kDirectives, token.text, &Directive::word);
  if (row != std::end(kDirectives) && row->in_macro) return false;
  if (row != std::end(kDirectives) && !row->in_program) {
    close_macro();
    return false;
  }
  reporter_.report(Problem::NotInMacro, token.where, token.text, macro_->name.text);
  macro_end_lost_ = true;
  return true;
}

// What a broken statement would have defined must not be reported as unknown later.
void Parser::poison_names() {
  const std::string_view line = tokens_.statement_text();
  Scanner scanner(line, begin_);
  for (Token token = scanner.next(); token.kind != TokenKind::End; token = scanner.next()) {
    if (token.kind == TokenKind::Name) unit_.broken_names.insert(token.text);
  }
}

bool Parser::open_program(std::string_view what, const isa::SourceRange& where) {
  if (program_ != nullptr || macro_ != nullptr) return true;
  if (!stray_) reporter_.report(Problem::OutsideProgram, where, what);
  unit_.broken_statement = true;
  tokens_.fail();
  return false;
}

isa::SourceLine Parser::line_here() const {
  if (given_) return given_->at(begin_.line);
  return {file_number_, begin_.line};
}

isa::Type Parser::type(std::string_view owner, bool may_be_colour) {
  const Named name = tokens_.expect_name("a type");
  if (tokens_.failed()) return isa::Type::I32;
  const auto fits = [may_be_colour](const isa::TypeInfo& row) {
    return row.type != isa::Type::Colour || may_be_colour;
  };
  const std::optional<isa::Type> found = isa::type_named(name.text);
  if (!found) {
    report_unknown_type(reporter_, name.text, name.where, may_be_colour);
    tokens_.fail();
  } else if (!fits(isa::info(*found))) {
    reporter_.report(Problem::TypeNotHere, name.where, owner, name.text, isa::type_list(fits));
    tokens_.fail();
  }
  return found.value_or(isa::Type::I32);
}

Binding Parser::binding(std::string_view what) {
  Binding made;
  made.name = tokens_.expect_name(what);
  tokens_.expect("=");
  made.value = exprs_.expression();
  return made;
}

void Parser::bindings(std::vector<Binding>& list, std::string_view what) {
  do {
    Binding made;
    made.name = tokens_.expect_name(what);
    if (tokens_.accept("=")) made.value = exprs_.expression();
    if (!tokens_.failed()) list.push_back(made);
  } while (tokens_.accept(","));
}

RangeSyntax Parser::range() {
  RangeSyntax made;
  made.where = tokens_.peek().where;
  made.first = exprs_.expression();
  if (tokens_.accept("..")) {
    made.last = exprs_.expression();
    if (tokens_.accept_word("step")) made.step = exprs_.expression();
  }
  const isa::SourceRange& end = tokens_.last_place();
  if (end.line == made.where.line) made.where.length = end.column + end.length - made.where.column;
  return made;
}

RectSyntax Parser::rect() {
  tokens_.expect_word("at");
  tokens_.expect("(");
  RectSyntax made;
  made.x = range();
  tokens_.expect(",");
  made.y = range();
  tokens_.expect(")");
  return made;
}

std::optional<isa::Port> Parser::port() {
  const Named name = tokens_.expect_name("a port");
  if (tokens_.failed()) return std::nullopt;
  const std::optional<isa::Port> found = isa::port_named(name.text);
  if (!found) {
    report_choice(reporter_, Problem::UnknownPort, name.where, name.text,
                  {std::begin(isa::kPortTexts), std::end(isa::kPortTexts)});
    tokens_.fail();
  }
  return found;
}

std::string Parser::string_value(const Token& token) {
  isa::SourceRange inside = token.where;
  ++inside.column;
  return unescape(token.text.substr(1, token.text.size() - 2), inside, reporter_);
}

}  // namespace wse::assembler
