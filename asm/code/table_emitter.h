// `jmp T[r]` and `call r9, T[r]`: to a label of a table.
//
// Made of a check of the index, a load and a return, which trusts no address: whatever the program
// wrote over its table, control goes to an instruction or traps.
#pragma once

#include "asm/code/emitter_context.h"

namespace wse::assembler {

class TableEmitter {
 public:
  explicit TableEmitter(EmitterContext& e) : e_(e), c_(e.c), operands_(e.operands), code_(e.code) {}

  // False if the line is no such jump.
  bool emit(const Line& line);

 private:
  std::optional<OperandPlan> entry_of_table(const Line& line, ExprId id);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  CodeWriter& code_;
};

}  // namespace wse::assembler
