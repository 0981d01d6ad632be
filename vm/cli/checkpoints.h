// The files of a run that continues from a checkpoint, or leaves one: --restore and --checkpoint.
#pragma once

#include "isa/support/input_list.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

// Returns whether the command has one of these options.
bool uses_checkpoints(const RunCommand& command);

// Errors: options that the command cannot have beside them.
Outcome<void> check_checkpoints(const RunCommand& command);

// Lets the machine, which has begun, take up the file of --restore. Errors: the file cannot be
// read; it is no checkpoint of this machine.
Outcome<void> take_up(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs);

// Returns a text that is alike for two ranks where their files of --restore are; empty without one.
// Errors: the file cannot be read by offset.
Outcome<std::string> restored_text(const RunCommand& command, isa::InputList& inputs);

// Advances the machine, which has begun, to its end, and writes the file of --checkpoint at the
// cycle of --at. Errors: the run ends before; the file cannot be written.
Outcome<void> advance(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs);

// Without --at: writes the file of --checkpoint if the machine has stopped at its limit or by an
// interrupt.
Outcome<void> write_where_it_stopped(vm::Machine& machine, const RunCommand& command,
                                     const vm::Record& record, isa::InputList& inputs);

}  // namespace wse::cli
