// `assert A == S [: f32]`. Floats are compared as floats if either side is one or the type says so.
#pragma once

#include "asm/code/scalar_emitter.h"

namespace wse::assembler {

class AssertEmitter {
 public:
  AssertEmitter(EmitterContext& e, ScalarEmitter& scalars)
      : e_(e), c_(e.c), operands_(e.operands), scalars_(scalars) {}

  void emit(Line& line);

 private:
  std::optional<isa::Type> compared_type(const Line& line);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  ScalarEmitter& scalars_;
};

}  // namespace wse::assembler
