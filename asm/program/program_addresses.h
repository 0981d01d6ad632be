// address(...) in the expressions of a program: where its data lie, and where its code continues.
#pragma once

#include <optional>

#include "asm/names/formulas.h"

namespace wse::assembler {

struct ProgramContext;

class ProgramAddresses : public AddressBook {
 public:
  explicit ProgramAddresses(ProgramContext& context) : c_(context) {}
  std::optional<isa::Formula> address_of(ExprId id) const override;

 private:
  std::optional<isa::Formula> code_address(const Expr& name) const;

  ProgramContext& c_;
};

}  // namespace wse::assembler
