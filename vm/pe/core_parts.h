// The surroundings of the cores of one strip: what their classes work with.
#pragma once

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/contract/executor.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/load/channel_map.h"
#include "vm/load/loaded.h"
#include "vm/pe/visit_tape.h"
#include "vm/support/agenda.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

// All must live longer than who works with them.
struct CoreParts {
  const isa::Image& image;
  const isa::Profile& profile;
  const isa::Topology& mesh;
  PeRange pes;  // those of the strip
  Loaded& loaded;
  const ChannelMap& channels;
  Transport& transport;
  Executor& executor;
  Agenda& agenda;
  Ledger& ledger;
  FirstTrap& trap;
  VisitTape& tape;
  bool cohorts = true;  // cores that do the same do it once

  // The next ones tell others what a core does in a visit, and its tape too.
  void wake(PeId pe, Cycle when) const {
    agenda.add(pe, when);
    if (tape.is_open()) tape.wakes_at(when);
  }
  void busy_until(PeId pe, Cycle until) const {
    ledger.activity.busy_until(pe, until);
    tape.busy_until = std::max(tape.busy_until, until);
  }
  // A vector instruction issues every `period` cycles, see ActivityLog.
  void steady(PeId pe, std::uint32_t period, Cycle until) const {
    ledger.activity.steady(pe, period, until);
    if (tape.is_open()) tape.steadies({period, until});
  }
  void otherwise_idle(PeId pe) const {
    ledger.activity.otherwise(pe, Activity::Idle);
    tape.is_otherwise_idle = true;
  }
  void note(PeId pe, const LineNote& note) const {
    if (ledger.lines() == nullptr) return;
    ledger.enter(pe, note);
    if (tape.is_open()) tape.goes(note);
  }
  void stalls_at(PeId pe, const StallSpan& span) const {
    ledger.stalls_at(pe, span);
    if (tape.is_open() && ledger.slices() != nullptr) tape.stalls_at(span);
  }
  void count(PeId pe, const Work& work) const {
    ledger.count(pe, work);
    tape.counts(work);
  }
  void hold_slot(PeId pe, Cycle from, Cycle until) const {
    transport.hold_slot(pe, from, until);
    tape.slot_until = std::max(tape.slot_until, until);
  }
};

}  // namespace wse::vm
