// Prints programs with the source beside the code.
#include "asm/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/straight_line.h"
#include "asm/text/scanner.h"
#include "isa/image/disassembler.h"
#include "isa/instruction/awaited.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

struct Place {
  std::uint32_t pc = 0;
  isa::Instruction instruction;
};

// The lines of one source file, cut once.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.push_back(line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }
  // Line 1 is the first; empty where there is none.
  std::string_view at(std::uint32_t line) const {
    return line >= 1 && line <= lines_.size() ? lines_[line - 1] : std::string_view();
  }

 private:
  std::vector<std::string_view> lines_;
};

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

class Lister {
 public:
  Lister(const isa::Image& image, const isa::SourceFiles& files,
         const std::vector<ChosenNumber>& numbers, const isa::Profile& profile)
      : image_(image), numbers_(numbers), profile_(profile) {
    for (const std::string& name : image.sources) {
      const auto file = std::ranges::find(files, name, &isa::SourceFile::name);
      sources_.emplace_back(file == files.end() ? std::string_view() : file->text);
    }
  }

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
    line_.begin();
    std::vector<Place> group;  // the instructions of one source line
    isa::SourceLine where;
    const auto list = [&](const isa::Instruction& instruction, std::uint32_t pc) {
      if (program.line_of(pc) != where) {
        list_group(program, group, where);
        where = program.line_of(pc);
      }
      group.push_back({pc, instruction});
      const std::span<const std::uint32_t> code = program.code;
      group.back().instruction.is_awaited =
          isa::is_awaited(instruction, code.subspan(pc + isa::info(instruction.op).words()));
    };
    if (isa::for_each_instruction(program.code, list)) list_group(program, group, where);
  }

  void list_group(const isa::Program& program, std::vector<Place>& group,
                  const isa::SourceLine& where) {
    if (group.empty()) return;
    const std::string_view line = where.line > 0 ? sources_[where.file].at(where.line) : "";
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    if (where.line > 0) {
      out_ += fmt::format("{}: {}\n", image_.place_text(where), line.substr(indent));
    }
    const std::string_view word = mnemonic_of(line);
    const bool is_macro =
        !word.empty() && !is_instruction(word);  // its lines are as good as written
    const auto written = std::ranges::find(
        group, word, [](const Place& place) { return isa::info(place.instruction.op).mnemonic; });
    // A move that became a load or store has another mnemonic: then the first stands for it.
    const std::size_t main =
        written == group.end() ? 0 : static_cast<std::size_t>(written - group.begin());
    for (std::size_t k = 0; k < group.size(); ++k) {
      list_instruction(program, group[k], k != main && !line.empty() && !is_macro);
    }
    group.clear();
  }

  void list_instruction(const isa::Program& program, const Place& place, bool added) {
    const isa::InstructionInfo& row = isa::info(place.instruction.op);
    std::string words;
    for (std::uint32_t k = 0; k < row.words(); ++k) {
      words += fmt::format("{}{:08x}", k == 0 ? "" : " ", program.code[place.pc + k]);
    }
    const auto begins_here = [&place](const isa::Task& task) { return task.entry == place.pc; };
    if (std::ranges::any_of(program.tasks, begins_here)) line_.begin();
    const isa::Cost cost = line_.next(place.instruction, program);
    const std::string beside = cost.cycles == 0 ? "" : fmt::format(" +{}", cost.cycles);
    const std::string price = row.is_vector() ? fmt::format("{:>2}/cycle{}", cost.simd, beside)
                                              : fmt::format("{:>5} {:>6}", cost.slots, cost.cycles);
    out_ += fmt::format("  {} {:>9}  {:<17}  {:<12}  {}\n", added ? '+' : ' ', place.pc, words,
                        price, isa::instruction_text(image_, program, place.instruction));
  }

  const isa::Image& image_;
  const std::vector<ChosenNumber>& numbers_;
  const isa::Profile& profile_;
  StraightLine line_{profile_};
  std::vector<Lines> sources_;
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
      text += fmt::format(kRow, program.name, task.name, kKinds[static_cast<int>(task.kind)],
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
