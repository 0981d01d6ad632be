// A program that the ranks of a launcher run together: each has a band of its rows, or of blocks of
// its planes. When it has stopped, the shares of all go to the first rank, which alone judges,
// prints and writes.
#pragma once

#include <memory>
#include <string>

#include "scripts/host/team.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/rank_channel.h"
#include "vm/processes/process_medium.h"

namespace wse::cli {

// Refuses what ranks cannot do together.
Outcome<void> check_shared(const RunCommand& command);

class SharedRun {
 public:
  // Both must live longer.
  SharedRun(ranks::Ranks& ranks, script::Team& team)
      : team_(team), channel_(ranks), medium_(channel_) {}

  const vm::Medium& medium() const { return medium_; }
  bool leads() const { return team_.leads(); }

  // Checks that all ranks are about to run the same. Errors: they are not; a rank has none; without
  // a message where another rank tells it.
  Outcome<void> begin(const vm::Machine& machine, const RunCommand& command);
  // After the run: makes the machine of all shares on the first rank; null on the others. Errors:
  // as begin(); out of memory.
  Outcome<std::unique_ptr<vm::Machine>> join(std::unique_ptr<vm::Machine> own);
  // Ends the part of a rank, which ended with `code`. Returns how the run ended for all.
  Outcome<ExitCode> finish(ExitCode code);

  // Returns what all ranks have sent, in words.
  std::string traffic_text() const;

 private:
  script::Team& team_;
  RankChannel channel_;
  vm::ProcessMedium medium_;
  vm::Traffic traffic_;  // of all ranks
};

}  // namespace wse::cli
