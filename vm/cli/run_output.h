// The outputs of a run while it runs: the trace file and the progress line.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "isa/support/output_file.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/run/machine.h"

namespace wse::cli {

// Trace lines on their way into a file, which appears whole when the run is over, however it ended.
// A line that cannot be written ends the trace, not the run; close() tells.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)) {}

  Outcome<void> open(isa::InputList& inputs);
  vm::Tracer::Sink sink();  // empty if no trace was asked for
  Outcome<void> close();

 private:
  void add(std::string_view line);
  void flush();

  std::string path_;
  std::optional<isa::OutputFile> file_;
  std::string lines_;  // not yet in the file
  std::expected<void, isa::FileError> written_;
};

// A line on stderr for runs over two seconds, on a terminal or if asked for.
class Progress {
 public:
  explicit Progress(const RunCommand& command);
  bool is_wanted() const { return wanted_; }
  // Shows how far one run is. `max_cycles`, if given, is the cycle before which it ends.
  void tell(const vm::RunProgress& run, std::optional<vm::Cycle> max_cycles);
  void tell_rows(std::string_view title, std::uint64_t rows, std::uint64_t of);  // of a sweep
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  void show(const std::string& where);

  bool wanted_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(2);
  Clock::time_point told_ = begin_;  // when the run was last looked at
  vm::Cycle told_cycle_ = 0;
};

}  // namespace wse::cli
