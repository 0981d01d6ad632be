// The state of a machine between two cycles, to be written down and taken up by another machine of
// the same image, profile and options.
//
// PEs are passed one after the other, whatever strip they are in: so a machine may be taken up on
// another number of threads. A part of the machine is passed without its books: who runs it wants
// to see what happens there, not what has been counted.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vm/contract/transport_state.h"
#include "vm/run/machine.h"
#include "vm/stepper/stepper_state.h"
#include "vm/support/cone.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class MachineState {
 public:
  // The machine must live longer.
  explicit MachineState(Machine& machine) : machine_(machine) {}
  // The state is that of a rectangle of its mesh alone, and who takes it up runs no other PEs: see
  // Cone.
  MachineState(Machine& machine, const PeRect& part) : machine_(machine), part_(part) {}
  // The state is that of the strips of one of several processes that run the machine: its PEs. Of
  // memory it has the symbols of these names alone; they must live longer.
  MachineState(Machine& machine, const PeRange& share, std::span<const std::string> symbols)
      : machine_(machine), share_(share), symbols_(symbols) {}

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
  // Whether the machine has planes, which take no state up.
  bool has_planes() const;
  // The machine has stopped, and may go on.
  void write(StateWriter& writer);
  // Writes the same, also after Advance::pass(); until Advance::show() the machine shows nothing.
  void write_hidden(StateWriter& writer);
  // The machine has begun and done nothing; it takes the stepper. False if the state is none of
  // such a machine: it must not continue then.
  bool read(StateReader& reader);
  // Reads a share of a machine that several processes ran, which may have ended. Once all have been
  // read, show_read() shows what they are together.
  bool read_share(StateReader& reader);
  void show_read();

 private:
  class CountedPlanes;

  // Whether the PE is passed: those beside the part too, whose queues its PEs fill.
  bool has(PeId pe) const;
  void stand_still_outside();
  void tell_observers();
  // Applies what has issued and hides the machine; returns whether it was shown.
  bool hide();
  Cycle acts_until(PeId pe);
  StepperState::Begun begun(ThreadId thread) const;
  template <class Archive>
  void pass(Archive& archive);
  template <class Archive>
  void pass_pe(Archive& archive, PeId pe);
  template <class Archive>
  void pass_agendas(Archive& archive);
  template <class Archive>
  void pass_session(Archive& archive);
  template <class Archive>
  void pass_since(Archive& archive);

  Machine& machine_;
  std::optional<PeRect> part_;            // none: all of it
  std::optional<PeRange> share_;          // the same
  std::span<const std::string> symbols_;  // of the share
  TransportState of_pe_;                  // of one after the other
};

}  // namespace wse::vm
