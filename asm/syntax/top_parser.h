// The directives that describe the whole: grid, names, programs, placements, expectations.
#pragma once

#include "asm/syntax/line_parser.h"
#include "asm/syntax/open_program.h"
#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class TopParser {
 public:
  TopParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases,
            const LineParser& lines, OpenProgram& open, Unit& unit, Reporter& reporter)
      : tokens_(tokens),
        exprs_(exprs),
        phrases_(phrases),
        lines_(lines),
        open_(open),
        unit_(unit),
        reporter_(reporter) {}

  // One rule for each directive.
#define TOP_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

 private:
  void program_parameters(ProgramSyntax& program);
  void program_role(ProgramSyntax& program);

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
  const LineParser& lines_;
  OpenProgram& open_;
  Unit& unit_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
