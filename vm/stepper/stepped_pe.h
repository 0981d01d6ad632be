// The part of a PE at which each of its visits looks: the issue slots, and which channels have
// something standing. One cache line, so that a visit with nothing to do takes no other.
#pragma once

#include <array>
#include <cstdint>

#include "vm/support/large_pages.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

inline constexpr std::uint32_t kComputeSlot = 0;
inline constexpr std::uint32_t kSendSlot = 1;

// The issue slots of a PE.
struct IssuingPe {
  std::uint32_t row = 0;       // the place of thread 0; that of thread k is k places further
  std::uint32_t moving = 0;    // threads, by turn
  Cycle quiet_until = kNever;  // before this cycle nothing can issue, whatever routers do
  Cycle scalar_until = 0;      // scalar code has the compute slot before this cycle
  std::array<Cycle, 2> held_until = {0, 0};  // bank conflicts hold the compute, the send slot

  bool has_all_slots(Cycle now) const {
    return now >= scalar_until && now >= held_until[0] && now >= held_until[1];
  }
};

struct alignas(64) SteppedPe {
  IssuingPe issuing;
  // Channels, a bit for each in their order, of which something may be where the current position
  // takes it; those with a filter, streams, or wavelets that the router must drop.
  std::uint32_t standing = 0;
  std::uint32_t controls = 0;  // control wavelets in its down-ramps that ask for a task
};
static_assert(sizeof(SteppedPe) == kCacheLine);

// The table of those of a strip.
class SteppedPes {
 public:
  explicit SteppedPes(const PeRange& pes) : range_(pes), pes_(pes.size()) {}

  const PeRange& range() const { return range_; }
  SteppedPe& operator[](PeId pe) { return pes_[range_.index(pe)]; }
  const SteppedPe& operator[](PeId pe) const { return pes_[range_.index(pe)]; }

 private:
  PeRange range_;
  LargeVector<SteppedPe> pes_;
};

}  // namespace wse::vm
