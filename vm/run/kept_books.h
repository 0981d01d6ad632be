// The books of a machine that is changed while its state is passed.
//
// Private to the files of MachineState.
#pragma once

#include <utility>

#include "vm/run/machine_state.h"
#include "vm/run/parts.h"

namespace wse::vm {

// While it lives the machine may be changed for who reads its state; then its books are what they
// were.
class MachineState::KeptBooks {
 public:
  explicit KeptBooks(Machine::Parts& parts) : p_(parts) {
    if (p_.on_wafer) p_.communicator->work_alone(true);
  }
  KeptBooks(const KeptBooks&) = delete;
  KeptBooks& operator=(const KeptBooks&) = delete;
  ~KeptBooks() {
    for (std::size_t k = 0; k < rewound_; ++k) {
      beside_agenda(p_.strips[k], [](Strip& strip) { strip.cores->rewinder().unwind(); });
    }
    for (std::size_t k = 0; k < put_down_; ++k) p_.strips[k].ledger.take_up();
    if (p_.on_wafer) p_.communicator->work_alone(false);
  }

  // The books of planes become those of a stepper. Planes count elements when their instruction
  // ends, and a PE does what it did until it does something else; a stepper has counted them
  // before, and looks at each PE again, but where nothing happens any more.
  void count_planes() {
    if (!p_.on_wafer) return;
    for (const auto& strip : p_.strips) strip->transport->flush(p_.now + 1, true);
    put_down();
    for (const auto& strip : p_.strips) strip->transport->counts().count_unfinished();
    if (p_.has_come_to_rest()) return;
    for (const PeId pe : p_.own_placed()) {
      p_.strips.of(pe).ledger.activity.otherwise_from(pe, p_.now + 1, Activity::Idle);
    }
  }

  // Puts PEs that ran ahead of the clock back to its cycle, as a machine that is shown does.
  void rewind() {
    put_down();
    for (; rewound_ < p_.strips.size(); ++rewound_) {
      beside_agenda(p_.strips[rewound_], [this](Strip& strip) { p_.rewind(strip); });
    }
  }

 private:
  void put_down() {
    for (; put_down_ < p_.strips.size(); ++put_down_) p_.strips[put_down_].ledger.put_down();
  }

  // Cores that are put back ask for cycles that are over.
  template <class Change>
  static void beside_agenda(Strip& strip, Change change) {
    Agenda kept = std::exchange(strip.agenda, Agenda(strip.pes));
    change(strip);
    strip.agenda = std::move(kept);
  }

  Machine::Parts& p_;
  std::size_t put_down_ = 0;  // ledgers, of the first strips
  std::size_t rewound_ = 0;   // of the first strips, too
};

}  // namespace wse::vm
