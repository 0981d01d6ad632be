// The parser: tokens to a Unit, statement by statement, recovering at the end of a broken line.
//
// It knows the shapes of directives, but no mnemonic and no name: an instruction is a word with
// expressions after it. Each kind of statement has a parser of its own:
//
//     Parser              which statement is here, `.include`, `.end`
//       TopParser, FabricParser, DeclarationParser, BlockParser, MacroParser, LineParser
//       BodyParser        instructions and labels; HeaderParser: tasks and functions
//         OpenProgram     the program or macro to which lines belong
//         PhraseParser    types, ranges, names with values
//           ExpressionParser, TextParser
#pragma once

#include "asm/syntax/block_parser.h"
#include "asm/syntax/body_parser.h"
#include "asm/syntax/declaration_parser.h"
#include "asm/syntax/fabric_parser.h"
#include "asm/syntax/line_parser.h"
#include "asm/syntax/macro_parser.h"
#include "asm/syntax/top_parser.h"
#include "asm/text/sources.h"

namespace wse::assembler {

class Parser {
 public:
  // Reads sources[start.file].
  Parser(Sources& sources, const isa::SourceRange& start, Unit& unit, Reporter& reporter);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // A whole source, and what it includes, into the unit.
  void parse_source();

  // "NAME=expression" of a command line.
  void parse_override();

 private:
  struct Directive {
    std::string_view word;
    void (*rule)(Parser& parser);
    bool in_program;
    bool in_library;
    bool in_macro;
    bool declares;
  };
  static const Directive kDirectives[];

  static const Directive* find_directive(std::string_view word);
  void statement();
  void directive();
  void unknown_directive(const Token& token);
  void miss(const Token& first);
  void end_program();

  // One rule for each directive that is of no other parser.
#define PARSER_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

  Sources& sources_;
  TokenStream tokens_;
  Unit& unit_;
  Reporter& reporter_;
  ExpressionParser exprs_;
  PhraseParser phrases_;
  LineParser lines_;
  OpenProgram open_;
  BlockParser blocks_;
  MacroParser macros_;
  TopParser top_;
  FabricParser fabric_;
  DeclarationParser declarations_;
  BodyParser body_;
};

}  // namespace wse::assembler
