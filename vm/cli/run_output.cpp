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
// Of a trace for Perfetto, unless PEs or cycles are named: what a browser can show.
constexpr std::size_t kMostPes = 256;
constexpr std::uint64_t kMostBytes = 100'000'000;

bool is_for_perfetto(std::string_view path) { return path.ends_with(".pftrace"); }

}  // namespace

Outcome<void> TraceFile::open(isa::InputList& inputs) {
  if (path_.empty()) return {};
  auto file = isa::OutputFile::open(path_, inputs);
  if (!file) return failure(file.error());
  file_.emplace(std::move(*file));
  bytes_.reserve(2 * kBlockBytes);
  if (is_for_perfetto(path_)) {
    auto trace = std::make_unique<vm::PerfettoTrace>([this](std::string_view bytes) { add(bytes); },
                                                     filter_.first, filter_.last);
    perfetto_ = trace.get();
    sink_ = std::move(trace);
  } else {
    sink_ = std::make_unique<vm::TraceLines>([this](std::string_view line) {
      add(line);
      add("\n");
    });
  }
  return {};
}

vm::TraceFilter TraceFile::machine_filter(std::string_view path, vm::TraceFilter filter) {
  if (is_for_perfetto(path)) filter.first = 0;
  return filter;
}

Outcome<void> TraceFile::check(std::string_view path, const vm::TraceFilter& filter,
                               const isa::Topology& mesh) {
  const bool names_pes = filter.x1 != vm::TraceFilter().x1;
  if (!is_for_perfetto(path) || names_pes || mesh.pes() <= kMostPes) return {};
  return failure(fmt::format(
      "--trace={}: {} PEs; Perfetto shows some hundreds well: --trace-rect=X0,Y0,X1,Y1 names those "
      "to be seen, and --report=FILE.html shows all of them",
      path, mesh.pes()));
}

void TraceFile::add(std::string_view bytes) {
  if (!written_) return;
  size_ += bytes.size();
  if (perfetto_ != nullptr && size_ > kMostBytes && filter_.last == vm::kNever) {
    written_ = std::unexpected(isa::FileError{fmt::format(
        "--trace={}: more than {} bytes; --trace-cycles=FIRST..LAST names the cycles to be seen",
        path_, kMostBytes)});
    return;
  }
  bytes_.append(bytes);
  if (bytes_.size() >= kBlockBytes) flush();
}

void TraceFile::flush() {
  if (written_) written_ = file_->write(std::as_bytes(std::span(bytes_)));
  bytes_.clear();
}

Outcome<void> TraceFile::close() {
  if (!file_) return {};
  if (perfetto_ != nullptr) perfetto_->finish();
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
