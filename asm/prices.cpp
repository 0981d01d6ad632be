// Reads the image; of the sources only the word with which a line begins.
#include "asm/prices.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/source_texts.h"
#include "asm/straight_line.h"
#include "asm/text/scanner.h"
#include "isa/instruction/awaited.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

bool is_instruction(std::string_view word) {
  return std::ranges::any_of(isa::kInstructions,
                             [word](const auto& row) { return row.mnemonic == word; });
}

// The word on a source line that names its instruction: after labels.
std::string_view mnemonic_of(std::string_view line) {
  Scanner scanner(line, {.line = 1});
  Token word = scanner.next();
  while (word.kind == TokenKind::Name) {
    const Token next = scanner.next();
    if (!next.is(":")) break;
    word = scanner.next();
  }
  return word.kind == TokenKind::Name ? word.text : std::string_view();
}

class Pricer {
 public:
  Pricer(const isa::Image& image, const isa::Program& program, const isa::SourceFiles& files,
         const isa::Profile& profile)
      : program_(program), texts_(image, files), line_(profile) {}

  std::vector<PricedLine> lines() {
    line_.begin();
    const auto add = [this](const isa::Instruction& instruction, std::uint32_t pc) {
      const isa::SourceLine where = program_.line_of(pc);
      if (lines_.empty() || lines_.back().where != where) lines_.push_back({.where = where});
      lines_.back().code.push_back(priced(instruction, pc));
    };
    const bool is_whole = isa::for_each_instruction(program_.code, add);
    if (!is_whole && !lines_.empty()) lines_.pop_back();
    for (PricedLine& line : lines_) mark_added(line);
    return std::move(lines_);
  }

 private:
  PricedInstruction priced(const isa::Instruction& instruction, std::uint32_t pc) {
    PricedInstruction made{.pc = pc, .instruction = instruction};
    const std::span<const std::uint32_t> code = program_.code;
    made.instruction.is_awaited =
        isa::is_awaited(instruction, code.subspan(pc + isa::info(instruction.op).words()));
    const auto begins_here = [pc](const isa::Task& task) { return task.entry == pc; };
    if (std::ranges::any_of(program_.tasks, begins_here)) line_.begin();
    made.cost = line_.next(made.instruction, program_);
    return made;
  }

  // All but the instruction that the line names; code of a macro is as good as written.
  void mark_added(PricedLine& line) const {
    const std::string_view text = texts_.at(line.where);
    const std::string_view word = mnemonic_of(text);
    const bool is_macro = !word.empty() && !is_instruction(word);
    if (text.empty() || is_macro) return;
    const auto written = std::ranges::find(line.code, word, [](const PricedInstruction& priced) {
      return isa::info(priced.instruction.op).mnemonic;
    });
    // A move that became a load or store has another mnemonic: then the first stands for it.
    const auto main = written == line.code.end() ? line.code.begin() : written;
    for (auto k = line.code.begin(); k != line.code.end(); ++k) k->added = k != main;
  }

  const isa::Program& program_;
  SourceTexts texts_;
  StraightLine line_;
  std::vector<PricedLine> lines_;
};

}  // namespace

std::vector<PricedLine> priced_lines(const isa::Image& image, const isa::Program& program,
                                     const isa::SourceFiles& files, const isa::Profile& profile) {
  return Pricer(image, program, files, profile).lines();
}

std::string price_text(const PricedInstruction& priced) {
  const isa::Cost& cost = priced.cost;
  if (!isa::info(priced.instruction.op).is_vector()) {
    return fmt::format("{:>5} {:>6}", cost.slots, cost.cycles);
  }
  const std::string beside = cost.cycles == 0 ? "" : fmt::format(" +{}", cost.cycles);
  return fmt::format("{:>2}/cycle{}", cost.simd, beside);
}

}  // namespace wse::assembler
