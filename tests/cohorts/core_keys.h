// The control state of a core as two numbers: PEs with equal numbers would do the same next, but
// for the values of registers and memory. What differs by instance, such as colours, addresses and
// tasks of completions, is in the second number alone.
#pragma once

#include <array>
#include <cstdint>

#include "vm/pe/core.h"

namespace wse::cohorts {

struct CoreKey {
  std::uint64_t by_program = 0;
  std::uint64_t by_instance = 0;

  bool operator==(const CoreKey&) const = default;
};

class CoreKeys {
 public:
  // Returns the key at the start, or at the end, of the visits of cycle `now`: program, pc, main
  // thread, resume, ids, instructions in flight and when they finish, the times that the last ones
  // leave to the next (`after`), descriptors. Times count from that cycle on, and what is
  // over is zero. Two of 2^16 states have equal hashes once in 2^33 runs.
  CoreKey of(const vm::Core& core, const isa::Succession& after, vm::Cycle now);

 private:
  struct Known {  // of a descriptor that PEs share, which never changes
    const isa::Descriptor* descriptor = nullptr;
    CoreKey key;
  };
  const CoreKey& shared(const isa::Descriptor& descriptor);

  std::array<Known, 4096> known_ = {};  // by hashes of places
};

}  // namespace wse::cohorts
