// The program, library or macro that is open, to which the lines of a source belong.
#pragma once

#include <string_view>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "asm/text/token_stream.h"

namespace wse::assembler {

class OpenProgram {
 public:
  OpenProgram(TokenStream& tokens, Unit& unit, Reporter& reporter)
      : tokens_(tokens), unit_(unit), reporter_(reporter) {}

  ProgramSyntax* program() const { return program_; }  // or library; nullptr: none
  MacroSyntax* macro() const { return macro_; }        // nullptr: none

  // The program belongs to the unit; nullptr: none is open.
  void set_program(ProgramSyntax* program) { program_ = program; }
  void set_macro(MacroSyntax* macro) { macro_ = macro; }
  // All expressions of the unit since its begin are the program's.
  void take_expressions();
  void end_program();

  // Returns that of the macro, else of the program; one of them must be open.
  std::vector<BodySyntax>& body() { return macro_ != nullptr ? macro_->body : program_->body; }
  std::vector<BlockSyntax>& blocks() {
    return macro_ != nullptr ? macro_->blocks : program_->blocks;
  }
  // Returns the counts of the program so far; zeros in a macro.
  DeclarationCounts declarations() const {
    return program_ != nullptr ? program_->declarations() : DeclarationCounts{};
  }

  bool is_open() const { return program_ != nullptr || macro_ != nullptr; }
  // False, which is reported, if nothing is open to which `what` can belong.
  bool check_open(std::string_view what, const isa::SourceRange& where);
  // Reports what only a program has.
  bool refuse_in_library(std::string_view what, const isa::SourceRange& where);

  // A line with an error may have begun what follows: then nobody reports that it has no place.
  void set_stray(bool stray) { stray_ = stray; }
  bool is_stray() const { return stray_; }

 private:
  TokenStream& tokens_;
  Unit& unit_;
  Reporter& reporter_;
  ProgramSyntax* program_ = nullptr;
  MacroSyntax* macro_ = nullptr;
  bool stray_ = false;
};

}  // namespace wse::assembler
