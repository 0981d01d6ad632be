// What must be done in cycles that are far away: by windows of cycles, in no order within one,
// since all of a window is handed over before its first cycle is over.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "vm/time.h"

namespace wse::vm {

template <class What>
class FarCycles {
 public:
  static constexpr Cycle kWindow = 64;  // who adds keeps nearer ones by himself

  // In cycle `when`, at least kWindow after the one for which hand_over() was called last.
  void add(What what, Cycle when) {
    Window& window = windows_[when / kWindow];
    window.first = std::min(window.first, when);
    window.entries.emplace_back(what, when);
  }
  // The first cycle that has something; kNever if none has.
  Cycle next() const { return windows_.empty() ? kNever : windows_.begin()->second.first; }
  // Calls visit(what, when) for all of the window in which cycle `now` lies. No earlier cycle may
  // have anything left.
  template <class Visit>
  void hand_over(Cycle now, Visit visit) {
    while (!windows_.empty() && windows_.begin()->first <= now / kWindow) {
      for (const auto& [what, when] : windows_.begin()->second.entries) visit(what, when);
      windows_.erase(windows_.begin());
    }
  }

 private:
  struct Window {
    Cycle first = kNever;
    std::vector<std::pair<What, Cycle>> entries;
  };
  std::map<Cycle, Window> windows_;
};

}  // namespace wse::vm
