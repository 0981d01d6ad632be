// The cores of a strip, one for each PE with a program, and what they point to: their descriptor
// registers, their instructions in flight, the views of their programs, their successions.
//
// Cores that are alike may have their state in one place (lanes.h). A look at one of them finds it
// as if it had always been by itself, and so it is from then on: no other place knows of that.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "vm/pe/core.h"
#include "vm/pe/core_parts.h"
#include "vm/pe/lanes.h"
#include "vm/pe/views.h"
#include "vm/support/large_pages.h"
#include "vm/support/prefetch.h"
#include "vm/support/untouched_table.h"

namespace wse::vm {

class CoreTable {
 public:
  // Every core is at the entry of its program, as `parts.loaded` has it. Tells ledger and transport
  // of all that they must know of the PEs before the first cycle.
  explicit CoreTable(const CoreParts& parts);
  CoreTable(const CoreTable&) = delete;
  CoreTable& operator=(const CoreTable&) = delete;

  // Its PEs with a program, ascending.
  std::span<const PeId> placed() const { return placed_; }
  bool has(PeId pe) const { return index(pe) != kNoProgram; }
  // Returns the core of a PE with a program.
  Core& operator[](PeId pe) {
    part(pe);
    return cores_[index(pe)];
  }
  const Core& operator[](PeId pe) const {
    part(pe);
    return cores_[index(pe)];
  }
  // Returns its place among the cores, from 0 on.
  std::size_t place(const Core& core) const {
    return static_cast<std::size_t>(&core - cores_.data());
  }
  // A core leaves something to its next instruction, see Successions.
  bool keeps_succession(const Core& core) const {
    return successions_.size() > 0 && core.program->threads > 0;
  }
  KeptSuccession& succession(const Core& core) const { return successions_[place(core)]; }

  // ---- for those who know of lanes
  // The state of a core that is a lane; null if it is by itself.
  AlikeCore* lane(PeId pe) const { return lanes_.of(index(pe)); }
  // Returns the core of a lane too: only what lanes have of their own is true of it (take_alike).
  Core& own_part(PeId pe) { return cores_[index(pe)]; }
  // Makes a core that is by itself the first lane of a state. Null if there are too many.
  AlikeCore* share(PeId pe);
  // Returns a state like that one, without lanes; null if there are too many.
  AlikeCore* copy_of(const AlikeCore& state);
  // Makes a core a lane: it is in that state, and its memory as it was before its last stretch is
  // kept.
  void join(PeId pe, AlikeCore& state) { lanes_.join(index(pe), state); }
  // Keeps of the memory of a PE what its stretch is going to change, as `log` says, of another PE
  // that has done the same.
  void keep_memory(PeId pe, std::span<const std::byte> memory, const StretchLog& log);

 private:
  // The place of the core of a PE of the strip; kNoProgram if it has none.
  std::uint32_t index(PeId pe) const { return index_[pes_.index(pe)]; }
  void add(PeId pe, const CoreParts& parts);
  // The core is by itself from now on.
  void part(PeId pe) const {
    if (lanes_.of(index(pe)) != nullptr) take_apart(index(pe));
  }
  void take_apart(std::size_t place) const;
  // Memory of a lane that its last stretch changed: few bytes of it lie here, more in its log.
  struct alignas(kCacheLine) Former {
    std::array<std::byte, kCacheLine> bytes;
  };

  PeRange pes_;
  Views views_;
  std::span<const PeId> placed_;
  std::vector<std::uint32_t> index_;                 // of the PEs of the strip
  LargeVector<isa::DescriptorRegisters> registers_;  // of the PEs whose programs name one
  UntouchedTable<InFlight> in_flight_;  // of all cores, a slot for each thread of their programs
  // A look at a lane moves its state to the core, which changes nothing that others see.
  mutable UntouchedTable<KeptSuccession> successions_;  // by place
  mutable LargeVector<Core> cores_;
  mutable Lanes lanes_;
  UntouchedTable<Former> former_;  // by place
};

}  // namespace wse::vm
