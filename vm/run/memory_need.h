// The memory that a machine of an image takes, told before anything of it is allocated: a grid that
// cannot fit is refused instead of filling the memory of the host first.
#pragma once

#include <cstdint>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "vm/run/transport_choice.h"

namespace wse::vm {

struct MemoryNeed {
  std::uint64_t load_bytes = 0;  // at least, to load it; a run allocates more as it goes
  // Of wavelets in queues, at least; taken by loading too. A wafer has bits where the stepper has
  // places for words.
  std::uint64_t queue_bytes = 0;
  // Of PE memory if every PE writes all of it: pages that nobody writes cost nothing, or are
  // shared; on a wafer they are large, so that less may be left out. Pages that were shared stay
  // beside the copies that PEs write: at most a tenth more.
  std::uint64_t data_bytes = 0;
};

MemoryNeed memory_need(const isa::Image& image, const isa::Profile& profile,
                       TransportChoice transport = TransportChoice::Auto);

// The most that the cycles of lines take in a profile. They cost time by PE too: on larger meshes a
// profile goes without them.
inline constexpr std::uint64_t kMostProfiledLineBytes = std::uint64_t{32} << 20;

// Returns what LineCycles take for all PEs, or a little more: a number for each line of a PE.
std::uint64_t line_bytes(const isa::Image& image);

}  // namespace wse::vm
