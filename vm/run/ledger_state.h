// The books of a machine, written down and taken up: what strips add up becomes the first one's,
// what belongs to a PE goes to the strip that has it.
#pragma once

#include <span>
#include <vector>

#include "vm/ledger/link_slices.h"
#include "vm/ledger/record.h"
#include "vm/load/loaded.h"
#include "vm/run/ledger_sums.h"
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
    bool is_traced = false;
    Cycle finish = 0;        // the latest that other processes know of
    bool takes_sums = true;  // false: another process that runs the machine does
  };
  explicit LedgerState(const Peers& peers);

  // When cycle `now` is done.
  template <class Archive>
  void pass(Archive& archive, Cycle now);

  // ---- the same in parts; collect() before what is written, take() after what was read
  void collect();
  template <class Archive>
  void pass_activities(Archive& archive, const PeRange& pes, Cycle now);
  template <class Archive>
  void pass_lines(Archive& archive, const PeRange& pes);
  LedgerSums::Kept kept(Cycle now) const;
  LedgerSums& sums() { return sums_; }
  // Returns false if the machine keeps no such books.
  bool take();

  // The slices of its strips; none if they are not kept.
  std::vector<Slices*> slices() const;

 private:
  template <class Archive>
  void pass_slices(Archive& archive, Cycle now);
  void collect_of(Strip& strip, std::size_t k);
  bool take_open();
  void take_notes();
  // Whether this process has the PE.
  bool has(PeId pe) const { return own_.contains(pe); }

  Peers peers_;
  std::vector<Strip*> strips_;
  PeRange own_;
  std::vector<ActivityLog::State> activities_;  // by strip
  bool is_part_;  // others are passed beside it: marks and links add up
  LedgerSums sums_;
};

extern template void LedgerState::pass(StateWriter&, Cycle);
extern template void LedgerState::pass(StateReader&, Cycle);
extern template void LedgerState::pass_activities(StateWriter&, const PeRange&, Cycle);
extern template void LedgerState::pass_lines(StateWriter&, const PeRange&);

}  // namespace wse::vm
