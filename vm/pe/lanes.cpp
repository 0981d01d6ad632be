// Makes states, those that nobody needs first.
#include "vm/pe/lanes.h"

namespace wse::vm {

AlikeCore* Lanes::make() {
  if (free_.empty()) {
    if (states_.size() == most_) return nullptr;
    free_.push_back(&states_.emplace_back());
    free_.reserve(states_.size());  // no leave() takes memory
  }
  AlikeCore* const state = free_.back();
  free_.pop_back();
  state->serial = ++made_;
  state->visited = kNever;
  return state;
}

}  // namespace wse::vm
