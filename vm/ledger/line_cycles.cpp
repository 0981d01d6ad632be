// Stands of a PE wait until the clock has passed them; then they are cycles.
#include "vm/ledger/line_cycles.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::vm {
namespace {

bool is_before(const isa::SourceLine& a, const isa::SourceLine& b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

}  // namespace

LineCycles::ProgramLines LineCycles::lines_of(const isa::Program& program) {
  ProgramLines made;
  for (const isa::LineEntry& entry : program.lines) made.lines.push_back(entry.where);
  if (program.lines.empty() || program.lines[0].pc > 0) made.lines.push_back({});
  std::ranges::sort(made.lines, is_before);
  made.lines.erase(std::ranges::unique(made.lines).begin(), made.lines.end());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const auto found = std::ranges::lower_bound(made.lines, program.line_of(pc), is_before);
    made.by_pc.push_back(static_cast<std::uint32_t>(found - made.lines.begin()));
  }
  return made;
}

isa::Result<LineCycles> LineCycles::of(const Loaded& loaded) {
  LineCycles made;
  for (const LoadedProgram& program : loaded.programs()) {
    made.programs_.push_back(lines_of(*program.program));
  }
  made.placed_ = loaded.placed();
  std::uint64_t counts = 0;
  for (const PeId pe : made.placed_) {
    counts += made.programs_[loaded.program_at(pe)->number].rows();
  }
  const std::uint64_t pes = made.placed_.size();
  const std::uint64_t bytes = counts * sizeof(std::uint64_t) + pes * (sizeof(Pe) + sizeof(Stand));
  if (bytes > kMostBytes) {
    return isa::fail(
        fmt::format("the cycles of each line of {} PEs take {} MiB; at most {} MiB are "
                    "taken: use a smaller grid",
                    pes, bytes >> 20, kMostBytes >> 20));
  }
  made.index_.resize(made.placed_.empty() ? 0 : made.placed_.back() + 1);
  made.counts_.resize(counts);
  std::size_t next = 0;
  for (const PeId pe : made.placed_) {
    const std::uint32_t number = loaded.program_at(pe)->number;
    ProgramLines& program = made.programs_[number];
    ++program.pes;
    made.index_[pe] = static_cast<std::uint32_t>(made.pes_.size());
    made.pes_.push_back({number, next, {{program.lines.size(), 0}}});
    next += program.rows();
  }
  return made;
}

void LineCycles::stands(PeId pe, std::size_t row, Cycle cycle) {
  std::vector<Stand>& stands = pes_[index_[pe]].stands;
  if (stands.back().row == row) return;
  if (stands.back().from >= cycle) {
    stands.back() = {row, stands.back().from};
  } else {
    stands.push_back({row, cycle});
  }
}

void LineCycles::settle(PeId pe, Cycle now) {
  Pe& of = pes_[index_[pe]];
  std::size_t past = 0;
  while (past + 1 < of.stands.size() && of.stands[past + 1].from <= now) {
    const Stand& stand = of.stands[past];
    counts_[of.first_count + stand.row] += of.stands[++past].from - stand.from;
  }
  of.stands.erase(of.stands.begin(), of.stands.begin() + static_cast<std::ptrdiff_t>(past));
}

void LineCycles::close(Cycle end) {
  for (const PeId pe : placed_) {
    settle(pe, end);
    const Pe& of = pes_[index_[pe]];
    const Stand& last = of.stands[0];
    if (last.from < end) counts_[of.first_count + last.row] += end - last.from;
  }
}

std::vector<LineCycles::Row> LineCycles::rows(std::uint32_t number) const {
  const ProgramLines& program = programs_[number];
  std::vector<Row> rows(program.rows());
  for (std::size_t k = 0; k < program.lines.size(); ++k) rows[k].where = program.lines[k];
  rows[program.lines.size()].kind = Kind::NoTask;
  rows[program.lines.size() + 1].kind = Kind::Halted;
  for (const PeId pe : placed_) {
    const Pe& of = pes_[index_[pe]];
    if (of.program != number) continue;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t cycles = counts_[of.first_count + k];
      rows[k].cycles += cycles;
      if (cycles <= rows[k].most) continue;
      rows[k].most = cycles;
      rows[k].at = pe;
    }
  }
  return rows;
}

}  // namespace wse::vm
