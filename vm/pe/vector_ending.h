// The end of a vector instruction, as the ledger and the agenda are told of it: the same for all
// lanes of a state (alike_core.h).
#pragma once

#include <array>
#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/support/time.h"

namespace wse::vm {

struct VectorEnding {
  // Data words that it took from a colour, or sent.
  struct Words {
    std::uint8_t colour;
    bool are_taken;
    std::uint64_t count;
  };

  Cycle finish = 0;
  bool wakes_at_finish = false;          // the PE is looked at then
  bool looks_at_once = false;            // and in the cycle of the end
  bool is_busy = false;                  // up to the finish: its drain begins at the end
  std::uint8_t colours = 0;              // of which it had words
  std::array<Words, 1 + kInputs> words;  // so many of them are set
};

}  // namespace wse::vm
