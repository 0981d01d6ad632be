// A strip: PEs with successive numbers, whole rows of the mesh or whole blocks of the wafer, and
// all that changes in them. Strips meet at their borders only, so each can have a thread of its
// own.
#pragma once

#include <memory>

#include "vm/contract/counters.h"
#include "vm/contract/executor.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/activity.h"
#include "vm/ledger/notes.h"
#include "vm/pe/cores.h"
#include "vm/support/agenda.h"

namespace wse::vm {

struct Strip {
  explicit Strip(const PeRange& range) : pes(range), agenda(range), activity(range, counters) {}

  // The first cycle in which something happens here by itself; kNever if nothing does.
  Cycle next() const {
    const Cycle next = std::min(agenda.next(), transport->next());
    return next != kNever ? next : cores->quiet_finish();
  }

  PeRange pes;
  Agenda agenda;  // of the cores
  Counters counters;
  ActivityLog activity;
  FirstTrap trap;
  Notes notes;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Cores> cores;
};

}  // namespace wse::vm
