// The data of a program: shapes, addresses and initial values of its symbols, and views over them.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

class DataDeclarer {
 public:
  explicit DataDeclarer(ProgramContext& context) : c_(context) {}

  void declare(const DataSyntax& data);
  // After all other data, so that the addresses of those ascend.
  void declare_view(const DataSyntax& data);
  // After all names, so that they may be used above their definition.
  void set_initial_values();

 private:
  bool set_shape(const DataSyntax& data, isa::Symbol& symbol);
  bool set_extents(const DataSyntax& data, isa::Symbol& symbol);
  bool count_list(const DataSyntax& data, isa::Symbol& symbol);
  bool has_too_many(const DataSyntax& data, const isa::Symbol& symbol);
  void set_list(const DataSyntax& data, isa::Symbol& symbol);
  std::uint32_t constant_bits(const isa::Formula& formula, ExprId id, isa::Type type);

  ProgramContext& c_;
};

}  // namespace wse::assembler
