// Appends instructions to a program: words, line table, branch targets, and the set-ups that
// operands need (scalar values, scratch registers, descriptor loads).
//
// It decides no operand's meaning; a value gets its literal or slot when its instruction is
// written.
#pragma once

#include <bitset>
#include <optional>
#include <span>
#include <vector>

#include "asm/code/loop_costs.h"
#include "asm/program/operand_plan.h"
#include "asm/program/program_context.h"

namespace wse::assembler {

class CodeWriter {
 public:
  explicit CodeWriter(ProgramContext& context);

  // Begins the code of the instruction `mnemonic` in this line, with these operands: all that is
  // appended until the next call comes from there.
  void begin(const Named& mnemonic, const isa::SourceLine& line,
             std::span<const ExprId> operands = {});

  std::uint32_t position() const { return static_cast<std::uint32_t>(c_.program.code.size()); }
  void append(const isa::Instruction& instruction);
  bool has_written(isa::Op op) const { return written_[static_cast<std::size_t>(op)]; }

  // Appends an instruction whose target is a label, maybe a later one.
  void append_jump(isa::Instruction instruction, std::uint32_t label);
  void resolve_jumps();

  // Fills the scalar operand with a value as the instruction's type sees it.
  bool set_scalar(isa::Instruction& instruction, const isa::Formula& formula, isa::OperandType type,
                  const isa::SourceRange& where);

  // Loads and stores of a Memory operand of that type, from and to a register.
  bool load(std::uint32_t destination, const OperandPlan& memory, isa::OperandType type);
  bool store(const OperandPlan& memory, std::uint32_t source, isa::OperandType type);
  // Fills the address of a load or store; the row becomes the indexed one if need be.
  bool set_address(isa::Instruction& instruction, const OperandPlan& memory);

  // A register that the program does not use, free until the next begin().
  std::optional<std::uint32_t> scratch();

  // A register that the program does not use, for this statement alone. Statements of one section
  // follow each other and may have the same ones, where nothing calls into the middle of one.
  std::optional<std::uint32_t> keep();
  void begin_section() { section_kept_ = most_kept_; }

  // A scratch register that holds the operand (Register: itself; Memory: loaded; Value: moved).
  std::optional<std::uint32_t> in_register(const OperandPlan& operand, isa::OperandType type);

  // The operand into that register; nothing if it is there already.
  bool move_into(std::uint32_t to, const OperandPlan& from, isa::OperandType type);

  // A descriptor register that holds the descriptor, loaded unless it is known to hold it.
  std::optional<std::uint32_t> in_descriptor(const DescriptorPlan& plan);

  // Adds what registers hold to a descriptor register that has the rest. False after an error.
  bool add_run_time(std::uint32_t descriptor, const DescriptorPlan& plan,
                    const isa::SourceRange& where);

  // The costs of the code in its loops, which are known once jumps are resolved.
  LoopCosts& loop_costs() { return loop_costs_; }

  // A register that holds the sum: one of the program's if that is all, else a scratch register.
  std::optional<std::uint32_t> sum_of(const std::vector<RegisterTerm>& terms,
                                      const isa::SourceRange& where);

  // After this point nothing is known of descriptor registers: control may come from elsewhere.
  void forget_descriptors();

 private:
  struct Held {
    std::optional<std::uint32_t> literal{};
    bool moved = false;      // its base was set after that,
    bool counted = false;    // its length,
    bool strided = false;    // and its stride
    std::uint64_t used = 0;  // the statement that used it last
  };
  struct Jump {
    std::uint32_t position{};
    isa::Instruction instruction{};
    std::uint32_t label{};
  };

  std::optional<std::uint32_t> constant_bits(const isa::Number& number, isa::OperandType type,
                                             const isa::SourceRange& where);

  void refuse_float(const isa::SourceRange& where);

  ProgramContext& c_;
  Named mnemonic_;
  std::span<const ExprId> operands_;
  isa::SourceLine line_;
  std::bitset<isa::kInstructionCount> written_;  // by Op
  std::vector<std::uint32_t> free_registers_;    // the one to take first is last
  std::size_t scratches_ = 0;                    // taken since begin(), from the end
  std::size_t most_scratches_ = 0;               // by any statement
  std::size_t kept_ = 0;          // by this statement and other sections, from the front
  std::size_t section_kept_ = 0;  // by the sections before
  std::size_t most_kept_ = 0;
  bool sections_call_functions_ = true;  // and nothing else
  Held held_[isa::kDescriptorRegisters];
  std::uint64_t statement_ = 0;
  std::vector<Jump> jumps_;
  LoopCosts loop_costs_;
};

}  // namespace wse::assembler
