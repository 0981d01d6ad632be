// Reads fabric operands: fabin(...), fabout(...), elements that wavelets name.
#pragma once

#include <optional>
#include <string_view>

#include "asm/program/task_reader.h"
#include "asm/program/value_reader.h"
#include "asm/syntax/operand_options.h"

namespace wse::assembler {

class FabricReader {
 public:
  FabricReader(ProgramContext& context, ValueReader& values, TaskReader& tasks)
      : c_(context), values_(values), tasks_(tasks) {}

  // A call of fabin or fabout. Returns nothing after an error, which is reported.
  std::optional<OperandPlan> read(const Expr& expr, isa::DescriptorKind kind);

  // The elements of the array that the wavelets of `index` name, which is_input().
  std::optional<OperandPlan> indexed(const OperandPlan& array, ExprId index,
                                     const isa::SourceRange& where);
  bool is_input(ExprId id) const;  // a call of fabin

 private:
  std::optional<isa::Formula> colour(ExprId id);
  bool options(const GivenOptions& given, DescriptorPlan& plan);
  bool length(ExprId id, DescriptorPlan& plan);
  bool on_control(const GivenOptions& given, DescriptorPlan& plan);
  bool pin_queue(const Expr& call, const GivenOptions& given, const DescriptorPlan& plan);
  std::optional<std::uint32_t> queue(ExprId id, std::uint32_t limit);

  ProgramContext& c_;
  ValueReader& values_;
  TaskReader& tasks_;
};

}  // namespace wse::assembler
