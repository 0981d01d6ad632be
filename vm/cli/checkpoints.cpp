// When checkpoints are written, and what they cannot go with.
#include "vm/cli/checkpoints.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "isa/support/atomic_file.h"
#include "isa/support/output_file.h"
#include "vm/checkpoint/checkpoint.h"
#include "vm/front/data_folder.h"
#include "vm/front/offset_file.h"

namespace wse::cli {
namespace {

Outcome<void> write_checkpoint(vm::Machine& machine, const RunCommand& command,
                               isa::InputList& inputs) {
  auto file = isa::OutputFile::open(command.checkpoint, inputs);
  if (!file) return failure(file.error());
  std::expected<void, isa::FileError> taken;
  const auto written = vm::write_checkpoint(machine, [&](std::span<const std::byte> bytes) {
    taken = file->write(bytes);
    return taken.has_value();
  });
  if (!written) return failure("--checkpoint", written.error());
  return outcome(taken ? file->commit() : taken);
}

// Lets the machine take up a file that is read piece by piece. Errors: the file's; the machine's.
Outcome<void> take_up_pieces(vm::Machine& machine, const std::string& name,
                             const front::OffsetFile& file, std::uint64_t bytes) {
  Outcome<void> read;
  const auto restored =
      vm::restore(machine, {bytes, [&](std::uint64_t from, std::span<std::byte> to) {
                              if (const auto done = file.read_at(from, to); !done) read = done;
                              return read.has_value();
                            }});
  if (!read) return read;
  if (!restored) return failure(name, restored.error());
  return {};
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
  if (*path != "-") {
    const front::OffsetFile file(*path, inputs);
    const auto bytes = file.size();
    if (!bytes) return std::unexpected(bytes.error());
    if (*bytes) return take_up_pieces(machine, command.restore, file, **bytes);
  }
  const auto file = isa::read_whole_file(*path, inputs);
  if (!file) return failure(file.error());
  if (const auto done = vm::restore(machine, *file); !done) {
    return failure(command.restore, done.error());
  }
  return {};
}

Outcome<std::string> restored_text(const RunCommand& command, isa::InputList& inputs) {
  if (command.restore.empty()) return std::string();
  const Outcome<std::string> path = front::find_input(command.restore);
  if (!path) return std::unexpected(path.error());
  std::optional<std::uint64_t> bytes;
  std::uint64_t last = 0;  // its hash
  if (*path != "-") {
    const front::OffsetFile file(*path, inputs);
    const auto size = file.size();
    if (!size) return std::unexpected(size.error());
    bytes = *size;
    if (bytes && *bytes >= sizeof last) {
      const auto to = std::as_writable_bytes(std::span(&last, 1));
      if (const auto read = file.read_at(*bytes - sizeof last, to); !read) {
        return std::unexpected(read.error());
      }
    }
  }
  if (!bytes) {
    return failure(fmt::format("--restore={}: several processes read a file, no pipe or device",
                               command.restore));
  }
  return fmt::format("{} bytes that end with {:016x}", *bytes, last);
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
