// The state on which a visit of a core depends. Cores in which it is equal in one cycle do the
// same, but for values of memory, unless they look at what the tape of the visit names
// (visit_tape.h).
//
// Only cores have one whose descriptors are all shared, and whose plans are: these stay where they
// are, and are compared by their places.
#pragma once

#include <array>
#include <vector>

#include "vm/pe/core.h"

namespace wse::vm {

class VisitState {
 public:
  VisitState() { flying_.reserve(1 + isa::kMicrothreads); }  // all that it will need

  static bool is_possible(const Core& core);

  // Keeps that of a core in cycle `now`. `after` is what its last vector instruction leaves.
  void keep(const Core& core, const isa::Succession& after, Cycle now);
  // Whether another core has the same, in the same cycle.
  bool is_of(const Core& core, const isa::Succession& after, Cycle now) const;

  // Whether the core, which was in this state, has looked at its ids since.
  bool has_other_ids(const Core& core) const { return !(core.ids == ids_); }

 private:
  bool has_flying(const Core& core) const;
  bool has_descriptors(const Core& core) const;
  // Instructions that were done in this cycle without time passing.
  static std::uint32_t burst(const Core& core, Cycle now) {
    return core.burst_cycle == now ? core.burst : 0;
  }

  const LoadedProgram* program_ = nullptr;
  const isa::ProgramView* view_ = nullptr;
  const TaskTable* tasks_ = nullptr;
  std::uint32_t pc_ = 0;
  std::uint32_t left_ = 0;
  std::uint32_t burst_ = 0;
  std::uint32_t task_ = 0;
  bool has_picked_ = false;  // in this cycle
  Core::Main main_ = Core::Main::Halted;
  std::uint8_t awaited_ = 0;
  Cycle stalled_ = 0;  // where a stretch that stalled has ended
  Cycle resume_ = 0;
  std::uint32_t r_[isa::kRegisters] = {};
  isa::Succession after_ = {};
  TaskIds ids_;
  std::vector<InFlight> flying_;  // in the order of their starts
  std::array<const isa::Descriptor*, isa::kDescriptorRegisters> d_ = {};
};

}  // namespace wse::vm
