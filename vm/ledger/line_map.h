// Rows in which cycles of lines are counted: for each program its lines, then "no task" and
// "halted".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "isa/support/result.h"
#include "vm/ledger/line_places.h"
#include "vm/load/loaded.h"
#include "vm/support/time.h"

namespace wse::vm {

// See isa/machine/line_causes.def.
enum class LineCause : std::uint8_t {
#define LINE_CAUSE(name, text) name,
#include "isa/machine/line_causes.def"
#undef LINE_CAUSE
};
inline constexpr std::string_view kLineCauseTexts[] = {
#define LINE_CAUSE(name, text) text,
#include "isa/machine/line_causes.def"
#undef LINE_CAUSE
};
inline constexpr std::size_t kLineCauses = std::size(kLineCauseTexts);
using LineCauses = std::array<std::uint64_t, kLineCauses>;  // cycles

// The cycles that were counted in a row, over all PEs of its program.
struct LineRow {
  enum class Kind : std::uint8_t { Line, NoTask, Halted };
  Kind kind = Kind::Line;
  isa::SourceLine where{};
  std::uint64_t cycles = 0;
  std::uint64_t most = 0;  // of one PE,
  PeId at = 0;             // the first that has so many
  LineCauses causes = {};  // they add up to `cycles`
};

// The rows of a program: its lines in the order of the text, then "no task" and "halted".
struct LineTable {
  std::uint32_t program = 0;  // its number
  std::uint64_t pes = 0;      // that have it
  std::vector<LineRow> rows{};
};

class LineMap {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  static constexpr std::uint32_t kMostRows = TagBits::kMostRows;

  // Errors: more than kMostRows rows; counting for each PE would take more than kMostBytes.
  static isa::Result<LineMap> of(const Loaded& loaded);

  std::size_t programs() const { return programs_.size(); }
  // Rows are numbered over all programs.
  std::uint32_t rows() const { return rows_; }
  std::uint32_t rows(std::uint32_t program) const { return programs_[program].rows(); }
  std::uint32_t first_row(std::uint32_t program) const { return programs_[program].first_row; }
  std::uint32_t row_at(std::uint32_t program, std::uint32_t pc) const {
    return programs_[program].row_by_pc[pc];
  }
  std::uint32_t no_task(std::uint32_t program) const {
    return programs_[program].first_row + programs_[program].rows() - 2;
  }
  std::uint32_t halted(std::uint32_t program) const { return no_task(program) + 1; }
  // Returns the table of a program with nothing counted.
  LineTable empty_table(std::uint32_t program) const;

 private:
  struct ProgramLines {
    std::vector<isa::SourceLine> lines{};  // ascending, each once
    std::vector<std::uint32_t> row_by_pc{};
    std::uint32_t first_row = 0;
    std::uint64_t pes = 0;

    std::uint32_t rows() const { return static_cast<std::uint32_t>(lines.size()) + 2; }
  };

  static ProgramLines lines_of(const isa::Program& program, std::uint32_t first_row);

  std::vector<ProgramLines> programs_;
  std::uint32_t rows_ = 0;
};

}  // namespace wse::vm
