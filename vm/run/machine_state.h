// The state of a machine between two cycles, to be written down and taken up by another machine of
// the same image, profile and options.
//
// PEs are passed one after the other, whatever strip they are in: so a machine may be taken up on
// another number of threads, or over several processes, of which each takes its own PEs. A part of
// the machine is passed without its books: who runs it wants
// to see what happens there, not what has been counted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vm/contract/transport_state.h"
#include "vm/run/machine.h"
#include "vm/run/state_parts.h"
#include "vm/support/cone.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class MachineState {
 public:
  // The machine must live longer.
  explicit MachineState(Machine& machine) : machine_(machine), parts_(machine, {}) {}
  // The state is that of a rectangle of its mesh alone, and who takes it up runs no other PEs: see
  // Cone.
  MachineState(Machine& machine, const PeRect& part)
      : machine_(machine), parts_(machine, {.part = part}) {}
  // The state is that of the strips of one of several processes that run the machine: its PEs. Of
  // memory it has the symbols of these names alone; they must live longer.
  MachineState(Machine& machine, const PeRange& share, std::span<const std::string> symbols)
      : machine_(machine), parts_(machine, {.share = share, .symbols = symbols}) {}

  // Returns with what the machine has begun.
  const RunOptions& options() const;
  // Whether nothing will happen any more.
  bool is_over() const;
  // Whether the machine counts lines: one that does not takes up no state of one that does.
  bool counts_lines() const;
  // Returns from which cycle on a machine that takes the state up tells its observers all that
  // happens: what has run ahead of the clock, is not looked at, or has ended where the machine
  // stopped, is over then.
  Cycle told_from();
  // Returns a cycle for each of these PEs: later nothing acts there that was begun before the
  // machine stopped, but waits that continue.
  std::vector<Cycle> act_until(std::span<const PeId> pes);
  // Whether the machine has planes.
  bool has_planes() const;
  // The machine has stopped, and may go on.
  void write(StateWriter& writer);
  // Writes the same, also after Advance::pass(); until Advance::show() the machine shows nothing.
  void write_hidden(StateWriter& writer);
  // The machine has begun and done nothing; it takes the stepper, unless planes gave the state and
  // it is whole. False if the state is none of such a machine: it must not continue then. Processes
  // that run the machine together call it at once, each with all of the state; false if one of them
  // has not read it.
  bool read(StateReader& reader);
  // For a process that cannot read a state, while others may: these get false.
  void refuse() { agree(false); }
  // For a share: writes the PEs of this process as they were in the cycle in which the machine
  // stopped. What ran ahead of it depends on memory, of which a share has not all.
  void write_share(StateWriter& writer);
  // Reads a share of a machine that several processes ran, which may have ended. Once all have been
  // read, show_read() shows what they are together.
  bool read_share(StateReader& reader);
  void show_read();

 private:
  friend class StatePieces;
  class KeptBooks;

  void stand_still_outside();
  void tell_observers();
  // Applies what has issued and hides the machine; returns whether it was shown.
  bool hide();
  Cycle acts_until(PeId pe);
  bool read_all(StateReader& reader);
  // Returns whether all processes have read the state.
  bool agree(bool has_read);
  template <class Archive>
  void pass(Archive& archive);

  Machine& machine_;
  StateParts parts_;
  TransportState of_pe_;  // of one after the other
};

}  // namespace wse::vm
