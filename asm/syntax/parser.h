// The parser: tokens to a Unit, statement by statement, recovering at the end of a broken line.
//
// It knows the shapes of directives, but no mnemonic and no name: an instruction is a word with
// expressions after it. Its recursion is bounded, whatever the source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "asm/text/sources.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

// Expressions, operands and texts; what both statements and print texts are made of.
class ExprParser {
 public:
  ExprParser(TokenStream& tokens, Unit& unit, Reporter& reporter)
      : tokens_(tokens), unit_(unit), reporter_(reporter) {}

  // kNoExpr after a failure, which is reported.
  ExprId expression() { return binary(1); }
  ExprId postfix();  // a name, call, index, number, text or parentheses
  // The same, but a bracket after a name does not belong to it.
  ExprId plain();
  // A name as `address(name)`.
  ExprId address();

 private:
  ExprId binary(int least);
  ExprId unary();
  ExprId select(ExprId condition);
  ExprId number(bool negative);
  ExprId text();
  ExprId name();
  ExprId call(const Token& name);
  ExprId index(const Token& name);
  ExprId subscript(const Token& name);
  ExprId list();
  Argument argument();
  ExprId make(Expr expr, const isa::SourceRange& from);
  ExprId make_with(Expr expr, const std::vector<Argument>& arguments, const isa::SourceRange& from);
  ExprId make_operator(isa::FormulaOp op, std::initializer_list<ExprId> operands);
  bool enter();

  TokenStream& tokens_;
  Unit& unit_;
  Reporter& reporter_;
  std::size_t nesting_ = 0;
};

class Parser {
 public:
  // Reads sources[start.file].
  Parser(Sources& sources, const isa::SourceRange& start, Unit& unit, Reporter& reporter);

  // A whole source, and what it includes, into the unit.
  void parse_source();

  // "NAME=expression" of a command line.
  void parse_override();

 private:
  using Rule = void (Parser::*)();
  struct Directive {
    std::string_view word;
    Rule rule;
    bool in_program;
    bool in_library;
    bool in_macro;
    bool declares;
  };
  static const Directive kDirectives[];

  void statement();
  bool at_vendor_option();
  void directive();
  void unknown_directive(const Token& token);
  void miss(const Token& first);
  void poison_names();
  void end_program();

  // One rule for each directive.
#define DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"
#undef DIRECTIVE

  // At the top (parse_top.cpp).
  void program_parameters(ProgramSyntax& program);
  void given_line(bool counts);
  void close_macro();
  // Blocks (parse_blocks.cpp).
  bool may_open(std::string_view what);
  void open_block(const BlockSyntax& block);
  void close_block();
  void close_all_blocks();
  void refuse_end(Problem problem);
  bool in_loop();
  bool refuse_in_loop(std::string_view what);
  std::vector<BlockSyntax>& blocks();
  std::vector<BodySyntax>& body();
  bool is_in_macro(const Token& token);
  bool refuse_in_library(std::string_view what, const isa::SourceRange& where);

  // About routers (parse_fabric.cpp).
  void position_list(RoutingSyntax& routing);
  void position(RoutingSyntax& routing);
  void routing_options(RoutingSyntax& routing, bool of_route);
  FilterSyntax filter_kind();
  void filter_option(FilterSyntax& filter, const isa::FilterKindInfo& kind);
  void filter_word(FilterSyntax& filter, const Named& option);
  isa::Type element_type();
  std::optional<isa::Port> link_port();

  // Inside a program (parse_program.cpp).
  void data(isa::Type type);
  void data_values(DataSyntax& data);
  void data_place(DataSyntax& data);
  void body_statement();
  void header(const Named& word);
  void task_header(HeaderSyntax& made);
  void function_header(HeaderSyntax& made);
  void header_arguments(HeaderSyntax& made);
  std::optional<isa::Type> register_type();
  bool map_option(BodySyntax& made);
  void completion(BodySyntax& made);
  bool is_mistyped_header(const Named& word);
  void instruction(const Named& mnemonic);
  bool open_program(std::string_view what, const isa::SourceRange& where);

  isa::Type type(std::string_view owner, bool may_be_colour);
  Binding binding(std::string_view what);                            // NAME = expr
  void bindings(std::vector<Binding>& list, std::string_view what);  // NAME [= expr], ...
  RangeSyntax range();
  RectSyntax rect();
  std::optional<isa::Port> port();
  isa::SourceLine line_here() const;
  std::string string_value(const Token& token);

  Sources& sources_;
  TokenStream tokens_;
  Unit& unit_;
  Reporter& reporter_;
  ExprParser exprs_;
  isa::SourceRange begin_;  // of the present statement
  ProgramSyntax* program_ = nullptr;
  bool stray_ = false;                      // an unknown directive may have begun what follows
  MacroSyntax* macro_ = nullptr;            // whose lines follow
  std::vector<std::uint32_t> open_blocks_;  // of the program or macro, the innermost last
  bool in_loop_ = false;                    // of the file that includes this one
  bool macro_end_lost_ = false;             // a statement with an error may have been its end
  std::uint32_t file_number_;               // of the text itself, in the unit
  std::uint32_t line_file_;                 // what .line or .lines said
  std::optional<GivenLine> given_;
};

// Undoes the escapes of the characters between the quotes; reports unknown ones.
std::string unescape(std::string_view raw, const isa::SourceRange& where, Reporter& reporter);

}  // namespace wse::assembler
