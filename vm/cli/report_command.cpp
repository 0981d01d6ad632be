// wsevm report: profiles of runs as one page.
#include <fmt/format.h>

#include <set>

#include "vm/cli/interrupt.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/profile_output.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/data_folder.h"

namespace wse::cli {
namespace {

Outcome<std::vector<vm::Profile>> read_profiles(const ReportCommand& command,
                                                isa::InputList& inputs) {
  std::vector<vm::Profile> profiles;
  for (const std::string& file : command.files) {
    const Outcome<std::string> path = front::find_input(file);
    if (!path) return std::unexpected(path.error());
    auto profile = vm::read_profile(*path, inputs);
    if (!profile) return failure(profile.error());
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

// Returns the name of each file on the page: without folder and ending, or as it was given where
// two would have the same.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& file : files) {
    names.push_back(front::page_name(file));
    taken.insert(names.back());
  }
  return taken.size() == files.size() ? names : files;
}

Outcome<void> write(const ReportCommand& command, isa::InputList& inputs, Interrupts& interrupts) {
  Outcome<void> done = check_outputs({{"--output", command.output}}, inputs);
  if (!done) return done;
  const auto profiles = read_profiles(command, inputs);
  if (!profiles) return std::unexpected(profiles.error());
  done = check_outputs({{"--output", command.output}}, inputs);
  if (!done) return done;
  const std::vector<std::string> names = names_of(command.files);
  std::vector<vm::PageRun> runs;
  for (std::size_t k = 0; k < names.size(); ++k) runs.push_back({names[k], &(*profiles)[k]});
  const std::string title =
      command.title.empty() ? fmt::format("{}", fmt::join(names, ", ")) : command.title;
  interrupts.enter(Interrupts::Stage::Writing);
  return write_page(command.output, inputs, runs, {title, command.page_bytes, {}});
}

}  // namespace

ExitCode report_command(const ReportCommand& command) {
  isa::InputList inputs;
  for (const std::string& file : command.files) {
    if (const Outcome<std::string> path = front::find_input(file)) inputs.expect(*path);
  }
  Interrupts interrupts;
  const Outcome<void> done = guarded([&] { return write(command, inputs, interrupts); });
  return done ? ExitCode::Fine : report(done.error());
}

}  // namespace wse::cli
