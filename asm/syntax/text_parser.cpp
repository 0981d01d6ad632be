// Cuts the characters between the quotes at braces; each value is parsed as a text of its own.
#include "asm/syntax/text_parser.h"

#include <algorithm>

#include "asm/syntax/escapes.h"
#include "asm/syntax/expression_parser.h"

namespace wse::assembler {
namespace {

// The place of raw[offset], `length` characters.
isa::SourceRange place_in(const isa::SourceRange& where, std::size_t offset, std::size_t length) {
  isa::SourceRange place = where;
  place.column += static_cast<std::uint32_t>(offset);
  place.length = static_cast<std::uint32_t>(length);
  return place;
}

// The end of the plain characters that begin at `from`: a brace that opens a value, or the end.
std::size_t plain_end(std::string_view raw, std::size_t from) {
  while (from < raw.size() && raw[from] != '{') from += raw[from] == '\\' ? 2 : 1;
  return std::min(from, raw.size());
}

}  // namespace

std::optional<std::vector<TextPiece>> TextParser::pieces(const Token& string) {
  const std::string_view raw = string.text.substr(1, string.text.size() - 2);
  const isa::SourceRange inside = place_in(string.where, 1, raw.size());
  std::vector<TextPiece> pieces;
  bool good = true;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t plain = plain_end(raw, at);
    TextPiece piece;
    const isa::SourceRange place = place_in(inside, at, plain - at);
    piece.text = unescape(raw.substr(at, plain - at), place, reporter_);
    at = plain;
    if (at < raw.size()) {
      const std::size_t close = raw.find('}', at);
      if (close == std::string_view::npos) {
        reporter_.report(Problem::OpenBrace, place_in(inside, at, 1));
        const bool is_last = raw.find('{', at + 1) == std::string_view::npos;
        if (is_last) reporter_.spells(Edit{.where = place_in(inside, at, 1), .text = "\\{"});
        return std::nullopt;
      }
      const std::string_view text = raw.substr(at + 1, close - at - 1);
      good &= value(text, place_in(inside, at + 1, text.size()), piece);
      at = close + 1;
    }
    pieces.push_back(std::move(piece));
  }
  return good ? std::optional(std::move(pieces)) : std::nullopt;
}

// Parses what is in braces.
bool TextParser::value(std::string_view text, const isa::SourceRange& where, TextPiece& piece) {
  TokenStream stream(text, where, reporter_, "'}'");
  ExpressionParser parser(stream, unit_, reporter_);
  if (!stream.next_statement()) stream.fail_expected("a value");
  piece.value = parser.expression();
  if (stream.accept(":")) piece.type = stream.expect_name("a type");
  stream.expect_end("'}'");
  return !stream.failed();
}

}  // namespace wse::assembler
