// Does every instruction of the measured programs do something? Each is taken out in turn: with the
// values of some row what is left must not assemble, not end, or give another result. So no cycle
// of a row is padding. Loads that a program has twice are left alone: the measured code loads for
// each instruction what it has loaded before. So are programs that only bound a constant, in which
// the order of moves is all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "asm/assembler.h"
#include "tests/fidelity/predictions.h"
#include "tests/fidelity/rows.h"
#include "tests/support/files.h"
#include "vm/run/machine.h"

namespace wse::fidelity {
namespace {

constexpr vm::Cycle kMostCycles = 100'000;  // ten times what the longest of these programs takes

using Lines = std::vector<std::string>;
using Result = std::map<std::string, std::vector<std::uint32_t>>;  // exported arrays by name

std::set<std::string> exported_names(const isa::Image& image) {
  std::set<std::string> names;
  for (const isa::Program& program : image.programs) {
    for (const isa::Symbol& symbol : program.symbols) {
      if (symbol.exported) names.insert(symbol.name);
    }
  }
  return names;
}

// What the program leaves behind; nothing if it does not end well.
std::optional<Result> outcome(const Row& row, const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  assembler::Output output =
      assembler::assemble({row.program, text}, {.overrides = row.values, .profile = row.machine});
  if (!output.image) return std::nullopt;
  const std::set<std::string> names = exported_names(*output.image);
  const auto machine = vm::Machine::create(std::move(*output.image), row.machine);
  if (!machine) return std::nullopt;
  vm::RunOptions options;
  options.max_cycles = kMostCycles;
  const vm::Record record = (*machine)->run(options);
  if (record.status != vm::RunStatus::Halted || record.wavelets_left != 0) return std::nullopt;
  Result result;
  for (const std::string& name : names) result[name] = *(*machine)->read_array(name);
  return result;
}

// Instructions are indented deeper than data, labels and headers; marks cost nothing.
bool is_instruction(std::string_view line) {
  constexpr std::size_t kIndent = 4;
  return line.size() > kIndent && line.substr(0, kIndent) == "    " &&
         std::isalpha(static_cast<unsigned char>(line[kIndent])) &&
         !line.substr(kIndent).starts_with("mark ");
}

bool is_repeated_load(const Lines& lines, const std::string& line) {
  constexpr std::string_view kLoads[] = {"    setd ", "    ldd ", "    mov32 count, "};
  const auto begins = [&line](std::string_view load) { return line.starts_with(load); };
  return std::ranges::any_of(kLoads, begins) && std::ranges::count(lines, line) > 1;
}

constexpr std::string_view kTree = "tests/fidelity/programs/tree.wsa";
constexpr std::string_view kTwoPhase = "tests/fidelity/programs/two-phase.wsa";

// The lines from the first macro to the placements.
std::string code_of(std::string_view program) {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  const std::string text = test_support::read_text(root / program);
  const std::size_t first = text.find(".macro");
  return text.substr(first, text.find(".place") - first);
}

// The rows of each program in .wsa, by its name, and after them a row for each of its series.
// Two-phase has the code of the tree, of which it does not need all.
std::map<std::string, std::vector<Row>> rows_of_programs() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  auto rows = *parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  const auto all =
      *parse_predictions(test_support::read_text(root / "tests/fidelity/predictions.csv"));
  for (const Series& series : all) rows.push_back(row_of(series, series.sizes.front()));
  std::map<std::string, std::vector<Row>> programs;
  for (Row& row : rows) {
    const bool judged = row.use != Use::Bound && row.rule != Rule::Script;
    if (judged && row.program != kTwoPhase) programs[row.program].push_back(std::move(row));
  }
  return programs;
}

// What the first rows of a program leave behind: as many as it takes until each line is of use in
// one.
class Outcomes {
 public:
  Outcomes(const std::vector<Row>& rows, const Lines& lines) : rows_(rows), lines_(lines) {}

  // Whether some row comes out otherwise without the line.
  bool needs(std::size_t line) {
    Lines without = lines_;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(line));
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (outcome(rows_[k], without) != whole(k)) return true;
    }
    return false;
  }

  // What the whole program leaves behind with the values of a row.
  const Result& whole(std::size_t k) {
    while (known_.size() <= k) {
      const Row& row = rows_[known_.size()];
      auto found = outcome(row, lines_);
      EXPECT_TRUE(found) << row.name;
      EXPECT_FALSE(found && found->empty()) << row.program << " exports nothing";
      known_.push_back(std::move(found).value_or(Result{}));
    }
    return known_[k];
  }

 private:
  const std::vector<Row>& rows_;
  const Lines& lines_;
  std::vector<Result> known_;
};

TEST(Necessity, TwoPhaseHasTheCodeOfTheTree) { EXPECT_EQ(code_of(kTwoPhase), code_of(kTree)); }

TEST(Necessity, NoInstructionCanGo) {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  for (const auto& [program, rows] : rows_of_programs()) {
    const Lines lines = test_support::split_lines(test_support::read_text(root / program));
    EXPECT_TRUE(std::ranges::any_of(lines, is_instruction)) << program;
    Outcomes outcomes(rows, lines);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!is_instruction(lines[k]) || is_repeated_load(lines, lines[k])) continue;
      EXPECT_TRUE(outcomes.needs(k)) << program << ':' << k + 1 << ':' << lines[k];
    }
  }
}

}  // namespace
}  // namespace wse::fidelity
