// Where the cycles of each PE went, by the lines of the source: a cycle belongs to the line at
// which the main thread of the PE is in it.
//
// That is the line whose instruction it executes or waits for, or with which the task begins that
// starts; without a task, and after a halt, there are two rows of their own. What microthreads do
// meanwhile has no line. So every cycle of a PE with a program counts once. Must never change what
// the machine does: it is told where a PE comes to, also ahead of the clock.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/support/result.h"
#include "vm/load/loaded.h"
#include "vm/support/time.h"

namespace wse::vm {

class LineCycles {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  enum class Kind : std::uint8_t { Line, NoTask, Halted };
  // A row of the table, for all PEs of a program together.
  struct Row {
    Kind kind = Kind::Line;
    isa::SourceLine where{};
    std::uint64_t cycles = 0;
    std::uint64_t most = 0;  // of one PE,
    PeId at = 0;             // the first that has so many
  };

  // For every PE with a program. Errors: it would take more than kMostBytes.
  static isa::Result<LineCycles> of(const Loaded& loaded);

  // Cycles ascend for each PE, but may lie in the future.
  void comes_to(PeId pe, std::uint32_t pc, Cycle cycle) { stands(pe, line_at(pe, pc), cycle); }
  void ends_task(PeId pe, Cycle cycle) { stands(pe, lines_of(pe).lines.size(), cycle); }
  void halts(PeId pe, Cycle cycle) { stands(pe, lines_of(pe).lines.size() + 1, cycle); }
  // Fixes what lies before cycle `now`.
  void settle(PeId pe, Cycle now);
  // At the end of a run of `end` cycles; nothing after it counts.
  void close(Cycle end);

  // After close(): the lines of program `number` in the order of the text, then the two others.
  std::vector<Row> rows(std::uint32_t number) const;
  std::uint64_t pes(std::uint32_t number) const { return programs_[number].pes; }
  std::size_t programs() const { return programs_.size(); }

 private:
  struct ProgramLines {
    std::vector<isa::SourceLine> lines{};  // ascending, each once
    std::vector<std::uint32_t> by_pc{};    // index of lines
    std::uint64_t pes = 0;

    std::size_t rows() const { return lines.size() + 2; }
  };
  // From that cycle on it is there.
  struct Stand {
    std::size_t row = 0;
    Cycle from = 0;
  };
  struct Pe {
    std::uint32_t program = 0;
    std::size_t first_count = 0;  // of counts_
    std::vector<Stand> stands{};  // the first one has begun
  };

  const ProgramLines& lines_of(PeId pe) const { return programs_[pes_[index_[pe]].program]; }
  std::size_t line_at(PeId pe, std::uint32_t pc) const { return lines_of(pe).by_pc[pc]; }
  void stands(PeId pe, std::size_t row, Cycle cycle);
  static ProgramLines lines_of(const isa::Program& program);

  std::vector<ProgramLines> programs_;
  std::vector<std::uint32_t> index_;  // by PE, of pes_
  std::vector<PeId> placed_;
  std::vector<Pe> pes_;
  std::vector<std::uint64_t> counts_;  // the rows of each PE, one PE after the other
};

}  // namespace wse::vm
