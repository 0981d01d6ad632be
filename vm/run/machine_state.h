// The state of a machine between two cycles, to be written down and taken up by another machine of
// the same image, profile and options.
//
// PEs are passed one after the other, whatever strip they are in: so a machine may be taken up on
// another number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "vm/run/machine.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class MachineState {
 public:
  // The machine must live longer.
  explicit MachineState(Machine& machine) : machine_(machine) {}

  // Returns with what the machine has begun.
  const RunOptions& options() const;
  // Returns why its state cannot be written or taken up; empty if it can.
  std::string refusal() const;
  // Whether nothing will happen any more.
  bool is_over() const;
  // A state belongs to machines that count lines, or to those that do not.
  bool counts_lines() const;
  // The machine has stopped, and may go on.
  void write(StateWriter& writer);
  // The machine has begun and done nothing. False if the state is none of such a machine: it must
  // not go on then.
  bool read(StateReader& reader);

 private:
  template <class Archive>
  void pass(Archive& archive);
  template <class Archive>
  void pass_pe(Archive& archive, PeId pe);
  template <class Archive>
  void pass_memory(Archive& archive, PeId pe);
  template <class Archive>
  void pass_agendas(Archive& archive);
  template <class Archive>
  void pass_session(Archive& archive);
  template <class Archive>
  void pass_since(Archive& archive);

  Machine& machine_;
};

}  // namespace wse::vm
