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

}  // namespace wse::cli
