// Descriptors that are made of another one: circular(...), save(...), indexed(...).
#pragma once

#include <optional>

#include "asm/program/fabric_reader.h"

namespace wse::assembler {

class OperandReader;

class DescriptorReader {
 public:
  // `operands` reads what is inside.
  DescriptorReader(ProgramContext& context, OperandReader& operands, ValueReader& values,
                   FabricReader& fabric)
      : c_(context), operands_(operands), values_(values), fabric_(fabric) {}

  // Returns nothing after an error, which is reported.
  std::optional<OperandPlan> circular(const Expr& expr);
  std::optional<OperandPlan> saved(const Expr& expr);
  std::optional<OperandPlan> indexed(const Expr& expr);

 private:
  ProgramContext& c_;
  OperandReader& operands_;
  ValueReader& values_;
  FabricReader& fabric_;
};

}  // namespace wse::assembler
