// Questions of the leader are requests for pieces, as bytes.
#include "vm/cli/shared_checkpoint.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "vm/checkpoint/checkpoint.h"
#include "vm/cli/ranks_option.h"
#include "vm/run/share.h"
#include "vm/support/state_archive.h"

namespace wse::cli {
namespace {

using vm::StatePieces;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Outcome<void> SharedCheckpoint::serve(StatePieces* pieces) {
  const auto served = team_.serve([pieces](const std::string& question) {
    StatePieces::Request request;
    vm::StateReader reader(std::as_bytes(std::span(question)));
    request.pass(reader);
    return text_of(pieces != nullptr ? pieces->piece(request) : StatePieces::none());
  });
  if (!served) return std::unexpected(failure_of(served.error()));
  return {};
}

Outcome<void> SharedCheckpoint::gather(vm::Machine& machine, StatePieces& pieces,
                                       const RunCommand& command, isa::InputList& inputs) {
  Outcome<void> lost;
  const auto fetch = [&](std::uint32_t process,
                         StatePieces::Request request) -> std::optional<vm::MessageBytes> {
    vm::StateWriter question;
    request.pass(question);
    auto answer = team_.ask(static_cast<int>(process), text_of(question.written()));
    if (!answer) {
      lost = std::unexpected(failure_of(answer.error()));
      return std::nullopt;
    }
    const auto bytes = std::as_bytes(std::span(*answer));
    return vm::MessageBytes(bytes.begin(), bytes.end());
  };
  auto opened = isa::OutputFile::open(command.checkpoint, inputs);
  if (!opened) {
    problem_ = failure(opened.error());
    return {};
  }
  std::expected<void, isa::FileError> taken;
  const auto sink = [&](std::span<const std::byte> bytes) {
    taken = opened->write(bytes);
    return taken.has_value();
  };
  const auto written =
      vm::write_checkpoint(machine, pieces, static_cast<std::uint32_t>(team_.size()), fetch, sink);
  if (!lost) return lost;
  if (!written) return failure("--checkpoint", written.error());
  problem_ = outcome(taken);
  if (problem_) file_.emplace(std::move(*opened));
  return {};
}

Outcome<void> SharedCheckpoint::write(vm::Machine& machine, const RunCommand& command,
                                      isa::InputList& inputs, bool can_go_on) {
  std::optional<StatePieces> pieces;
  if (can_go_on && StatePieces::has_any(machine)) pieces.emplace(machine);
  Outcome<void> done;
  if (!team_.leads()) {
    done = serve(pieces ? &*pieces : nullptr);
  } else {
    if (pieces) done = gather(machine, *pieces, command, inputs);
    if (done) team_.release();
  }
  if (done && pieces) pieces->end();
  return done;
}

Outcome<void> SharedCheckpoint::advance(vm::Machine& machine, const RunCommand& command,
                                        isa::InputList& inputs) {
  if (command.checkpoint_at) {
    const bool is_over = machine.advance(*command.checkpoint_at).is_over;
    if (is_over && team_.leads()) {
      return failure(fmt::format("--checkpoint: the run ended after {} cycles, before cycle {}",
                                 vm::Share(machine).cycles(), *command.checkpoint_at));
    }
    Outcome<void> done = write(machine, command, inputs, !is_over);
    if (done) done = commit();
    if (!done) return done;
  }
  machine.advance(vm::kNever);
  return {};
}

Outcome<void> SharedCheckpoint::write_where_it_stopped(vm::Machine& machine,
                                                       const RunCommand& command,
                                                       isa::InputList& inputs) {
  if (command.checkpoint.empty() || command.checkpoint_at) return {};
  const vm::RunStatus status = vm::Share(machine).status();
  return write(machine, command, inputs,
               status == vm::RunStatus::CycleLimit || status == vm::RunStatus::Interrupted);
}

Outcome<void> SharedCheckpoint::commit_where_it_stopped(const RunCommand& command) {
  if (command.checkpoint_at) return {};
  return commit();
}

Outcome<void> SharedCheckpoint::commit() {
  if (!file_) return problem_;
  return outcome(file_->commit());
}

}  // namespace wse::cli
