// The lines of code in a program or macro: labels, instructions, headers of tasks and functions.
#pragma once

#include "asm/syntax/block_parser.h"
#include "asm/syntax/header_parser.h"
#include "asm/syntax/line_parser.h"
#include "asm/syntax/open_program.h"
#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class BodyParser {
 public:
  BodyParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases,
             const LineParser& lines, OpenProgram& open, BlockParser& blocks, Unit& unit,
             Reporter& reporter)
      : tokens_(tokens),
        exprs_(exprs),
        phrases_(phrases),
        lines_(lines),
        open_(open),
        blocks_(blocks),
        unit_(unit),
        reporter_(reporter),
        headers_(tokens, exprs, phrases) {}

  // {label:} instruction    |    task NAME ...:    |    function NAME ...:
  void statement();

 private:
  void header(const Named& word);
  void instruction(const Named& mnemonic);
  bool map_option(BodySyntax& made);
  void completion(BodySyntax& made);
  bool is_mistyped_header(const Named& word);

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
  const LineParser& lines_;
  OpenProgram& open_;
  BlockParser& blocks_;
  Unit& unit_;
  Reporter& reporter_;
  HeaderParser headers_;
};

}  // namespace wse::assembler
