// A machine between two cycles, as a file: to go on later, elsewhere, on another number of threads.
//
//     wsevm checkpoint       a line of text
//     size, header           what it belongs to, a JSON text: version, program, machine, seeds
//     state                  MachineState (vm/run), deflated
//     size, hash             of the state; of all before it
//
// A file is written and read in pieces: nobody holds all of it, nor of the state.
//
// A machine takes up only files of its own kind: the program with its values, every number of the
// profile, seeds, and the same of a profile, lines, slices of time, a trace, a host. What differs
// is named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isa/support/result.h"
#include "vm/run/machine.h"
#include "vm/run/state_pieces.h"
#include "vm/session/session.h"

namespace wse::vm {

// A file that is read by offset, twice.
struct CheckpointFile {
  std::uint64_t bytes = 0;
  // Fills `to` from that byte on; returns false if it cannot.
  std::function<bool(std::uint64_t from, std::span<std::byte> to)> read;

  static CheckpointFile of(std::span<const std::byte> file);
};

// Returns the file of a machine that has stopped and can go on. Errors: the run is over; out of
// memory.
isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine);

// Writes it piece by piece. Errors: those above; what the sink does not take is no error here.
isa::Attempt<void> write_checkpoint(Machine& machine, const StateWriter::Sink& sink);

// Writes the same file of a machine that several processes run, which all have made StatePieces of
// it: for the first process. Errors: a process that `fetch` asks does not answer as it should,
// named by its number; out of memory.
isa::Attempt<void> write_checkpoint(Machine& machine, StatePieces& pieces, std::uint32_t processes,
                                    const StatePieces::Fetch& fetch, const StateWriter::Sink& sink);

// Lets a machine that has begun and done no cycle take up a file; processes that run it together
// call it at once with the same file. Errors: no checkpoint, a damaged one, one of another version,
// program or machine; out of memory. The machine must not be used after an error.
isa::Attempt<void> restore(Machine& machine, const CheckpointFile& file);
isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file);

// The same of a session. Errors: it is Broken; those above.
isa::Attempt<std::vector<std::byte>> checkpoint_of(Session& session);

// The session is of the same program, machine and options, and New: all becomes as it was in the
// other one. Errors: a cycle was done; those above, after which the session is as it was, but
// Broken where a stranger has written a file that looks right.
isa::Attempt<void> restore(Session& session, std::span<const std::byte> file);

}  // namespace wse::vm
