// Windows end, and others begin behind what is charged.
#include "vm/ledger/charged_books.h"

#include <algorithm>

namespace wse::vm {

Cycle ChargedBooks::enter(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  if (profile_ != nullptr) profile_->charge(pe, activity, to - from);
  if (slices_ != nullptr) slices_->charge(pe, activity, from, to);
  return lines_ != nullptr ? lines_->charge(pe, activity, by_fifo, from, to) : kNever;
}

// The window has ended; the next one begins where the charge ends.
void ChargedBooks::charge_behind(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  flush(pe, from);
  Cycle end = std::min(enter(pe, activity, by_fifo, from, to), to + kMostCycles);
  if (slices_ != nullptr) end = std::min(end, slices_->end_of_slice(to));
  windows_[range_.index(pe)].end = end;
}

void ChargedBooks::flush(PeId pe, Cycle settled) {
  if (windows_.empty()) return;
  Window& window = windows_[range_.index(pe)];
  const Cycle end = window.end;
  window.end = 0;
  if (end == 0) return;
  for (std::size_t k = 0; k < kKinds; ++k) {
    const Cycle cycles = window.cycles[k];
    if (cycles == 0) continue;
    const bool by_fifo = k >= kActivities;
    const auto activity = static_cast<Activity>(by_fifo ? k - kActivities + kFirstWait : k);
    if (profile_ != nullptr) profile_->charge(pe, activity, cycles);
    if (lines_ != nullptr) lines_->charge_first(pe, activity, by_fifo, cycles);
    if (slices_ != nullptr) slices_->charge_in(pe, activity, end - 1, cycles, settled);
  }
  window.cycles = {};
}

void ChargedBooks::charge_every_other(PeId pe, Cycle from, Cycle to, Cycle busy,
                                      bool stalls_first) {
  if (from == to) return;
  flush(pe, from);
  if (profile_ != nullptr) {
    profile_->charge(pe, Activity::Busy, busy);
    profile_->charge(pe, Activity::MemoryStall, to - from - busy);
  }
  if (lines_ != nullptr) {
    lines_->charge(pe, Activity::Busy, false, from, from + busy);
    lines_->charge(pe, Activity::MemoryStall, false, from + busy, to);
  }
  if (slices_ != nullptr) slices_->charge_every_other(pe, from, to, stalls_first);
}

void ChargedBooks::charge_open(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to) {
  flush(pe, from);
  if (profile_ != nullptr) profile_->charge_open(pe, activity, to - from);
  if (lines_ != nullptr) lines_->charge_open(pe, activity, by_fifo, from, to);
  if (slices_ != nullptr) slices_->charge_open(pe, activity, from, to);
}

void ChargedBooks::keep_open() {
  if (profile_ != nullptr) profile_->keep_open();
  if (lines_ != nullptr) lines_->keep_open();
  if (slices_ != nullptr) slices_->keep_open();
}

void ChargedBooks::drop_open() {
  if (profile_ != nullptr) profile_->drop_open();
  if (lines_ != nullptr) lines_->drop_open();
  if (slices_ != nullptr) slices_->drop_open();
}

}  // namespace wse::vm
