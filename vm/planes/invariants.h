// Checks of what this folder believes of its own data: the numbered list of README.md. A message
// of check_that() begins with the number that does not hold.
//
// Wafer calls check() at the end of a cycle, in builds with WSE_CHECKED only. Must never change
// anything, and never looks at what another strip may be changing.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/borders/border.h"
#include "vm/planes/words/loans.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class Invariants {
 public:
  struct Parts {  // all must live longer
    const Border& border;
    const RouterTable& table;
    const IssueTable& issue;
    const Threads& threads;
    const Messages& messages;
    const RunLists& run_lists;
    const Loans& loans;
    const RestingBlocks& rests;
  };
  explicit Invariants(const Parts& parts) : parts_(parts) {}

  // Checks the strip after cycle `now`: all of it where the mesh has at most kChannelsAtOnce
  // channels, else all of it in every k-th cycle, so that a cycle costs as much on average.
  void check(Cycle now);

 private:
  static constexpr std::size_t kChannelsAtOnce = 1024;

  // 1 and 2, of the queues of a router.
  void check_queues(const RouterPlanes& router);
  void check_run_list(const RunList& list);
  void check_covered(const PlaneQueue& queue, std::uint32_t lane, bool is_down) const;
  void check_link_flags(const PlaneQueue& queue, std::uint32_t lane, std::uint32_t k,
                        const Run& run) const;
  static void check_down_flags(const PlaneQueue& queue, std::uint32_t lane, std::uint32_t k,
                               const Run& run);
  void check_last_words(const PlaneQueue& up) const;
  void check_lists() const;
  // 3.
  void check_messages();
  // 4.
  void check_steady(std::uint32_t block, Cycle now) const;
  void check_steady_queues(const RouterPlanes& router) const;
  // 6.
  void check_threads(Cycle now);

  Parts parts_;
  std::vector<std::uint32_t> holders_;  // by message, as counted
  std::vector<std::uint32_t> lists_;    // by run, as counted
};

}  // namespace wse::vm::wafer
