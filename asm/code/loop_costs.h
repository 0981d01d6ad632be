// Costs of every turn of a loop that need not be: arrays whose banks conflict, descriptors
// that the assembler loads again.
//
// Collects while code is written, and speaks when the loops are known: code between a jump back and
// its target. Says nothing where little is to be won: what it says is advice, and the program is
// right.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "asm/program/program_context.h"
#include "isa/image/image.h"
#include "isa/machine/timing.h"

namespace wse::assembler {

// A vector instruction, as far as it is known before the run.
struct VectorWork {
  std::uint32_t pc = 0;  // where its code begins, loads included
  isa::SourceRange where{};
  const isa::InstructionInfo* row = nullptr;
  std::optional<std::int64_t> elements{};
  bool on_fabric = false;
  bool asynchronous = false;
  // Its two sources, if it has two that are literal operands.
  const DescriptorPlan* first = nullptr;
  const DescriptorPlan* second = nullptr;
};

class LoopCosts {
 public:
  void add(const VectorWork& work, const ProgramContext& context);

  // The assembler adds a load of that literal, with so many dimensions beyond the first, for the
  // instruction added last.
  void add_load(std::uint32_t literal, std::uint32_t further) {
    loads_.push_back({literal, further});
  }

  // A jump from `last` back to `first`.
  void add_loop(std::uint32_t first, std::uint32_t last) { loops_.push_back({first, last}); }

  // After the last instruction.
  void report(const ProgramContext& context);

 private:
  struct Instruction {
    std::uint32_t pc = 0;
    isa::SourceRange where{};
    std::optional<std::uint64_t> issues{};  // cycles in which it issues elements
    std::size_t first_load = 0;  // in loads_; its loads end where those of the next begin
    bool asynchronous = false;
    // Arrays whose banks conflict, as indices of symbols; the same twice: none do.
    std::uint32_t first_symbol = 0;
    std::uint32_t second_symbol = 0;
    isa::SourceWords first_words{};  // where the instruction begins to read them
    isa::SourceWords second_words{};
  };
  struct Load {
    std::uint32_t literal = 0;
    std::uint32_t further = 0;  // dimensions
  };
  // Code words first .. last.
  struct Loop {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  void find_conflict(const VectorWork& work, const ProgramContext& context,
                     Instruction& made) const;
  std::vector<std::size_t> loops_around() const;
  void report_conflict(const Instruction& instruction, const ProgramContext& context) const;
  static void offer_banks(const isa::Symbol& symbol, isa::SourceWords moved,
                          const isa::SourceWords& other, const ProgramContext& context);
  bool report_loads(const std::vector<std::size_t>& instructions,
                    const ProgramContext& context) const;

  std::vector<Instruction> instructions_;
  std::vector<Load> loads_;
  std::vector<Loop> loops_;
};

}  // namespace wse::assembler
