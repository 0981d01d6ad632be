// The texts of `print`, with what is in their braces.
#pragma once

#include "asm/code/emitter_context.h"

namespace wse::assembler {

class PrintReader {
 public:
  explicit PrintReader(EmitterContext& e) : e_(e), c_(e.c), operands_(e.operands) {}

  // The number of the text among those of the program; nothing after an error.
  std::optional<std::uint32_t> read(ExprId id);

 private:
  bool add_piece(const TextPiece& syntax, isa::PrintText& text);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
};

}  // namespace wse::assembler
