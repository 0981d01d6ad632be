// The outputs of a run while it runs: the trace file and the progress line.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "isa/support/output_file.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/events/perfetto_trace.h"
#include "vm/run/machine.h"

namespace wse::cli {

// A trace on its way into a file, which appears whole when the run is over, however it ended:
// lines, or packets for Perfetto if its name ends in .pftrace. A piece that cannot be written ends
// the trace, not the run; close() tells.
class TraceFile {
 public:
  // `filter`: what is asked for. The machine must be given that of machine_filter().
  TraceFile(std::string path, const vm::TraceFilter& filter)
      : path_(std::move(path)), filter_(filter) {}

  Outcome<void> open(isa::InputList& inputs);
  vm::TraceSink* sink() { return sink_.get(); }  // null if no trace was asked for
  // A trace for Perfetto follows words from the first cycle on, and chooses cycles itself.
  static vm::TraceFilter machine_filter(std::string_view path, vm::TraceFilter filter);
  // Refuses a trace for Perfetto of more PEs than a page shows, unless they were named.
  static Outcome<void> check(std::string_view path, const vm::TraceFilter& filter,
                             const isa::Topology& mesh);
  Outcome<void> close();

 private:
  void add(std::string_view bytes);
  void flush();

  std::string path_;
  vm::TraceFilter filter_;
  std::optional<isa::OutputFile> file_;
  std::unique_ptr<vm::TraceSink> sink_;
  vm::PerfettoTrace* perfetto_ = nullptr;  // the same, if it is one
  std::string bytes_;                      // not yet in the file
  std::uint64_t size_ = 0;                 // of all
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
