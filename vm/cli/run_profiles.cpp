// Adds up what a profile says of a line in each program that has it.
#include "vm/cli/run_profiles.h"

#include <fmt/format.h>

#include "isa/support/input_list.h"
#include "vm/profile/profile.h"

namespace wse::cli {
namespace {

using lsp::ProfiledLine;
using lsp::RunProfile;

constexpr std::size_t kMostFiles = 100;

RunProfile lines_of(const vm::Profile& profile) {
  RunProfile made{.causes = profile.causes, .lines = {}, .cycles = 0};
  const vm::Numbers cycles = profile.numbers("line_cycles");
  const vm::Numbers by_cause = profile.numbers("line_cause");
  const vm::Numbers most = profile.numbers("line_most");
  const vm::Numbers most_pe = profile.numbers("line_most_pe");
  std::map<std::pair<std::string, std::uint32_t>, ProfiledLine> lines;
  for (std::size_t k = 0; k < cycles.size(); ++k) {
    made.cycles += cycles[k];
    const vm::ProfileLine& from = profile.lines[k];
    if (from.kind != "line" || from.line == 0) continue;
    ProfiledLine& line = lines[{from.file, from.line}];
    line.file = from.file;
    line.line = from.line;
    line.text = from.text;
    line.cycles.resize(made.causes.size());
    for (std::size_t cause = 0; cause < made.causes.size() && !by_cause.empty(); ++cause) {
      line.cycles[cause] += by_cause[k * made.causes.size() + cause];
    }
    if (most.empty() || most_pe.empty() || most[k] <= line.most) continue;
    line.most = most[k];
    const std::uint64_t pe = most_pe[k];
    line.most_at = fmt::format("PE({}, {})", pe % profile.width, pe / profile.width);
  }
  for (auto& [place, line] : lines) made.lines.push_back(std::move(line));
  return made;
}

isa::Result<std::shared_ptr<const RunProfile>> read_lines(const std::string& path) {
  isa::InputList inputs;
  const auto profile = vm::read_profile(path, inputs);
  if (!profile) return isa::fail(profile.error().message);
  return std::make_shared<const RunProfile>(lines_of(*profile));
}

}  // namespace

isa::Result<std::shared_ptr<const RunProfile>> RunProfiles::read(const std::string& path) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  const std::uintmax_t bytes = error ? 0 : std::filesystem::file_size(path, error);
  if (error || !std::filesystem::is_regular_file(path, error)) {
    kept_.erase(path);
    return read_lines(path);  // it says what is wrong
  }
  const auto found = kept_.find(path);
  if (found != kept_.end() && found->second.written == written && found->second.bytes == bytes) {
    return found->second.profile;
  }
  if (kept_.size() >= kMostFiles) kept_.clear();
  return (kept_[path] = {.written = written, .bytes = bytes, .profile = read_lines(path)}).profile;
}

}  // namespace wse::cli
