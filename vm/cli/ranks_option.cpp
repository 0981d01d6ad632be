// Joins a launch, and keeps ranks that do not lead from writing.
#include "vm/cli/ranks_option.h"

#include <fmt/format.h>

#include "ranks/guard.h"
#include "ranks/launch.h"
#include "ranks/load_ranks.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/program_file.h"

namespace wse::cli {
namespace {

// All ranks find the same; one message is enough.
std::unexpected<Failure> said_once(const std::optional<ranks::Launch>& launch,
                                   std::string message) {
  if (launch && launch->rank > 0) message.clear();
  return failure(std::move(message));
}

bool is_one_of_several(const std::optional<ranks::Launch>& launch) {
  return launch && launch->size > 1;
}

void drop_outputs(RunCommand& command) {
  command.json.reset();
  command.trace.clear();
  command.dot.clear();
  command.source.engine.ir_folder.clear();
  command.source.engine.assembly_folder.clear();
  command.stats = command.progress = false;
  command.quiet = true;
  if (!front::is_script(command.source.file)) return;
  command.list.clear();
  command.path.clear();
  command.profile.clear();
  command.report.clear();
}

// Why these ranks cannot work together; empty if they can.
std::string mismatch(const RunCommand& command, const std::optional<ranks::Launch>& launch,
                     int size) {
  if (is_one_of_several(launch) && launch->size != size) {
    return fmt::format(
        "{} started {} processes, of which Open MPI sees {}: start them with Open MPI's mpirun, or "
        "srun --mpi=pmix",
        launch->launcher, launch->size, size);
  }
  const std::uint32_t wanted = command.ranks.value_or(0);
  if (wanted != 0 && wanted != static_cast<std::uint32_t>(size)) {
    return fmt::format(
        "--ranks={}: the launcher started {}; mpirun -n {} wsevm run ... starts them", wanted, size,
        wanted);
  }
  if (size > 1 && command.rights.unsafe) {
    return "--unsafe: a script of several ranks could write a file once for each; start one "
           "process";
  }
  return "";
}

}  // namespace

script::Ending ending_of(ExitCode code) {
  switch (code) {
    case ExitCode::Fine: return script::Ending::Fine;
    case ExitCode::EndedBadly: return script::Ending::EndedBadly;
    case ExitCode::Exhausted: return script::Ending::Exhausted;
    case ExitCode::Interrupted: return script::Ending::Interrupted;
    default: return script::Ending::BadInput;
  }
}

ExitCode code_of(script::Ending ending) {
  switch (ending) {
    case script::Ending::Fine: return ExitCode::Fine;
    case script::Ending::EndedBadly: return ExitCode::EndedBadly;
    case script::Ending::BadInput: return ExitCode::BadInput;
    case script::Ending::Exhausted: return ExitCode::Exhausted;
    case script::Ending::Interrupted: return ExitCode::Interrupted;
  }
  return ExitCode::BadInput;
}

Failure failure_of(script::TeamEnd end) { return {std::move(end.message), code_of(end.ending)}; }

std::optional<ExitCode> guard() {
  const std::optional<ranks::Launch> launch = ranks::find_launch();
  if (!is_one_of_several(launch)) return std::nullopt;
  const auto code = ranks::guard_rank(launch->rank, static_cast<int>(ExitCode::Exhausted),
                                      [](const std::string& message) { complain(message); });
  if (!code) return std::nullopt;
  return static_cast<ExitCode>(*code);
}

Outcome<void> JoinedRanks::join(RunCommand& command) {
  const std::optional<ranks::Launch> launch = ranks::find_launch();
  if (!command.ranks && !is_one_of_several(launch)) return {};
  isa::Result<std::unique_ptr<ranks::Ranks>> loaded = ranks::load_ranks();
  if (!loaded) return said_once(launch, loaded.error());
  ranks_ = std::move(*loaded);
  if (std::string why = mismatch(command, launch, ranks_->size()); !why.empty()) {
    return said_once(launch, std::move(why));
  }
  if (ranks_->size() == 1) return {};
  team_ = std::make_unique<script::Team>(*ranks_);
  if (!team_->leads()) drop_outputs(command);
  return {};
}

Failure JoinedRanks::tell(const Failure& failure) {
  if (team_ == nullptr || team_->finished()) return failure;
  std::string message = failure.message;
  script::TeamEnd end = team_->finish({ending_of(failure.code), std::move(message)});
  return {std::move(end.message), failure.code};
}

void JoinedRanks::leave(ExitCode code) {
  if (ranks_ == nullptr) return;
  if (team_ != nullptr && !team_->all_left()) ranks_->abort(static_cast<int>(code));
  ranks_->leave();
}

}  // namespace wse::cli
