// Strings: escapes, and texts of print with values in braces. A value is an expression, optionally
// with `: type` after it.
#include "asm/syntax/parser.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kEscapes = "nt\"\\{}";
constexpr std::string_view kCharacters = "\n\t\"\\{}";

}  // namespace

std::string unescape(std::string_view raw, const isa::SourceRange& where, Reporter& reporter) {
  std::string text;
  for (std::size_t k = 0; k < raw.size(); ++k) {
    if (raw[k] != '\\') {
      text += raw[k];
      continue;
    }
    const std::size_t found =
        k + 1 < raw.size() ? kEscapes.find(raw[k + 1]) : std::string_view::npos;
    if (found == std::string_view::npos) {
      isa::SourceRange place = where;
      place.column += static_cast<std::uint32_t>(k);
      place.length = 2;
      reporter.report(Problem::BadEscape, place, raw.substr(k, 2));
    } else {
      text += kCharacters[found];
    }
    ++k;
  }
  return text;
}

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

ExprId ExprParser::text() {
  const Token token = tokens_.take();
  const std::string_view raw = token.text.substr(1, token.text.size() - 2);
  const isa::SourceRange inside = place_in(token.where, 1, raw.size());
  std::vector<TextPiece> pieces;
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
        tokens_.fail();
        return kNoExpr;
      }
      const std::string_view value = raw.substr(at + 1, close - at - 1);
      TokenStream stream(value, place_in(inside, at + 1, value.size()), reporter_, "'}'");
      ExprParser parser(stream, unit_, reporter_);
      if (!stream.next_statement()) stream.fail_expected("a value");
      piece.value = parser.expression();
      if (stream.accept(":")) piece.type = stream.expect_name("a type");
      stream.expect_end("'}'");
      if (stream.failed()) tokens_.fail();
      at = close + 1;
    }
    pieces.push_back(std::move(piece));
  }
  Expr expr{.kind = ExprKind::Text, .text = token.text};
  expr.first = static_cast<std::uint32_t>(unit_.pieces.size());
  expr.count = static_cast<std::uint32_t>(pieces.size());
  expr.size += static_cast<std::uint32_t>(raw.size() / kCharactersOfNode);
  for (const TextPiece& piece : pieces) {
    if (piece.value != kNoExpr) expr.size += unit_[piece.value].size;
  }
  std::move(pieces.begin(), pieces.end(), std::back_inserter(unit_.pieces));
  return make(expr, token.where);
}

}  // namespace wse::assembler
