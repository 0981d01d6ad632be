// Writes traces and progress.
#include "vm/cli/run_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace wse::cli {

TraceFile::~TraceFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(part_.c_str());
}

Outcome<void> TraceFile::failed(const char* action) {
  const bool exhausted = errno == ENOSPC || errno == EDQUOT || errno == ENOMEM;
  return std::unexpected(
      Failure{fmt::format("cannot {} {}: {}", action, path_, std::strerror(errno)),
              exhausted ? ExitCode::Exhausted : ExitCode::BadInput});
}

Outcome<void> TraceFile::open() {
  if (path_.empty()) return {};
  part_ = path_ + ".part";
  file_ = std::fopen(part_.c_str(), "wb");
  if (file_ == nullptr) return failed("write");
  return {};
}

vm::Tracer::Sink TraceFile::sink() {
  if (file_ == nullptr) return {};
  return [this](std::string_view line) {
    const bool whole = std::fwrite(line.data(), 1, line.size(), file_) == line.size() &&
                       std::fputc('\n', file_) != EOF;
    short_write_ |= !whole;
  };
}

Outcome<void> TraceFile::close() {
  if (file_ == nullptr) return {};
  std::FILE* const file = std::exchange(file_, nullptr);
  const bool flushed = std::fclose(file) == 0 && !short_write_;
  if (flushed && std::rename(part_.c_str(), path_.c_str()) == 0) return {};
  Outcome<void> failure = failed("write");
  std::remove(part_.c_str());
  return failure;
}

Progress::Progress(const RunCommand& command)
    : wanted_(!command.quiet && (command.progress || ::isatty(STDERR_FILENO) == 1)) {}

void Progress::tell(vm::Cycle cycle) {
  const Clock::time_point now = Clock::now();
  if (!wanted_ || now < next_) return;
  next_ = now + std::chrono::seconds(1);
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  fmt::print(stderr, "\rcycle {} after {:.0f} s", cycle, seconds);
}

void Progress::end() {
  if (shown_) fmt::print(stderr, "\n");
}

}  // namespace wse::cli
