// .if, .else, .for and their .end, in programs and macros: which lines and declarations they hold.
//
// Statements inside go to the lists of the program as if there were no blocks; a block only says
// which part of each list is its own.
#pragma once

#include <string_view>
#include <vector>

#include "asm/syntax/open_program.h"
#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class BlockParser {
 public:
  BlockParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases,
              OpenProgram& open, Unit& unit, Reporter& reporter)
      : tokens_(tokens),
        exprs_(exprs),
        phrases_(phrases),
        open_(open),
        unit_(unit),
        reporter_(reporter) {}

  // One rule for each directive.
#define BLOCK_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

  bool has_open() const { return !open_blocks_.empty(); }
  // `.end`: the innermost one, and those that it continues.
  void close();
  // Closes those without `.end`, which is reported.
  void close_all();
  // Reports what ends or continues a block that has no beginning.
  void refuse_end(Problem problem);

  // The file that includes this one does so in a loop, or no longer.
  void set_in_loop(bool in_loop) { in_loop_ = in_loop; }
  bool in_loop() const;
  // Reports what would be defined in every turn.
  bool refuse_in_loop(std::string_view what);

 private:
  bool may_open(std::string_view what);
  void open(const BlockSyntax& block);
  void end_innermost();

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
  OpenProgram& open_;
  Unit& unit_;
  Reporter& reporter_;
  std::vector<std::uint32_t> open_blocks_;  // of the program or macro, the innermost last
  bool in_loop_ = false;
};

}  // namespace wse::assembler
