// What a command keeps of one run of a script, the K-th or the last: --trace, --list, --dot,
// --path, --profile and --report.
#pragma once

#include <optional>
#include <string>

#include "isa/support/input_list.h"
#include "scripts/host/script.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/run_output.h"
#include "vm/cli/run_results.h"
#include "vm/profile/profile.h"

namespace wse::cli {

class KeptRun {
 public:
  // Both must live longer.
  KeptRun(const RunCommand& command, isa::InputList& inputs) : command_(command), inputs_(inputs) {}

  // Asks for the runs of the script, if the command wants something of one of them.
  void listen(script::Options& options);
  // Writes what was kept. Errors go into the message of `result`: there was no such run, a file
  // that cannot be written. Returns the exit code of the command, which would be that of `result`.
  ExitCode write(script::ScriptResult& result, ExitCode code);

 private:
  bool is_wanted() const;
  // Counts runs that begin and that have ended, and looks at the one that is wanted.
  bool is_chosen(std::uint64_t run) const;
  isa::Result<vm::TraceSink*> begin_trace();
  std::optional<vm::PathTarget> begin_path(const isa::Image& image);
  void take(const script::FinishedRun& run);
  Outcome<std::string> take_path(const script::FinishedRun& run);
  Outcome<void> check_found() const;
  void write_kept(Failures& failures);

  const RunCommand& command_;
  isa::InputList& inputs_;
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  bool is_found_ = false;
  std::optional<TraceFile> trace_;
  isa::Result<vm::Profile> profile_;
  std::string list_;
  std::string dot_;
  std::optional<Outcome<vm::PathTarget>> path_target_;  // of the run that runs
  Outcome<std::string> path_;                           // of the run that was taken
};

}  // namespace wse::cli
