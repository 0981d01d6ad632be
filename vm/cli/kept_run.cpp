// A later run takes the place of an earlier one.
#include "vm/cli/kept_run.h"

#include <fmt/format.h>

#include <utility>

#include "vm/cli/line_listing.h"
#include "vm/cli/path_output.h"
#include "vm/cli/profile_output.h"
#include "vm/cli/run_results.h"
#include "vm/profile/collect.h"

namespace wse::cli {

bool KeptRun::is_wanted() const {
  return wants_profile(command_) || !command_.list.empty() || !command_.dot.empty() ||
         !command_.path.empty() || !command_.trace.empty();
}

bool KeptRun::is_chosen(std::uint64_t run) const {
  return command_.profiled_run == 0 || command_.profiled_run == run;
}

void KeptRun::listen(script::Options& options) {
  if (!is_wanted()) return;
  options.on_run = [this](const script::FinishedRun& run) { take(run); };
  options.profiles = wants_profile(command_);
  options.slices = static_cast<std::uint32_t>(command_.slices);
  options.lists = !command_.list.empty();
  if (!command_.path.empty()) {
    options.path_to = [this](const isa::Image& image) { return begin_path(image); };
  }
  if (command_.trace.empty()) return;
  options.trace = [this] { return begin_trace(); };
  options.trace_filter = TraceFile::machine_filter(command_.trace, command_.trace_filter);
}

isa::Result<vm::TraceSink*> KeptRun::begin_trace() {
  if (!is_chosen(++begun_)) return nullptr;
  trace_.emplace(command_.trace, command_.trace_filter);
  const Outcome<void> opened = trace_->open(inputs_);
  if (!opened) return isa::fail(opened.error().message);
  return trace_->sink();
}

// A run that has not such an event is no mistake, unless it is the one that is kept.
std::optional<vm::PathTarget> KeptRun::begin_path(const isa::Image& image) {
  path_target_.reset();
  if (!is_chosen(ended_ + 1)) return std::nullopt;
  path_target_ = path_target(command_, image);
  return *path_target_ ? std::optional(**path_target_) : std::nullopt;
}

void KeptRun::take(const script::FinishedRun& run) {
  if (!is_chosen(++ended_)) return;
  is_found_ = true;
  if (!command_.path.empty()) path_ = take_path(run);
  if (wants_profile(command_)) {
    profile_ = vm::collect_profile(run.machine, run.record,
                                   {command_.source.file, run.values, run.sources});
  }
  if (!command_.list.empty()) {
    list_ = line_listing(run.machine, run.record,
                         run.sources != nullptr ? *run.sources : isa::SourceFiles());
  }
  if (!command_.dot.empty()) dot_ = run.machine.waits_as_dot(run.record);
}

Outcome<std::string> KeptRun::take_path(const script::FinishedRun& run) {
  const auto target = std::exchange(path_target_, std::nullopt);
  if (!target) {
    return failure(
        "--path is of a whole run: not of a launch of a session, nor of a run that continues from "
        "a checkpoint");
  }
  if (!*target) return std::unexpected(target->error());
  return path_text(run.machine, run.record, command_,
                   run.sources != nullptr ? *run.sources : isa::SourceFiles());
}

Outcome<void> KeptRun::check_found() const {
  if (is_found_) return {};
  if (ended_ == 0) {
    return failure(
        "--trace, --list, --dot, --path, --profile, --report: the script runs nothing outside of "
        "sweeps");
  }
  return failure(fmt::format("--run: the script runs {} program{}, not {}", ended_,
                             ended_ == 1 ? "" : "s", command_.profiled_run));
}

void KeptRun::write_kept(Failures& failures) {
  if (!command_.trace.empty() && !trace_) {
    failures.add(failure("--trace: launches of a session are not traced"));
  }
  if (!command_.list.empty()) {
    failures.add(guarded([&] { return write_text_file(command_.list, inputs_, list_); }));
  }
  if (!command_.dot.empty()) {
    failures.add(guarded([&] { return write_text_file(command_.dot, inputs_, dot_); }));
  }
  if (!command_.path.empty()) {
    failures.add(guarded([&]() -> Outcome<void> {
      if (!path_) return std::unexpected(path_.error());
      return write_text_file(command_.path, inputs_, *path_);
    }));
  }
  if (!wants_profile(command_)) return;
  if (profile_) {
    write_profile_files(command_, inputs_, *profile_, failures);
  } else {
    failures.add(failure(profile_.error()));
  }
}

ExitCode KeptRun::write(script::ScriptResult& result, ExitCode code) {
  if (!is_wanted()) return code;
  vm::Record told;  // gets what fails
  Failures failures(told);
  const Outcome<void> found = check_found();
  // A script that did not come so far has told why.
  if (!found && code == ExitCode::Fine) failures.add(found);
  if (trace_) failures.add(trace_->close());
  if (found) write_kept(failures);
  if (!told.message.empty()) {
    result.message += (result.message.empty() ? "" : "\n") + told.message;
  }
  return failures.code(code);
}

}  // namespace wse::cli
