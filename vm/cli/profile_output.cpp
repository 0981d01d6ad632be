// Which run is kept, and where it goes.
#include "vm/cli/profile_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "vm/cli/memory_limit.h"

namespace wse::cli {

bool wants_profile(const RunCommand& command) {
  return !command.profile.empty() || !command.report.empty();
}

std::string page_name(const std::string& file) {
  return file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
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
  const vm::PageRun run{page_name(command.source.file), &profile};
  failures.add(guarded([&] {
    return write_page(command.report, inputs, {&run, 1},
                      {.title = run.name, .most_bytes = vm::kPageBytes, .model = {}});
  }));
}

isa::Result<std::string> script_page(const std::string& file,
                                     const std::vector<script::ReportedRun>& runs,
                                     const std::string& title, const script::ReportModel& model) {
  std::vector<vm::Profile> profiles;
  for (const script::ReportedRun& run : runs) {
    auto profile = vm::collect_profile(run.machine, run.machine.record(), {file, {}, nullptr});
    if (!profile) {
      return isa::fail(fmt::format("run '{}': {}; wse.run{{profile = true}} keeps one", run.name,
                                   profile.error()));
    }
    profiles.push_back(std::move(*profile));
  }
  std::vector<vm::PageRun> pages;
  for (std::size_t k = 0; k < runs.size(); ++k) pages.push_back({runs[k].name, &profiles[k]});
  return vm::report_page(pages, {title, vm::kPageBytes, model});
}

}  // namespace wse::cli
