// A strip: PEs with successive numbers, whole rows of the mesh or whole blocks of the wafer, and
// all that changes in them. Strips meet at their borders only, so each can have a thread of its
// own.
#pragma once

#include <memory>
#include <optional>

#include "vm/contract/executor.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/pe/cores.h"
#include "vm/support/agenda.h"

namespace wse::vm {

struct Strip {
  // History and trace are the machine's. `its_number`: among all strips of the machine.
  Strip(std::uint32_t its_number, const PeRange& range, History& history, Tracer& tracer)
      : number(its_number), pes(range), agenda(range), ledger(range, history, tracer) {}

  // The first cycle in which something happens here by itself; kNever if nothing does.
  Cycle next() const {
    const Cycle next = std::min(agenda.next(), transport->next());
    return next != kNever ? next : cores->quiet_finish();
  }

  std::uint32_t number;
  PeRange pes;
  Agenda agenda;                      // of the cores
  std::optional<Agenda> kept_agenda;  // while cores are shown that must not ask for cycles
  Ledger ledger;
  FirstTrap trap;
  VisitTape tape;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Cores> cores;
};

}  // namespace wse::vm
