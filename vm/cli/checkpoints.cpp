// When checkpoints are written, and what they cannot go with.
#include "vm/cli/checkpoints.h"

#include <fmt/format.h>

#include "isa/support/atomic_file.h"
#include "vm/checkpoint/checkpoint.h"
#include "vm/front/data_folder.h"

namespace wse::cli {
namespace {

Outcome<void> write_checkpoint(vm::Machine& machine, const RunCommand& command,
                               isa::InputList& inputs) {
  const auto file = vm::checkpoint_of(machine);
  if (!file) return failure("--checkpoint", file.error());
  return outcome(isa::write_whole_file(command.checkpoint, inputs, *file));
}

}  // namespace

bool uses_checkpoints(const RunCommand& command) {
  return !command.restore.empty() || !command.checkpoint.empty();
}

Outcome<void> check_checkpoints(const RunCommand& command) {
  if (command.checkpoint_at && command.checkpoint.empty()) {
    return failure("--at says when a checkpoint is written: add --checkpoint=FILE");
  }
  if (!uses_checkpoints(command)) return {};
  const std::string option = command.checkpoint.empty() ? "--restore" : "--checkpoint";
  if (command.interval) {
    return failure(option + " and --interval do not go together: leave one of them out");
  }
  if (!command.restore.empty() && !command.in.empty()) {
    return failure("--in and --restore do not go together: a checkpoint holds all arrays");
  }
  return {};
}

Outcome<void> take_up(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs) {
  if (command.restore.empty()) return {};
  const Outcome<std::string> path = front::find_input(command.restore);
  if (!path) return std::unexpected(path.error());
  const auto file = isa::read_whole_file(*path, inputs);
  if (!file) return failure(file.error());
  if (const auto done = vm::restore(machine, *file); !done) {
    return failure(command.restore, done.error());
  }
  return {};
}

Outcome<void> advance(vm::Machine& machine, const RunCommand& command, isa::InputList& inputs) {
  if (command.checkpoint_at) {
    const vm::Stop stop = machine.advance(*command.checkpoint_at);
    if (stop.is_over) {
      return failure(fmt::format("--checkpoint: the run ended after {} cycles, before cycle {}",
                                 machine.record().cycles, *command.checkpoint_at));
    }
    if (const auto written = write_checkpoint(machine, command, inputs); !written) return written;
  }
  machine.advance(vm::kNever);
  return {};
}

Outcome<void> write_where_it_stopped(vm::Machine& machine, const RunCommand& command,
                                     const vm::Record& record, isa::InputList& inputs) {
  const bool can_go_on =
      record.status == vm::RunStatus::CycleLimit || record.status == vm::RunStatus::Interrupted;
  if (command.checkpoint.empty() || command.checkpoint_at || !can_go_on) return {};
  return write_checkpoint(machine, command, inputs);
}

}  // namespace wse::cli
