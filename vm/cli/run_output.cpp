// Writes traces and progress.
#include "vm/cli/run_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "vm/cli/standard_streams.h"

namespace wse::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;  // of a write

}  // namespace

Outcome<void> TraceFile::open(isa::InputList& inputs) {
  if (path_.empty()) return {};
  auto file = isa::OutputFile::open(path_, inputs);
  if (!file) return failure(file.error());
  file_.emplace(std::move(*file));
  lines_.reserve(2 * kBlockBytes);
  return {};
}

vm::Tracer::Sink TraceFile::sink() {
  if (!file_) return {};
  return [this](std::string_view line) { add(line); };
}

void TraceFile::add(std::string_view line) {
  if (!written_) return;
  lines_.append(line).push_back('\n');
  if (lines_.size() >= kBlockBytes) flush();
}

void TraceFile::flush() {
  if (written_) written_ = file_->write(std::as_bytes(std::span(lines_)));
  lines_.clear();
}

Outcome<void> TraceFile::close() {
  if (!file_) return {};
  flush();
  if (written_) written_ = file_->commit();
  file_.reset();
  return outcome(written_);
}

Progress::Progress(const RunCommand& command)
    : wanted_(!command.quiet && (command.progress || ::isatty(STDERR_FILENO) == 1)) {}

bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  if (!wanted_ || now < next_) return false;
  next_ = now + std::chrono::seconds(1);
  shown_ = true;
  return true;
}

void Progress::show(const std::string& where) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  redraw_line(fmt::format("{} after {:.0f} s", where, seconds));
}

void Progress::tell(const vm::RunProgress& run, std::optional<vm::Cycle> max_cycles) {
  if (!is_due()) return;
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - told_).count();
  const double cycles_per_second = static_cast<double>(run.cycle - told_cycle_) / seconds;
  told_ = now;
  told_cycle_ = run.cycle;
  const auto pes = static_cast<double>(std::max<std::uint64_t>(run.placed_pes, 1));
  std::string line = fmt::format("cycle {}, {:.3g} M PE-cycles/s, {:.0f} % of {} PEs busy",
                                 run.cycle, cycles_per_second * pes / 1e6,
                                 100 * static_cast<double>(run.busy_pes) / pes, run.placed_pes);
  if (max_cycles && *max_cycles > run.cycle && cycles_per_second > 0) {
    line += fmt::format(", at most {:.0f} s left",
                        static_cast<double>(*max_cycles - run.cycle) / cycles_per_second);
  }
  show(line);
}

void Progress::tell_rows(std::string_view title, std::uint64_t rows, std::uint64_t of) {
  const bool is_last = rows == of && shown_;
  if (is_due() || is_last) show(fmt::format("{} {}/{}", title, rows, of));
}

void Progress::end() {
  if (shown_) complain("\n");
  shown_ = false;
}

}  // namespace wse::cli
