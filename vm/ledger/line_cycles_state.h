// Cycles of lines, one PE at a time, to be written down and taken up (vm/support/state_archive.h).
#pragma once

#include <vector>

#include "vm/ledger/line_cycles.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class LineCyclesState {
 public:
  // The cycles must live longer.
  explicit LineCyclesState(LineCycles& lines) : lines_(lines) {}

  // Passes the places and counts of a PE.
  template <class Archive>
  void pass(Archive& archive, PeId pe);
  // Beside them: the causes by row, of a machine in any one of its strips, and what is open.
  std::vector<LineCauses>& causes() { return lines_.causes_; }
  std::vector<LineCycles::Open>& open() { return lines_.open_; }
  // Whether the PE is counted, and its program has the row.
  bool has(PeId pe, std::uint32_t row) const;

 private:
  // A place as it is written down, whatever the bits of a tag.
  struct Written {
    Cycle from = 0;
    std::uint32_t what = 0;  // row of the map and phase
    std::uint32_t stalls = 0;

    std::uint32_t row() const { return what >> 8; }
    LinePhase phase() const { return static_cast<LinePhase>(what & 0xff); }
  };

  std::vector<Written> places(const LineCycles::Pe& pe) const;
  void take(LineCycles::Pe& pe, const std::vector<Written>& places);

  LineCycles& lines_;
};

extern template void LineCyclesState::pass(StateWriter&, PeId);
extern template void LineCyclesState::pass(StateReader&, PeId);

}  // namespace wse::vm
