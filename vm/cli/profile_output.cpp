// Which run is kept, and where it goes.
#include "vm/cli/profile_output.h"

#include <fmt/format.h>

#include "vm/cli/memory_limit.h"

namespace wse::cli {

bool wants_profile(const RunCommand& command) {
  return !command.profile.empty() || !command.report.empty();
}

Outcome<void> write_page(const std::string& file, isa::InputList& inputs,
                         std::span<const vm::PageRun> runs, const vm::PageOptions& options) {
  const isa::Result<std::string> page = vm::report_page(runs, options);
  if (!page) return failure(page.error());
  return write_text_file(file, inputs, *page);
}

void write_profile_files(const RunCommand& command, isa::InputList& inputs,
                         const vm::Profile& profile, Failures& failures) {
  if (!command.profile.empty()) {
    failures.add(
        guarded([&] { return outcome(vm::write_profile(command.profile, inputs, profile)); }));
  }
  if (command.report.empty()) return;
  const vm::PageRun run{front::page_name(command.source.file), &profile};
  failures.add(guarded([&] {
    return write_page(command.report, inputs, {&run, 1},
                      {.title = run.name, .most_bytes = vm::kPageBytes, .model = {}});
  }));
}

void ScriptProfile::take(const script::FinishedRun& run) {
  ++runs_;
  if (command_.profiled_run != 0 && command_.profiled_run != runs_) return;
  auto profile =
      vm::collect_profile(run.machine, run.record, {command_.source.file, run.values, run.sources});
  if (profile) profile_ = std::move(*profile);
}

Outcome<vm::Profile> ScriptProfile::kept() {
  if (profile_) return std::move(*profile_);
  if (runs_ == 0) {
    return failure("--profile, --report: the script runs nothing outside of sweeps");
  }
  return failure(fmt::format("--run: the script runs {} program{}, not {}", runs_,
                             runs_ == 1 ? "" : "s", command_.profiled_run));
}

}  // namespace wse::cli
