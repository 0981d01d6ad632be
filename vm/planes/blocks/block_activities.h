// Blocks tell the log of the strip what their PEs do.
//
// PEs that nothing but their block changes are charged together (vm/ledger/activity_changes.h): a
// change of theirs costs a count of bits. A PE joins them in a cycle in which it does something
// else and is not busy by itself, and leaves as soon as its core acts.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/ledger/activity_changes.h"
#include "vm/planes/bits/issue_table.h"

namespace wse::vm::wafer {

class BlockActivities final : public ActivityLog::Sets {
 public:
  // All must live longer.
  BlockActivities(const Grid& grid, const IssueTable& issue, ActivityLog& log);

  // PEs of the block do something else from cycle `now` on: what its planes say.
  void change(std::uint32_t block, Cycle now);
  Doing leave(PeId pe) override;
  // The machine stops: all PEs leave.
  void part();

 private:
  // Lanes of a block are charged together.
  struct Together {
    Lanes lanes;
    Counts doing = {};
    Cycle since = 0;  // of the last change
  };

  const Grid& grid_;
  const IssueTable& issue_;
  ActivityLog& log_;
  std::vector<Together> together_;  // by block
};

}  // namespace wse::vm::wafer
