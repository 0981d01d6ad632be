// The books of a machine on planes while they are those of a stepper.
//
// Private to the files of MachineState.
#pragma once

#include "vm/run/machine_state.h"
#include "vm/run/parts.h"

namespace wse::vm {

// From count() on, while it lives, the books of a machine on planes are those of a stepper. Planes
// count elements when their instruction ends, and a PE does what it did until it does something
// else; a stepper has counted them before, and looks at each PE again.
class MachineState::CountedPlanes {
 public:
  explicit CountedPlanes(Machine::Parts& parts) : p_(parts) {
    if (p_.on_wafer) p_.communicator->work_alone(true);
  }
  CountedPlanes(const CountedPlanes&) = delete;
  CountedPlanes& operator=(const CountedPlanes&) = delete;
  ~CountedPlanes() {
    for (std::size_t k = 0; k < put_down_; ++k) p_.strips[k].ledger.take_up();
    if (p_.on_wafer) p_.communicator->work_alone(false);
  }

  void count() {
    if (!p_.on_wafer) return;
    for (const auto& strip : p_.strips) {
      strip->transport->flush(p_.now + 1, true);
      strip->ledger.put_down();
      ++put_down_;
      strip->transport->counts().count_unfinished();
    }
    for (const PeId pe : p_.own_placed()) {
      p_.strips.of(pe).ledger.activity.otherwise_from(pe, p_.now + 1, Activity::Idle);
    }
  }

 private:
  Machine::Parts& p_;
  std::size_t put_down_ = 0;  // ledgers, of the first strips
};

}  // namespace wse::vm
