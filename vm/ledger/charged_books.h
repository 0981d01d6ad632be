// The books that receive the cycles that an ActivityLog charges: the work of PEs, cycles of lines,
// and slices of time. Each of them is there if somebody asked for it.
//
// A PE that waits for one word after the other is charged every few cycles, at the same line and in
// the same slice of time. Such charges are added up in its window, and come into the books when the
// window ends: where the main thread comes to another place, or the slice ends.
//
//     cycle      16                       22    24                32
//     place      a vector instruction           scalar code
//     slices     | first                                          | second
//     window     |-- busy 4, waits 2 ----|      ends at 24
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/line_cycles.h"
#include "vm/ledger/pe_profile.h"
#include "vm/ledger/slices.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

class ChargedBooks {
 public:
  explicit ChargedBooks(const PeRange& pes) : range_(pes) {}

  // Before the first cycle. All must live longer.
  void keep_profile(PeProfile& profile) { profile_ = &profile; }
  void count_lines(LineCycles& lines) {
    lines_ = &lines;
    open_windows();
  }
  void keep_slices(Slices& slices) {
    slices_ = &slices;
    open_windows();
  }

  // Charges the cycles from .. to - 1, of which there are some, behind those that were charged
  // last. `by_fifo`: of a wait, a FIFO is empty or full.
  [[gnu::noinline]] void charge(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to) {
    if (!windows_.empty()) [[likely]] {
      Window& window = windows_[range_.index(pe)];
      if (to > window.end) return charge_behind(pe, activity, by_fifo, from, to);
      window.cycles[kind(activity, by_fifo)] += static_cast<std::uint8_t>(to - from);
    } else {
      enter(pe, activity, by_fifo, from, to);
    }
  }
  // Charges the cycles from .. to - 1, of which so many are busy, and every other one is a stall.
  // `stalls_first` says whether the first one is.
  void charge_every_other(PeId pe, Cycle from, Cycle to, Cycle busy, bool stalls_first);
  // Charges cycles that count only if something finishes after them.
  void charge_open(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);
  // Something has finished: all that is charged counts.
  void keep_open();
  // The run is over: what is open does not count.
  void drop_open();

  // The main thread of the PE, whose cycles before `settled` are charged, is somewhere else from a
  // cycle on.
  void place_changes(PeId pe, Cycle cycle, Cycle settled) {
    if (windows_.empty()) return;
    Window& window = windows_[range_.index(pe)];
    if (cycle >= window.end) return;
    if (settled > cycle) return flush(pe, settled);
    window.end = cycle;
  }
  // Enters what is in the window of the PE, whose cycles before `settled` are charged.
  void flush(PeId pe, Cycle settled);
  // Forgets what is in windows.
  void forget_windows() { windows_.assign(windows_.size(), {}); }

  [[gnu::noinline]] void prefetch(PeId pe) const {
    if (!windows_.empty()) vm::prefetch(&windows_[range_.index(pe)]);
    if (profile_ != nullptr) profile_->prefetch(pe);
    if (lines_ != nullptr) lines_->prefetch(pe);
  }

  // The bytes of a PE in its window.
  static constexpr std::size_t kWindowBytes = 16;

 private:
  // Cycles by activity, then those of waits for FIFOs.
  static constexpr std::size_t kKinds = kActivities + 2;
  static constexpr Cycle kMostCycles = UINT8_MAX;
  struct Window {
    Cycle end = 0;  // what is charged before it is of one place and one slice
    std::array<std::uint8_t, kKinds> cycles = {};
  };
  static_assert(sizeof(Window) == kWindowBytes);
  // A wafer of more PEs has none: its books take as much memory as they may.
  static constexpr std::size_t kMostWindows = std::size_t{1} << 18;
  void open_windows() {
    if (range_.size() <= kMostWindows) windows_.resize(range_.size());
  }

  static constexpr auto kFirstWait = static_cast<std::size_t>(Activity::WaitOutput);
  static_assert(static_cast<std::size_t>(Activity::WaitInput) == kFirstWait + 1);
  static std::size_t kind(Activity activity, bool by_fifo) {
    const auto k = static_cast<std::size_t>(activity);
    const bool waits = k == kFirstWait || k == kFirstWait + 1;
    return by_fifo && waits ? kActivities + k - kFirstWait : k;
  }

  // Enters a charge in the books. Returns when the place of the main thread changes.
  Cycle enter(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);
  void charge_behind(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);

  PeProfile* profile_ = nullptr;  // none: nobody keeps one
  LineCycles* lines_ = nullptr;   // none: nobody counts them
  Slices* slices_ = nullptr;      // none: nobody wants them
  PeRange range_;
  std::vector<Window> windows_;  // none if lines and slices are not kept, or of many PEs
};

}  // namespace wse::vm
