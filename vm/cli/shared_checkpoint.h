// The file of --checkpoint of a program that ranks run together: the first rank asks the others for
// pieces of their parts and writes the file that one process writes.
//
//     all      advance()                      to its end; with --at by way of that cycle
//     all      write_where_it_stopped()       without --at
//     leader   commit_where_it_stopped()      then the file is there
#pragma once

#include <optional>

#include "isa/support/output_file.h"
#include "scripts/host/team.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/run/state_pieces.h"

namespace wse::cli {

class SharedCheckpoint {
 public:
  // The team must live longer.
  explicit SharedCheckpoint(script::Team& team) : team_(team) {}

  // Advances the machine, which has begun, to its end, and writes the file at the cycle of --at.
  // Errors: the run ends before; the file cannot be written; a rank has none; without a message
  // where another rank tells it.
  Outcome<void> advance(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs);
  // Without --at: puts the file on its way if the machine has stopped at its limit or by an
  // interrupt. Errors: a rank has none; those of the file are commit_where_it_stopped()'s.
  Outcome<void> write_where_it_stopped(vm::Machine& machine, const RunCommand& command,
                                       isa::InputList& inputs);
  // On the leader: puts that file into its place, if there is one.
  Outcome<void> commit_where_it_stopped(const RunCommand& command);

 private:
  Outcome<void> commit();
  Outcome<void> write(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs,
                      bool can_go_on);
  // On the leader: the file, whole. Errors: as above; those of the file are kept in problem_.
  Outcome<void> gather(vm::Machine& machine, vm::StatePieces& pieces, const RunCommand& command,
                       isa::InputList& inputs);
  // On the others; null: they have no strips, or nothing is written.
  Outcome<void> serve(vm::StatePieces* pieces);

  script::Team& team_;
  std::optional<isa::OutputFile> file_;  // on its way
  Outcome<void> problem_;                // why there is none
};

}  // namespace wse::cli
