// The program that a script makes, as text, without running it: for `gen` and `check`.
#pragma once

#include <cstdint>
#include <string>

#include "isa/support/input_list.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/interrupt.h"

namespace wse::cli {

struct CapturedProgram {
  std::string text;     // empty if the script ended before
  std::string message;  // what it said at its end; stderr has it
  ExitCode code = ExitCode::Fine;
};

// Runs the script up to its `number`-th wse.run, counted from 1. Its output goes to stderr.
// Failures: it is no script or cannot be read.
Outcome<CapturedProgram> captured_program(const ProgramSource& source, const ScriptRights& rights,
                                          std::uint64_t number, isa::InputList& inputs,
                                          Interrupts& interrupts);

}  // namespace wse::cli
