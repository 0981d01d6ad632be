// Body lines to code: chooses the row of the instruction table, and who reads the operand letters
// of its format one by one. Each kind of line has a class of its own:
//
//     Emitter             lines in order, the row of each
//       SectionEmitter    tasks, functions, labels, what ends them
//       ScalarEmitter     scalar rows, moves with memory; PrintReader: texts
//       VectorEmitter     vector rows
//       AssertEmitter     assert A == S
//       CallEmitter       call f, call D, f, A
//       TableEmitter      jumps through a table
//       MapEmitter        map D, f, A (the loop: MapLoop); MappedEmitter: of one vector instruction
//         NameReader      operands that are names
//         EmitterContext  what all share
//
// No mnemonic is here; a new row of instructions.def needs no change unless it brings a letter.
#pragma once

#include <string>
#include <vector>

#include "asm/code/assert_emitter.h"
#include "asm/code/call_emitter.h"
#include "asm/code/map_emitter.h"
#include "asm/code/section_emitter.h"
#include "asm/code/table_emitter.h"

namespace wse::assembler {

class Emitter {
 public:
  // `marks` are the names of the marks of the image so far.
  Emitter(ProgramContext& context, NameTable& mark_names, std::vector<std::string>& marks)
      : c_(context), e_(context), names_(e_, mark_names, marks) {}

  // Headers, labels and instructions in order; what ends a task or function where it has no end.
  void emit_body();
  // Of instructions that have too many.
  const std::vector<FabricInputs>& fabric_inputs() const { return e_.fabric_inputs; }

 private:
  void check_descriptors();
  void emit_instruction(const BodySyntax& body);
  bool choose_row(Line& line);

  ProgramContext& c_;
  EmitterContext e_;
  NameReader names_;
  SectionEmitter sections_{e_};
  ScalarEmitter scalars_{e_, names_};
  VectorEmitter vectors_{e_, names_, scalars_};
  AssertEmitter asserts_{e_, scalars_};
  CallEmitter calls_{e_, names_};
  TableEmitter tables_{e_};
  MapEmitter maps_{e_, names_, calls_, vectors_};
  std::vector<OperandPlan> line_operands_;  // of the present line: their memory serves all lines
};

}  // namespace wse::assembler
