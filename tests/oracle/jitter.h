// Late starts, drawn a second time from the definition in isa/MACHINE.md.
// Must never include anything of vm/.
#pragma once

#include "tests/oracle/noops.h"

namespace wse::oracle {

// No cycles: nothing is late.
struct Jitter {
  std::uint64_t seed = 0;
  std::uint64_t cycles = 0;

  // By how many cycles thread `thread` (0: main, 1 + k: microthread k) of the PE is late that would
  // start in cycle `now`.
  Cycle lateness(std::uint32_t pe, std::uint64_t thread, Cycle now) const {
    const std::uint64_t of_seed = split_mix(seed, 0);
    const std::uint64_t of_thread = split_mix(split_mix(of_seed ^ pe, 0) ^ thread, 0);
    return cycles == 0 ? 0 : split_mix(of_thread ^ now, 0) % (cycles + 1);
  }
};

}  // namespace wse::oracle
