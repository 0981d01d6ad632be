// `.line` and `.lines`: which line of which file statements come from, if a generator wrote them.
#pragma once

#include <optional>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

class LineParser {
 public:
  // `file` is the number of the text itself, in the unit.
  LineParser(TokenStream& tokens, Unit& unit, Reporter& reporter, std::uint32_t file)
      : tokens_(tokens), unit_(unit), reporter_(reporter), file_(file), given_file_(file) {}

  // One rule for each directive.
#define LINE_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

  // Returns the line of the present statement.
  isa::SourceLine here() const;

 private:
  void given_line(bool counts);

  TokenStream& tokens_;
  Unit& unit_;
  Reporter& reporter_;
  std::uint32_t file_;
  std::uint32_t given_file_;  // what the last directive with a name said
  std::optional<GivenLine> given_;
};

}  // namespace wse::assembler
