// The books of a machine, written down and taken up: what strips add up becomes the first one's,
// what belongs to a PE goes to the strip that has it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vm/ledger/link_slices.h"
#include "vm/ledger/record.h"
#include "vm/load/loaded.h"
#include "vm/strips/strips.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class LedgerState {
 public:
  struct Peers {  // all must live longer
    const isa::Topology& mesh;
    const Loaded& loaded;
    Strips& strips;
    PeRange pes;  // whose books are passed: those of whole strips
    std::vector<MarkRecord>& marks;
    const LineMap* lines = nullptr;  // null: they are not counted
    LinkSlices* links = nullptr;     // null: slices of time are not kept
  };
  explicit LedgerState(const Peers& peers);

  // When cycle `now` is done.
  template <class Archive>
  void pass(Archive& archive, Cycle now);

 private:
  template <class Archive>
  void pass_activities(Archive& archive, Cycle now);
  void take_sums(const Counters& counters, const std::array<std::uint64_t, kActivities>& open,
                 Cycle quiet);
  template <class Archive>
  void pass_profile(Archive& archive);
  template <class Archive>
  void pass_lines(Archive& archive);
  template <class Archive>
  void pass_open_lines(Archive& archive);
  template <class Archive>
  void pass_slices(Archive& archive, Cycle now);
  template <class Archive>
  void pass_notes(Archive& archive, Cycle now);
  // Returns what all strips have in a list of theirs.
  template <class Entry, class List>
  std::vector<Entry> all_of(List list) const;

  Peers peers_;
  std::vector<Strip*> strips_;
  bool is_part_;  // others are passed beside it: marks and links add up
};

extern template void LedgerState::pass(StateWriter&, Cycle);
extern template void LedgerState::pass(StateReader&, Cycle);

}  // namespace wse::vm
