// Reads the parts of operands: whole numbers, registers, the first argument of a call.
#pragma once

#include <optional>
#include <string_view>

#include "asm/program/operand_plan.h"

namespace wse::assembler {

class ValueReader {
 public:
  explicit ValueReader(ProgramContext& context) : c_(context) {}

  // Reads an expression that cannot be a float. Returns nothing after an error, which is reported,
  // as all but register_of() do.
  std::optional<isa::Formula> integer(ExprId id);
  // The same; a constant one must lie in least .. most.
  std::optional<isa::Formula> integer(ExprId id, std::string_view what, std::int64_t least,
                                      std::int64_t most);
  // Returns what was computed for `expr`, or reports the error.
  std::optional<isa::Formula> computed(isa::Result<isa::Formula> formula, const Expr& expr);
  // Every call begins with one, which has no name.
  std::optional<ExprId> first_argument(const Expr& call, std::string_view wanted);

  // The number of the register that the name means, nothing if it means none. Reports nothing.
  std::optional<std::uint32_t> register_of(ExprId id) const;

 private:
  ProgramContext& c_;
};

}  // namespace wse::assembler
