// mem(address) is a word of memory, mem(address, length=..., stride=...) a descriptor. Programs
// write symbols; the disassembler writes this where no symbol fits.
#pragma once

#include <optional>
#include <vector>

#include "asm/program/value_reader.h"
#include "asm/syntax/operand_options.h"

namespace wse::assembler {

class MemoryReader {
 public:
  MemoryReader(ProgramContext& context, ValueReader& values) : c_(context), values_(values) {}

  // Returns nothing after an error, which is reported.
  std::optional<OperandPlan> read(const Expr& expr);

 private:
  std::optional<OperandPlan> element_at(const Expr& expr, const GivenOptions& given,
                                        std::optional<std::uint32_t> base, isa::Formula address);
  bool dimensions(const GivenOptions& given, DescriptorPlan& plan);
  std::vector<ExprId> list_of(ExprId id) const;

  ProgramContext& c_;
  ValueReader& values_;
};

}  // namespace wse::assembler
