// The ranks of a launcher (mpirun, srun) that run one script or program, and --ranks=N.
#pragma once

#include <memory>

#include "ranks/ranks.h"
#include "scripts/host/team.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

// How an exit code and the end of a rank's part name each other.
script::Ending ending_of(ExitCode code);
ExitCode code_of(script::Ending ending);
// Returns the end of a rank's part as a failure, without a message where another rank tells it.
Failure failure_of(script::TeamEnd end);

// Splits a process of a launcher that started several into one that works and one that guards it
// (ranks/guard.h). Returns the exit code of the process that guarded; nothing in the one that
// works.
std::optional<ExitCode> guard();

// This process among the ranks; alone if no launcher started several.
class JoinedRanks {
 public:
  // Loads what speaks to the others where there are some, or --ranks asks for it. Errors: that is
  // missing, another number of ranks is wanted; the first rank alone says why. From then on a rank
  // that does not lead has no outputs in `command`, but for books of a program, which it keeps.
  Outcome<void> join(RunCommand& command);

  // Null: this process is alone.
  script::Team* team() const { return team_.get(); }
  ranks::Ranks& ranks() const { return *ranks_; }
  bool leads() const { return team_ == nullptr || team_->leads(); }

  // Tells the team why this rank ends without an end of its script. Returns what is to be reported.
  Failure tell(const Failure& failure);

  // Ends this rank's part; what all wrote is written. Does not come back if others must be stopped.
  void leave(ExitCode code);

 private:
  std::unique_ptr<ranks::Ranks> ranks_;
  std::unique_ptr<script::Team> team_;
};

}  // namespace wse::cli
