// Reads the operands of instructions, descriptors and declarations. Each kind has a reader of its
// own:
//
//     OperandReader        names, values, what kind is here
//       SubscriptReader    v[3], A[r, :]; SliceReader: one dimension
//       FabricReader       fabin(...), fabout(...)
//       MemoryReader       mem(...)
//       DescriptorReader   circular(...), save(...), indexed(...)
//       TaskReader         names of tasks
//         ValueReader      whole numbers and registers inside all of these
//
// Reading an operand emits nothing; the emitter decides what has to be loaded first.
#pragma once

#include <optional>

#include "asm/program/descriptor_reader.h"
#include "asm/program/memory_reader.h"
#include "asm/program/subscript_reader.h"
#include "asm/program/task_reader.h"

namespace wse::assembler {

class OperandReader {
 public:
  explicit OperandReader(ProgramContext& context)
      : c_(context),
        values_(context),
        tasks_(context, *this),
        fabric_(context, values_, tasks_),
        memory_(context, values_),
        subscripts_(context, values_, fabric_),
        descriptors_(context, *this, values_, fabric_) {}
  OperandReader(const OperandReader&) = delete;
  OperandReader& operator=(const OperandReader&) = delete;

  // Returns nothing after an error, which is reported.
  std::optional<OperandPlan> read(ExprId id);

  // The same where the name of a task may be, which is the value of its id.
  std::optional<OperandPlan> read_task(ExprId id) { return tasks_.read(id); }

  // Reports an id, known before the run, that no task of the kind has.
  bool check_task(const OperandPlan& operand, ExprId id, bool activates) {
    return tasks_.check(operand, id, activates);
  }

  // Returns the operand that the .dsd of that index is.
  std::optional<OperandPlan> read_declared(std::uint32_t index);

 private:
  std::optional<OperandPlan> read_name(const Expr& expr, ExprId id);
  std::optional<OperandPlan> read_local(const Expr& expr, ExprId id, const Meaning& meaning);
  std::optional<OperandPlan> read_register(const Expr& expr, OperandKind kind, std::uint32_t number,
                                           std::uint32_t limit);
  std::optional<OperandPlan> named_register(const Expr& expr, OperandKind kind,
                                            std::optional<std::uint32_t> number);
  std::optional<OperandPlan> read_value(ExprId id);

  ProgramContext& c_;
  ValueReader values_;
  TaskReader tasks_;
  FabricReader fabric_;
  MemoryReader memory_;
  SubscriptReader subscripts_;
  DescriptorReader descriptors_;
};

}  // namespace wse::assembler
