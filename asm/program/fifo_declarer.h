// The FIFOs of a program: their storage, and the tasks that they tell.
#pragma once

#include "asm/program/operand_reader.h"

namespace wse::assembler {

class FifoDeclarer {
 public:
  explicit FifoDeclarer(ProgramContext& context) : c_(context), operands_(context) {}

  // After the data and the tasks that it names.
  void declare(const FifoSyntax& syntax);

 private:
  bool storage(ExprId id, isa::Fifo& fifo);
  const isa::Symbol* array_at(const OperandPlan& operand) const;
  bool shares_nothing(const isa::Fifo& fifo, const isa::SourceRange& where);
  bool task(ExprId id, std::optional<std::uint32_t>& number);

  ProgramContext& c_;
  OperandReader operands_;
};

}  // namespace wse::assembler
