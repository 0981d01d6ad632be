// Which cores of a strip are lanes of which state (alike_core.h).
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "vm/pe/alike_core.h"
#include "vm/support/large_pages.h"

namespace wse::vm {

class Lanes {
 public:
  // The places of so many cores are numbered from 0 on. All cores are by themselves.
  explicit Lanes(std::size_t cores) : of_(cores), most_(cores / 8 + 64) {}

  // Null if the core is by itself.
  AlikeCore* of(std::size_t place) const { return of_[place]; }
  // Returns a state for whoever joins it first, and at once; null if there are too many.
  AlikeCore* make();
  void join(std::size_t place, AlikeCore& state) {
    ++state.lanes;
    if (of_[place] != nullptr) leave(place);
    of_[place] = &state;
  }
  void leave(std::size_t place) {
    AlikeCore& state = *of_[place];
    of_[place] = nullptr;
    if (--state.lanes > 0) return;
    state.serial = 0;
    free_.push_back(&state);
  }

 private:
  LargeVector<AlikeCore*> of_;
  std::size_t most_;
  std::deque<AlikeCore> states_;
  std::vector<AlikeCore*> free_;
  std::uint64_t made_ = 0;
};

}  // namespace wse::vm
