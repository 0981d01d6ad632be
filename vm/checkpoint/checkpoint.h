// A machine between two cycles, as a file: to go on later, elsewhere, on another number of threads.
//
//     wsevm checkpoint       a line of text
//     size, header           what it belongs to, a JSON text: version, program, machine, seeds,
//     cycle sizes, state           MachineState (vm/run), deflated hash                   of all
//     before it
//
// A machine takes up only files of its own kind: the program with its values, every number of the
// profile, seeds, and whether it keeps a profile. What differs is named.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isa/support/result.h"
#include "vm/run/machine.h"

namespace wse::vm {

// Returns the file of a machine that has stopped and can go on. Errors: what the machine does
// cannot be written down (MachineState::refusal); out of memory.
isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine);

// Lets a machine that has begun and done no cycle take up a file. Errors: no checkpoint, a damaged
// one, one of another version, program or machine; out of memory. The machine must not be used
// after an error.
isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file);

}  // namespace wse::vm
