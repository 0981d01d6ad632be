// The cores of a strip, one for each PE with a program, and what they point to: their descriptor
// registers, their instructions in flight, the views of their programs.
#pragma once

#include <span>
#include <vector>

#include "vm/pe/core.h"
#include "vm/pe/core_parts.h"
#include "vm/pe/views.h"
#include "vm/support/large_pages.h"
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
  Core& operator[](PeId pe) { return cores_[index(pe)]; }
  const Core& operator[](PeId pe) const { return cores_[index(pe)]; }
  // Returns its place among the cores, from 0 on.
  std::size_t place(const Core& core) const {
    return static_cast<std::size_t>(&core - cores_.data());
  }

 private:
  // The place of the core of a PE of the strip; kNoProgram if it has none.
  std::uint32_t index(PeId pe) const { return index_[pes_.index(pe)]; }
  void add(PeId pe, const CoreParts& parts);

  PeRange pes_;
  Views views_;
  std::span<const PeId> placed_;
  std::vector<std::uint32_t> index_;                 // of the PEs of the strip
  LargeVector<isa::DescriptorRegisters> registers_;  // of the PEs whose programs name one
  UntouchedTable<InFlight> in_flight_;  // of all cores, a slot for each thread of their programs
  LargeVector<Core> cores_;
};

}  // namespace wse::vm
