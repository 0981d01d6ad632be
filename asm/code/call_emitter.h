// `call f` and `call D, f, A, B`: values into the registers of the header, the call, the result
// into D.
//
// Operands are read as if all arguments were passed at once: one that lies in the register of an
// argument before it is saved first.
#pragma once

#include "asm/code/name_reader.h"

namespace wse::assembler {

class CallEmitter {
 public:
  // A value that goes to a function, or comes from it.
  struct Passed {
    OperandPlan operand{};
    isa::OperandType type = isa::OperandType::Any32;
    std::uint32_t to = 0;  // the register of the function
  };

  CallEmitter(EmitterContext& e, NameReader& names)
      : e_(e), c_(e.c), operands_(e.operands), code_(e.code), names_(names) {}

  // False if the line is no such call: `call r9, label` is an instruction like any other.
  bool emit(const Line& line);

  // Operand k of the line, which the function sees as a `type`; 0 is the result.
  bool read_passed(const Line& line, std::size_t k, std::optional<isa::Type> type,
                   std::optional<OperandPlan> operand, Passed& passed);

 private:
  void emit_with_arguments(const Line& line);
  bool takes(const Line& line, const HeaderPlan& plan);
  bool keep_from_overwriting(std::vector<Passed>& passed);
  void jump_into(const HeaderPlan& plan);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  CodeWriter& code_;
  NameReader& names_;
};

}  // namespace wse::assembler
