// The parts that all emitters of a program's lines share: its names, the reader of operands, the
// writer of code, and what any kind of instruction checks.
#pragma once

#include "asm/code/code_writer.h"
#include "asm/code/fabric_inputs.h"
#include "asm/code/line.h"
#include "asm/program/operand_reader.h"
#include "asm/program/program_context.h"

namespace wse::assembler {

struct EmitterContext {
  explicit EmitterContext(ProgramContext& context) : c(context), operands(context), code(context) {}

  // The operands of value letters; false after an error.
  bool read_operands(Line& line);
  // Checks the elements of operand k against what the row works on.
  bool check_element(const Line& line, std::size_t k);
  // An instruction that is not a vector instruction runs on no microthread.
  bool check_async(const Line& line);
  // Checks that nothing follows the operands, where it would have no meaning.
  bool check_plain(const BodySyntax& syntax);
  void refuse_type(const BodySyntax& body);
  bool refuse_operand(const Line& line, std::size_t k, std::string_view wanted);
  bool refuse_name(ExprId id, std::string_view wanted);
  // A type that memory can hold.
  std::optional<isa::Type> type_of(const Named& name);
  // Loads before are written already; now the instruction itself, its values, and a store after it.
  void finish(const Line& line, Work& work);

  ProgramContext& c;
  OperandReader operands;
  CodeWriter code;
  bool ends = false;                          // control cannot run past the last instruction
  std::vector<FabricInputs> fabric_inputs{};  // of instructions that have too many
};

}  // namespace wse::assembler
