// When the vector instructions that a stretch passes stall, for those who keep slices of time.
#pragma once

#include <span>
#include <vector>

#include "vm/ledger/pending_stalls.h"

namespace wse::vm {

// In cycles from the start of the stretch on. Engines that are compared execute it twice, and tell
// everything twice.
class PassedStalls {
 public:
  void clear() { spans_.clear(); }
  // Compiled code calls it too.
  void add(const StallSpan& span);
  std::span<const StallSpan> spans() const { return spans_; }

 private:
  std::vector<StallSpan> spans_;
};

}  // namespace wse::vm
