// The PEs of a strip: first .. end - 1.
#pragma once

#include <cstddef>

#include "vm/support/time.h"

namespace wse::vm {

struct PeRange {
  PeId first = 0;
  PeId end = 0;

  std::size_t size() const { return end - first; }
  bool contains(PeId pe) const { return pe - first < end - first; }
  // Where the PE, one of them, is in an array of all.
  std::size_t index(PeId pe) const { return pe - first; }
};

}  // namespace wse::vm
