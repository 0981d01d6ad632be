// RunReads answers what scripts read of a run that has ended: its machine knows, or the ranks that
// had it together do. Errors are those of the machine, or of ranks.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "scripts/host/binding.h"
#include "scripts/host/script.h"
#include "scripts/host/team_machine.h"
#include "vm/run/machine.h"

namespace wse::script {

struct RunReads {
  vm::Machine& machine;
  TeamMachine* shared = nullptr;  // null: this process has all of it

  // The words of an array, see vm::Machine::read_array.
  std::expected<std::vector<std::uint32_t>, BindingError> array(const std::string& name) const;
  // A symbol of a PE.
  std::expected<vm::SymbolValue, BindingError> symbol(std::uint32_t x, std::uint32_t y,
                                                      const std::string& name) const;
  // An array of the profile.
  std::expected<std::vector<std::uint64_t>, BindingError> profile(const std::string& name) const;
  // The array as the bytes of a file; of ranks the leader alone has them.
  std::expected<std::vector<std::byte>, BindingError> file(const std::string& name,
                                                           const FormatArray& format) const;
};

}  // namespace wse::script
