// Scalar rows, letter by letter, and the moves that are loads and stores.
#pragma once

#include "asm/code/name_reader.h"
#include "asm/code/print_reader.h"

namespace wse::assembler {

class ScalarEmitter {
 public:
  ScalarEmitter(EmitterContext& e, NameReader& names)
      : e_(e), c_(e.c), operands_(e.operands), code_(e.code), names_(names), prints_(e) {}

  // The fields of the instruction; false after an error.
  bool fill_row(const Line& line, Work& work);
  // Operand k into a register; the number goes into `field`.
  bool fill_source(const Line& line, std::size_t k, std::uint32_t& field);
  // Operand k as the one that may be a value.
  bool fill_scalar(const Line& line, std::size_t k, Work& work);

  // Whether it is a plain move with memory on one side: then it is a load, a store, or both.
  bool is_move(const Line& line) const;
  void emit_move(const Line& line);

 private:
  bool fill_letter(const Line& line, char letter, std::size_t k, Work& work);
  bool fill_destination(const Line& line, std::size_t k, Work& work);
  bool fill_descriptor_register(const Line& line, std::size_t k, std::uint32_t& field);
  bool fill_address(const Line& line, std::size_t k, Work& work);
  bool fill_descriptor(const Line& line, std::size_t k, Work& work);
  bool fill_colour(const Line& line, std::size_t k, Work& work);
  bool fill_task(const Line& line, std::size_t k, Work& work);
  bool fill_name(const Line& line, char letter, std::size_t k, Work& work);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  CodeWriter& code_;
  NameReader& names_;
  PrintReader prints_;
};

}  // namespace wse::assembler
