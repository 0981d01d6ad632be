// `map D, fmach, A, B, V`: one vector instruction for each element of V, which takes the place of
// its scalar operand.
//
// Must never accept what may have to wait: the time of such an instruction is known at its start.
#pragma once

#include "asm/code/vector_emitter.h"

namespace wse::assembler {

class MappedEmitter {
 public:
  MappedEmitter(EmitterContext& e, VectorEmitter& vectors)
      : e_(e), c_(e.c), code_(e.code), vectors_(vectors) {}

  // The instruction in the place where the name of a function may be; nullptr: something else.
  // Functions come first.
  const isa::InstructionInfo* row_of(ExprId id) const;
  void emit(const Line& line, const isa::InstructionInfo& row);

 private:
  bool check(Line& line);
  bool check_lengths(Line& line);
  bool fill(const Line& line, Work& work);
  static std::string usage_of(const isa::InstructionInfo& row);

  EmitterContext& e_;
  ProgramContext& c_;
  CodeWriter& code_;
  VectorEmitter& vectors_;
};

}  // namespace wse::assembler
