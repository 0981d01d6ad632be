// Reads the phrases; the names of types and ports are those of isa.
#include "asm/syntax/phrase_parser.h"

#include "asm/syntax/operand_options.h"
#include "asm/text/suggest.h"

namespace wse::assembler {

isa::Type PhraseParser::type(std::string_view owner, bool may_be_colour) {
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

Binding PhraseParser::binding(std::string_view what) {
  Binding made;
  made.name = tokens_.expect_name(what);
  tokens_.expect("=");
  made.value = exprs_.expression();
  return made;
}

void PhraseParser::bindings(std::vector<Binding>& list, std::string_view what) {
  do {
    Binding made;
    made.name = tokens_.expect_name(what);
    if (tokens_.accept("=")) made.value = exprs_.expression();
    if (!tokens_.failed()) list.push_back(made);
  } while (tokens_.accept(","));
}

RangeSyntax PhraseParser::range() {
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

RectSyntax PhraseParser::rect() {
  tokens_.expect_word("at");
  tokens_.expect("(");
  RectSyntax made;
  made.x = range();
  tokens_.expect(",");
  made.y = range();
  tokens_.expect(")");
  return made;
}

std::optional<isa::Port> PhraseParser::port() {
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

bool PhraseParser::refuse_vendor_word() {
  const Token& next = tokens_.peek();
  if (tokens_.failed() || next.kind != TokenKind::Name) return false;
  if (!refuse_vendor_option(next.text, next.where, reporter_)) return false;
  tokens_.fail();
  return true;
}

}  // namespace wse::assembler
