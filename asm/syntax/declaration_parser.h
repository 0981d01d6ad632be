// Parses declarations of programs: data and tables, names of registers, queues and microthreads,
// descriptors, FIFOs.
#pragma once

#include <string_view>

#include "asm/syntax/line_parser.h"
#include "asm/syntax/open_program.h"
#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class DeclarationParser {
 public:
  DeclarationParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases,
                    const LineParser& lines, OpenProgram& open, const Unit& unit)
      : tokens_(tokens),
        exprs_(exprs),
        phrases_(phrases),
        lines_(lines),
        open_(open),
        unit_(unit) {}

  // One rule for each directive.
#define DECLARATION_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

  // Parses those that begin with their type; a program is open.
  void data(isa::Type type);

 private:
  bool is_open(std::string_view directive);
  void data_values(DataSyntax& data);
  void data_place(DataSyntax& data);

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
  const LineParser& lines_;
  OpenProgram& open_;
  const Unit& unit_;
};

}  // namespace wse::assembler
