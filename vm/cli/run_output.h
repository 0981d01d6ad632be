// What a run writes while it runs: the trace file and the progress line.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

// Trace lines on their way into a file. The file appears whole, under its name, when the run is
// over; until then it grows as NAME.part beside it.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)) {}
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  Outcome<void> open();
  vm::Tracer::Sink sink();  // empty if no trace was asked for
  Outcome<void> close();

 private:
  Outcome<void> failed(const char* action);

  std::string path_;
  std::string part_;
  std::FILE* file_ = nullptr;
  bool short_write_ = false;
};

// A line on stderr for runs over two seconds, on a terminal or if asked for.
class Progress {
 public:
  explicit Progress(const RunCommand& command);
  void tell(vm::Cycle cycle);
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(2);
};

}  // namespace wse::cli
