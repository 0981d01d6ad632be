// The parts of a machine's state that go PE by PE or by agenda, and which PEs they have: see
// MachineState, which passes all.
//
// A process that runs some strips of a machine writes their PEs, and reads a state of all: parts of
// others are skipped, but for queues behind its borders.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vm/contract/transport_state.h"
#include "vm/run/ledger_state.h"
#include "vm/run/machine.h"
#include "vm/stepper/stepper_state.h"
#include "vm/support/cone.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class StateParts {
 public:
  // The PEs that are passed: a rectangle, with those beside it, or a share; else all.
  struct Of {
    std::optional<PeRect> part = {};
    std::optional<PeRange> share = {};
    std::span<const std::string> symbols = {};  // of the share: what is passed of memory
  };
  using Entry = std::pair<Cycle, PeId>;  // of an agenda

  // The machine must live longer.
  StateParts(Machine& machine, Of of) : machine_(machine), of_(of) {}

  const Of& of() const { return of_; }
  // Whether the PE is passed: those beside the part too, whose queues its PEs fill.
  bool has(PeId pe) const;
  // Whether this process has the PE.
  bool is_here(PeId pe) const;

  // Before the machine reads a state that planes cannot take up.
  void take_stepper(std::string_view reason);
  // Before a process reads a state of all: finds out what it needs of PEs that others run.
  void find_neighbours();
  // After it: fills the queues behind its borders, and leaves sums of links to the first process.
  // False if the queues do not hold what was read.
  bool fill_borders() const;

  // Returns the books that are passed; `finish`: the latest that other processes know of.
  LedgerState::Peers books(Cycle finish) const;
  // Passes the clock, and before it which transport has given the state: planes take up what planes
  // have given, a stepper all.
  template <class Archive>
  void pass_clock(Archive& archive);
  template <class Archive>
  void pass_cores(Archive& archive, const PeRange& pes);
  template <class Archive>
  void pass_transport(Archive& archive, const PeRange& pes);
  // Returns what the agendas of the strips have, of their cores or of their transports.
  std::vector<Entry> entries(bool of_cores) const;
  template <class Archive>
  void pass_agenda(Archive& archive, bool of_cores, std::vector<Entry> entries);
  // Passes the session of a machine that a host holds: it may have come to rest.
  template <class Archive>
  void pass_session(Archive& archive);

 private:
  template <class Archive>
  void pass_core(Archive& archive, PeId pe);
  template <class Archive>
  void pass_pe(Archive& archive, PeId pe);
  void pass_pe_elsewhere(StateReader& reader, PeId pe);
  TransportStates::Begun begun(ThreadId thread) const;
  template <class Archive>
  void pass_since(Archive& archive);

  Machine& machine_;
  Of of_;
  TransportState of_pe_;  // of one after the other
  // PEs of other processes whose queues are behind a border of this one; once they are read.
  std::set<PeId> neighbours_;
  std::map<PeId, TransportState> behind_borders_;
  bool counts_elsewhere_ = false;  // links of other processes, up to here
};

extern template void StateParts::pass_clock(StateWriter&);
extern template void StateParts::pass_clock(StateReader&);
extern template void StateParts::pass_cores(StateWriter&, const PeRange&);
extern template void StateParts::pass_cores(StateReader&, const PeRange&);
extern template void StateParts::pass_transport(StateWriter&, const PeRange&);
extern template void StateParts::pass_transport(StateReader&, const PeRange&);
extern template void StateParts::pass_agenda(StateWriter&, bool, std::vector<StateParts::Entry>);
extern template void StateParts::pass_agenda(StateReader&, bool, std::vector<StateParts::Entry>);
extern template void StateParts::pass_session(StateWriter&);
extern template void StateParts::pass_session(StateReader&);

}  // namespace wse::vm
