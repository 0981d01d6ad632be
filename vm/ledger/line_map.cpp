// Sorts the lines of each program.
#include "vm/ledger/line_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/ledger/line_cycles.h"

namespace wse::vm {
namespace {

bool is_before(const isa::SourceLine& a, const isa::SourceLine& b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

}  // namespace

LineMap::ProgramLines LineMap::lines_of(const isa::Program& program, std::uint32_t first_row) {
  ProgramLines made{.first_row = first_row};
  for (const isa::LineEntry& entry : program.lines) made.lines.push_back(entry.where);
  if (program.lines.empty() || program.lines[0].pc > 0) made.lines.push_back({});
  std::ranges::sort(made.lines, is_before);
  made.lines.erase(std::ranges::unique(made.lines).begin(), made.lines.end());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const auto found = std::ranges::lower_bound(made.lines, program.line_of(pc), is_before);
    made.row_by_pc.push_back(first_row + static_cast<std::uint32_t>(found - made.lines.begin()));
  }
  return made;
}

isa::Result<LineMap> LineMap::of(const Loaded& loaded) {
  LineMap made;
  for (const LoadedProgram& program : loaded.programs()) {
    made.programs_.push_back(lines_of(*program.program, made.rows_));
    made.rows_ += made.programs_.back().rows();
  }
  std::uint64_t counts = 0;
  for (const PeId pe : loaded.placed()) {
    ProgramLines& program = made.programs_[loaded.program_at(pe)->number];
    ++program.pes;
    counts += program.rows();
  }
  if (made.rows_ > kMostRows) {
    return isa::fail(fmt::format("cycles of lines are counted for at most {} lines", kMostRows));
  }
  const std::uint64_t pes = loaded.placed().size();
  const std::uint64_t bytes = counts * sizeof(LineCycles::Count) + pes * LineCycles::kBytes;
  if (bytes > kMostBytes) {
    return isa::fail(
        fmt::format("the cycles of each line of {} PEs take {} MiB; at most {} MiB are "
                    "taken: use a smaller grid",
                    pes, bytes >> 20, kMostBytes >> 20));
  }
  return made;
}

LineTable LineMap::empty_table(std::uint32_t program) const {
  const ProgramLines& lines = programs_[program];
  LineTable table{program, lines.pes, std::vector<LineRow>(lines.rows())};
  for (std::size_t k = 0; k < lines.lines.size(); ++k) table.rows[k].where = lines.lines[k];
  table.rows[lines.lines.size()].kind = LineRow::Kind::NoTask;
  table.rows[lines.lines.size() + 1].kind = LineRow::Kind::Halted;
  return table;
}

}  // namespace wse::vm
