// Keeps what the last directive about lines said.
#include "asm/syntax/line_parser.h"

#include <charconv>

#include "asm/syntax/escapes.h"

namespace wse::assembler {

isa::SourceLine LineParser::here() const {
  const std::uint32_t line = tokens_.statement_place().line;
  return given_ ? given_->at(line) : isa::SourceLine{file_, line};
}

// The lines that follow come from line N.
void LineParser::line() { given_line(false); }

// The lines that follow are lines N, N + 1 and so on.
void LineParser::lines() { given_line(true); }

// N "file": N of .line may be 0 (no line); without a file the former one stays.
void LineParser::given_line(bool counts) {
  if (tokens_.peek().kind != TokenKind::Integer) tokens_.fail_expected("a line number");
  const Token number = tokens_.take();
  if (tokens_.failed()) return;
  const isa::SourceRange& place = tokens_.statement_place();
  GivenLine made{.stands_at = place.line, .counts = counts};
  const char* const end = number.text.data() + number.text.size();
  const auto [rest, error] = std::from_chars(number.text.data(), end, made.given.line);
  const std::uint32_t least = counts ? 1 : 0;
  if (rest != end || error != std::errc{} || made.given.line < least) {
    reporter_.report(Problem::NotInRange, number.where, "a line number", least, ~0u, number.text);
    return tokens_.fail();
  }
  if (tokens_.peek().kind == TokenKind::String) {
    given_file_ = unit_.file_number(string_value(tokens_.take(), reporter_));
  }
  made.given.file = given_file_;
  given_ = made;
  unit_.lines.add(place.file, made);
}

}  // namespace wse::assembler
