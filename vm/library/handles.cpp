// Never destroyed: other threads may still call while the process ends.
#include "vm/library/handles.h"

namespace wse::library {

Handles<Program>& programs() {
  static auto& kPrograms = *new Handles<Program>(HandleKind::Program);
  return kPrograms;
}

Handles<Machine>& machines() {
  static auto& kMachines = *new Handles<Machine>(HandleKind::Machine);
  return kMachines;
}

Handles<std::atomic<bool>>& runs() {
  static auto& kRuns = *new Handles<std::atomic<bool>>(HandleKind::Run);
  return kRuns;
}

}  // namespace wse::library
