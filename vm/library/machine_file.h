// A machine of a caller as a file: wsevm_checkpoint_write, wsevm_restore.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vm/library/machine.h"

namespace wse::library {

class MachineFile {
 public:
  // The machine must live longer.
  explicit MachineFile(Machine& machine) : machine_(machine) {}

  // Returns the machine as it is between two cycles. Errors: those of wsevm_checkpoint_write().
  Fallible<std::vector<std::byte>> bytes();
  // Errors: those of wsevm_restore().
  Done take_up(std::span<const std::byte> file);

 private:
  vm::Session& session() { return *machine_.session_; }

  Machine& machine_;
};

}  // namespace wse::library
