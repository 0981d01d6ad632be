// Prints programs with the source beside the code.
#include "asm/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/prices.h"
#include "asm/source_texts.h"
#include "isa/image/disassembler.h"

namespace wse::assembler {
namespace {

class Lister {
 public:
  Lister(const isa::Image& image, const isa::SourceFiles& files,
         const std::vector<ChosenNumber>& numbers, const isa::Profile& profile)
      : image_(image), numbers_(numbers), profile_(profile), files_(files), texts_(image, files) {}

  std::string text() {
    list_colours();
    for (const isa::Program& program : image_.programs) {
      out_ += fmt::format("{}program {}{}\n", out_.empty() ? "" : "\n", program.name,
                          program.role.empty() ? "" : ": " + program.role);
      list_memory(program);
      list_names(program);
      list_code(program);
    }
    return std::move(out_);
  }

 private:
  void list_colours() {
    for (std::size_t k = 0; k < image_.colours.size(); ++k) {
      if (image_.colours[k].empty()) continue;
      out_ += fmt::format("{}  {} = colour {}\n", out_.empty() ? "colours\n" : "",
                          image_.colours[k], k);
    }
    bool first = true;
    for (const ChosenNumber& number : numbers_) {
      if (!number.program.empty()) continue;
      out_ += fmt::format("{}  {} = {}\n", first ? "entries\n" : "", number.name, number.value);
      first = false;
    }
  }

  void list_names(const isa::Program& program) {
    bool first = true;
    for (const ChosenNumber& number : numbers_) {
      if (number.program != program.name) continue;
      out_ += fmt::format("{}    {} = {}\n", first ? "  names:\n" : "", number.name, number.value);
      first = false;
    }
  }

  void list_memory(const isa::Program& program) {
    out_ += fmt::format("  memory: {} of {} bytes\n", program.data_bytes() + program.code_bytes(),
                        profile_.memory_bytes);
    for (const isa::Symbol& symbol : program.symbols) {
      const std::string count = isa::shape_text(symbol);
      out_ += fmt::format("    {:>6} {:>6}  .{} {}{}{}\n", symbol.address, symbol.bytes(),
                          isa::info(symbol.type).text, symbol.name, count,
                          symbol.exported ? " exported" : "");
    }
    const auto rest = [this](std::size_t bytes, std::string_view what) {
      if (bytes > 0) out_ += fmt::format("    {:>6} {:>6}  {}\n", "", bytes, what);
    };
    rest(4 * program.code.size(), "code");
    rest(4 * program.literals.size(), "literals");
    rest(program.descriptor_bytes(), "descriptors");
    rest(4 * std::size_t{program.slot_count()}, "parameter slots");
  }

  void list_code(const isa::Program& program) {
    out_ += "  code:    pc  words              slots cycles\n";
    for (const PricedLine& line : priced_lines(image_, program, files_, profile_)) {
      if (line.where.line > 0) {
        const std::string_view text = texts_.at(line.where);
        const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
        out_ += fmt::format("{}: {}\n", image_.place_text(line.where), text.substr(indent));
      }
      for (const PricedInstruction& priced : line.code) list_instruction(program, priced);
    }
  }

  void list_instruction(const isa::Program& program, const PricedInstruction& priced) {
    const isa::InstructionInfo& row = isa::info(priced.instruction.op);
    std::string words;
    for (std::uint32_t k = 0; k < row.words(); ++k) {
      words += fmt::format("{}{:08x}", k == 0 ? "" : " ", program.code[priced.pc + k]);
    }
    out_ +=
        fmt::format("  {} {:>9}  {:<17}  {:<12}  {}\n", priced.added ? '+' : ' ', priced.pc, words,
                    price_text(priced), isa::instruction_text(image_, program, priced.instruction));
  }

  const isa::Image& image_;
  const std::vector<ChosenNumber>& numbers_;
  const isa::Profile& profile_;
  const isa::SourceFiles& files_;
  SourceTexts texts_;
  std::string out_;
};

}  // namespace

std::string listing(const isa::Image& image, const isa::SourceFiles& files,
                    const std::vector<ChosenNumber>& numbers, const isa::Profile& profile) {
  return Lister(image, files, numbers, profile).text();
}

namespace {

// The tasks of programs that have others than main.
std::string task_table(const isa::Image& image) {
  constexpr std::string_view kRow = "{:<15} {:<15} {:<8} {:>7} {:<8} {:>7}\n";
  constexpr std::string_view kKinds[] = {"main", "local", "data", "control", "teardown"};
  std::string text;
  for (const isa::Program& program : image.programs) {
    if (program.has_main_only()) continue;
    if (text.empty()) {
      text = "\n" + fmt::format(kRow, "program", "task", "kind", "id", "priority", "pc");
    }
    for (const isa::Task& task : program.tasks) {
      const bool has_id = task.kind != isa::TaskKind::Main && !task.id.is_slot;
      const std::string_view kind =
          task.exported ? "exported" : kKinds[static_cast<int>(task.kind)];
      text += fmt::format(kRow, program.name, task.name, kind,
                          has_id ? fmt::format("{}", task.id.value) : "-",
                          task.high ? "high" : "low", task.entry);
    }
  }
  return text;
}

}  // namespace

std::string symbol_table(const isa::Image& image) {
  constexpr std::string_view kRow = "{:<15} {:<15} {:>7} {:>7} {:<4} {:>7}\n";
  std::string text = fmt::format(kRow, "program", "name", "address", "bytes", "type", "count");
  for (const isa::Program& program : image.programs) {
    for (const isa::Symbol& symbol : program.symbols) {
      text += fmt::format(kRow, program.name, symbol.name, symbol.address, symbol.bytes(),
                          isa::info(symbol.type).text, symbol.count);
    }
  }
  return text + task_table(image);
}

}  // namespace wse::assembler
