// The outputs that a run leaves behind: arrays, pictures, the graph of waits, texts, the record. A
// failure of one keeps none of the others from being written.
#pragma once

#include <string>

#include "isa/support/input_list.h"
#include "scripts/host/script_result.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/shared_run.h"

namespace wse::cli {

// Failures of outputs so far: each is told to stderr at once and is in the record's message.
class Failures {
 public:
  explicit Failures(vm::Record& record) : record_(record) {}

  void add(const Outcome<void>& done);

  // The exit code of a run that would have ended with `judged`.
  ExitCode code(ExitCode judged) const { return worst_ == ExitCode::Fine ? judged : worst_; }

 private:
  vm::Record& record_;
  ExitCode worst_ = ExitCode::Fine;
};

// Writes everything the command asks for; the record comes last, since it names what failed.
// Returns the exit code of the command for a run that was judged `judged`. `shared`: has arrays
// that ranks have; null if this process is alone.
ExitCode write_results(const vm::Machine& machine, const RunCommand& command,
                       isa::InputList& inputs, Failures& failures, vm::Record& record,
                       ExitCode judged, Interrupts& interrupts, SharedRun* shared);

// The record, where the command wants it; nothing if it wants none.
Outcome<void> write_text_file(const std::string& file, isa::InputList& inputs,
                              const std::string& text);
Outcome<void> write_record(const RunCommand& command, isa::InputList& inputs,
                           const vm::Record& record);
Outcome<void> write_record(const RunCommand& command, isa::InputList& inputs,
                           const script::ScriptResult& result);
// Writes the record of a run that did not begin or was lost.
Outcome<void> write_unfinished(const RunCommand& command, isa::InputList& inputs,
                               std::string_view status, const std::string& message);

}  // namespace wse::cli
