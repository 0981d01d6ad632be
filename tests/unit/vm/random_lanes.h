// Lanes of a block by chance, for tests of what lanes do together.
#pragma once

#include <cstdint>

#include "tests/support/random.h"
#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

// Returns each lane with a chance of one in `one_in`.
inline Lanes random_lanes(test_support::Random& random, std::uint32_t one_in) {
  Lanes lanes;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) lanes.put(lane, random.one_in(one_in));
  return lanes;
}

}  // namespace wse::vm::wafer
