// Texts of print: characters with values in braces, "{x: u32} of {P}". A value is an expression,
// optionally with `: type` after it.
#pragma once

#include <optional>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

class TextParser {
 public:
  TextParser(Unit& unit, Reporter& reporter) : unit_(unit), reporter_(reporter) {}

  // Returns the pieces of the string; nothing after an error, which is reported. The expressions of
  // the values are in the unit.
  std::optional<std::vector<TextPiece>> pieces(const Token& string);

 private:
  bool value(std::string_view text, const isa::SourceRange& where, TextPiece& piece);

  Unit& unit_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
