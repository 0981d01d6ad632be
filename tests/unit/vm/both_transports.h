// Runs a program on the stepper and on the wafer and compares all that can be seen of both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vm/run/machine.h"

namespace wse::both_transports {

struct Ended {
  std::unique_ptr<vm::Machine> machine;
  vm::Record record;

  // Of a symbol; none where the PE has no such symbol.
  std::vector<std::uint32_t> words(std::uint32_t x, std::uint32_t y, const char* name) const;
};

// On a machine of the profile: to the end, to some cycles before and to one soon after, the wafer
// on up to three threads. What the stepper ended with, which must be `status`.
Ended expect_same_ends(const std::string& text, const std::string& profile = "model",
                       vm::RunStatus status = vm::RunStatus::Halted);
// The same on a machine of these numbers.
Ended expect_same_ends(const std::string& text, const isa::Profile& profile,
                       vm::RunStatus status = vm::RunStatus::Halted);

}  // namespace wse::both_transports
