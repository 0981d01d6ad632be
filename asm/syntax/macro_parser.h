// `.macro NAME(parameter, ...)`, then lines up to `.end`.
#pragma once

#include "asm/syntax/block_parser.h"
#include "asm/syntax/open_program.h"

namespace wse::assembler {

class MacroParser {
 public:
  MacroParser(TokenStream& tokens, OpenProgram& open, BlockParser& blocks, Unit& unit,
              Reporter& reporter)
      : tokens_(tokens), open_(open), blocks_(blocks), unit_(unit), reporter_(reporter) {}

  // One rule for each directive.
#define MACRO_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

  // `.end`
  void end() { open_.set_macro(nullptr); }
  // The open one without `.end`, which is reported.
  void close();
  // Reports a directive that is not in the macro that is open.
  void refuse(const Token& directive);
  // A statement with an error may have been the end.
  void lose_end() { end_lost_ = true; }

 private:
  TokenStream& tokens_;
  OpenProgram& open_;
  BlockParser& blocks_;
  Unit& unit_;
  Reporter& reporter_;
  bool end_lost_ = false;
};

}  // namespace wse::assembler
