// Traps of cores: raised now, or expected by scalar code that ran ahead to one.
#pragma once

#include <string>
#include <unordered_map>

#include "vm/pe/complaint.h"
#include "vm/pe/core.h"
#include "vm/pe/core_parts.h"

namespace wse::vm {

class CoreTraps {
 public:
  explicit CoreTraps(const CoreParts& parts) : parts_(parts) {}

  // Tells the machine of a trap of the instruction at `pc`; kNoPc: of none.
  void raise(PeId pe, std::uint32_t pc, Complaint complaint, Cycle now);
  // Raises a trap at the pc of the main thread, which halts.
  void halt(PeId pe, Core& core, Complaint complaint, Cycle now);

  // The main thread will come to a trap at its pc: of that kind, at that address of what it names.
  void expect(PeId pe, isa::Trap trap, std::uint32_t address);
  // Before expect(): what was refused, of a trap of which the address does not say enough.
  void explain(PeId pe, std::string detail) { expected_[pe].detail = std::move(detail); }
  // Passes the trap to which the main thread will come (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive, PeId pe) {
    Expected& expected = expected_[pe];
    archive.below(expected.trap, std::size(isa::kTraps));
    archive.number(expected.address);
    archive.text(expected.detail);
  }
  // In the cycle in which it comes to it.
  void raise_expected(PeId pe, const Core& core, Cycle now);

 private:
  struct Expected {
    isa::Trap trap = isa::Trap::BadInstruction;
    std::uint32_t address = 0;
    std::string detail;
  };
  static std::string bad_descriptor_text(const Core& core, const Expected& trap);
  std::string text(const Core& core, const Expected& trap) const;

  CoreParts parts_;
  std::unordered_map<PeId, Expected> expected_;
};

}  // namespace wse::vm
