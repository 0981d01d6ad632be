// Parts of the books of a machine that belong to no PE, or to few: what the strips of all processes
// have of them is one, in an order that says nothing of strips.
#pragma once

#include <array>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/line_cycles.h"
#include "vm/ledger/notes.h"
#include "vm/ledger/pe_profile.h"
#include "vm/ledger/record.h"
#include "vm/support/pe_range.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

struct LedgerSums {
  // The books that a machine keeps, and how far it has come.
  struct Kept {
    PeId pes = 0;           // of the mesh
    std::size_t marks = 0;  // of the image
    std::size_t rows = 0;   // of lines; 0: they are not counted
    bool has_profile = false;
    bool is_traced = false;  // marks keep their PEs
    Cycle now = 0;           // the last cycle that was done
  };

  Counters counters;
  std::array<std::uint64_t, kActivities> open = {};  // cycles after the latest finish
  Cycle quiet = 0;                                   // until which nothing is told of cores
  std::vector<PeProfile::Open> open_in_profile;
  std::vector<LineCauses> causes;  // by row
  std::vector<LineCycles::Open> open_lines;
  std::vector<MarkRecord> marks;  // that were passed
  std::vector<Note> notes;        // whose cycles have not come

  // Adds those of strips below.
  void add(LedgerSums&& below);
  // Puts lists into an order that all machines have, however they are cut.
  void sort(const Kept& kept);
  template <class Archive>
  void pass(Archive& archive, const Kept& kept);
};

extern template void LedgerSums::pass(StateWriter&, const Kept&);
extern template void LedgerSums::pass(StateReader&, const Kept&);

}  // namespace wse::vm
