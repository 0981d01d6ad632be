// The log is kept and restored as a whole; PEs leave their sets one by one.
#include "vm/ledger/activity.h"

#include "isa/support/checked.h"
#include "vm/ledger/activity_changes.h"

namespace wse::vm {

void ActivityLog::leave_set(PeId pe) {
  const Sets::Doing doing = sets_->leave(pe);
  Sets::Counts before = {};
  before[static_cast<std::size_t>(doing.activity)] = 1;
  if (!isa::mutant(isa::Mutant::SetForgets)) Changes(*this, doing.since).move(before, {});
  of(pe) = {.settled = doing.since, .otherwise = doing.activity, .by_fifo = doing.by_fifo};
}

ActivityLog::State ActivityLog::state() const {
  isa::check_that(std::ranges::all_of(pes_, [](const Pe& log) { return !log.is_in_set; }),
                  "PEs have left all sets where their activity is kept");
  return {pes_, open_, open_behind_};
}

void ActivityLog::restore(const State& state) {
  isa::check_that(std::ranges::all_of(in_sets_, [](std::uint64_t pes) { return pes == 0; }),
                  "PEs have left all sets where others take their place");
  pes_ = state.pes;
  open_ = state.open;
  open_behind_ = state.open_behind;
  books_.forget_windows();
}

}  // namespace wse::vm
