// Work of cycles that are far away: by windows of cycles, in no order within one,
// since all of a window is handed over before its first cycle is over.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

template <class What>
class FarCycles {
 public:
  static constexpr Cycle kWindow = 64;  // who adds keeps nearer ones by himself

  // In cycle `when`, at least kWindow after the one for which hand_over() was called last.
  void add(What what, Cycle when) {
    auto place = windows_.find(when / kWindow);
    if (place == windows_.end()) place = open(when / kWindow);
    Window& window = place->second;
    window.first = std::min(window.first, when);
    window.entries.emplace_back(what, when);
  }
  // The first cycle that has something; kNever if none has.
  Cycle next() const { return windows_.empty() ? kNever : windows_.begin()->second.first; }
  // Calls visit(what, when) for all that are kept.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [number, window] : windows_) {
      for (const auto& [what, when] : window.entries) visit(what, when);
    }
  }
  // Calls visit(what, when) for all of the window in which cycle `now` lies. No earlier cycle may
  // have anything left.
  template <class Visit>
  void hand_over(Cycle now, Visit visit) {
    while (!windows_.empty() && windows_.begin()->first <= now / kWindow) {
      typename Windows::node_type& over = over_.emplace_back(windows_.extract(windows_.begin()));
      for (const auto& [what, when] : over.mapped().entries) visit(what, when);
    }
  }

 private:
  struct Window {
    Cycle first = kNever;
    std::vector<std::pair<What, Cycle>> entries;
  };
  using Windows = std::map<Cycle, Window>;

  // Opens a window in the room of one that is over, if there is one.
  typename Windows::iterator open(Cycle number) {
    if (over_.empty()) return windows_.try_emplace(number).first;
    typename Windows::node_type window = std::move(over_.back());
    over_.pop_back();
    window.key() = number;
    window.mapped().first = kNever;
    window.mapped().entries.clear();
    return windows_.insert(std::move(window)).position;
  }

  Windows windows_;
  std::vector<typename Windows::node_type> over_;  // to be used again
};

}  // namespace wse::vm
