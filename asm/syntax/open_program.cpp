// Says whether a line has its place here.
#include "asm/syntax/open_program.h"

namespace wse::assembler {

void OpenProgram::take_expressions() {
  if (program_ != nullptr) program_->last_expr = static_cast<ExprId>(unit_.exprs.size());
}

void OpenProgram::end_program() {
  take_expressions();
  program_ = nullptr;
}

bool OpenProgram::check_open(std::string_view what, const isa::SourceRange& where) {
  if (is_open()) return true;
  if (!stray_) reporter_.report(Problem::OutsideProgram, where, what);
  unit_.broken_statement = true;
  tokens_.fail();
  return false;
}

bool OpenProgram::refuse_in_library(std::string_view what, const isa::SourceRange& where) {
  if (program_ == nullptr || !program_->is_library || macro_ != nullptr) return false;
  reporter_.report(Problem::NotInLibrary, where, what, program_->name.text);
  tokens_.fail();
  return true;
}

}  // namespace wse::assembler
