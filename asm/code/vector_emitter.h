// Vector rows: descriptor registers, the one scalar value, and what can be checked of lengths and
// directions before the run.
#pragma once

#include "asm/code/scalar_emitter.h"

namespace wse::assembler {

class VectorEmitter {
 public:
  VectorEmitter(EmitterContext& e, NameReader& names, ScalarEmitter& scalars)
      : e_(e), c_(e.c), operands_(e.operands), code_(e.code), names_(names), scalars_(scalars) {}

  // The fields of the instruction; false after an error.
  bool fill_row(Line& line, Work& work);
  bool fill_destination(const Line& line, Work& work);
  // Operand k as the source of that letter.
  bool fill_source(const Line& line, char letter, std::size_t k, Work& work);

 private:
  bool fill_completion(const Line& line, Work& work);
  void note_work(const Line& line);
  void count_inputs(const Line& line);
  bool check(Line& line);
  void check_control(const Line& line);
  bool check_wavelet(const Line& line, std::size_t k);
  bool check_lengths(Line& line);
  bool check_end_is_known(const Line& line, const OperandPlan& decides);
  bool check_unbounded(const Line& line);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  CodeWriter& code_;
  NameReader& names_;
  ScalarEmitter& scalars_;
};

}  // namespace wse::assembler
