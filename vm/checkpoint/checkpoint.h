// A machine between two cycles, as a file: to go on later, elsewhere, on another number of threads.
//
//     wsevm checkpoint       a line of text
//     size, header           what it belongs to, a JSON text: version, program, machine, seeds,
//     cycle sizes, state           MachineState (vm/run), deflated hash                   of all
//     before it
//
// A machine takes up only files of its own kind: the program with its values, every number of the
// profile, seeds, and the same of a profile, lines, slices of time, a trace, a host. What differs
// is named.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isa/support/result.h"
#include "vm/run/machine.h"
#include "vm/session/session.h"

namespace wse::vm {

// Returns the file of a machine that has stopped and can go on. Errors: what the machine does
// cannot be written down (MachineState::refusal); out of memory.
isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine);

// Lets a machine that has begun and done no cycle take up a file. Errors: no checkpoint, a damaged
// one, one of another version, program or machine; out of memory. The machine must not be used
// after an error.
isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file);

// The same of a session. Errors: it is Broken; those above.
isa::Attempt<std::vector<std::byte>> checkpoint_of(Session& session);

// The session is of the same program, machine and options, and New: all becomes as it was in the
// other one. Errors: a cycle was done; those above, after which the session is as it was, but
// Broken where a stranger has written a file that looks right.
isa::Attempt<void> restore(Session& session, std::span<const std::byte> file);

}  // namespace wse::vm
