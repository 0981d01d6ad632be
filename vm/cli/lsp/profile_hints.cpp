// Cycles of a run at the lines of its program, while the text is edited further.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vm/cli/lsp/features.h"
#include "vm/cli/lsp/moved_lines.h"

namespace wse::lsp {
namespace {

constexpr double kLeastShare = 0.0005;  // of all cycles; lines with less have no hint
constexpr std::size_t kMostCauses = 3;  // in a label

std::uint64_t sum(const std::vector<std::uint64_t>& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

// The causes of a line, the largest first, without those that took nothing.
std::vector<std::size_t> ordered_causes(const ProfiledLine& line) {
  std::vector<std::size_t> causes(line.cycles.size());
  std::iota(causes.begin(), causes.end(), std::size_t{0});
  std::erase_if(causes, [&line](std::size_t cause) { return line.cycles[cause] == 0; });
  std::ranges::stable_sort(causes, std::ranges::greater{},
                           [&line](std::size_t cause) { return line.cycles[cause]; });
  return causes;
}

// "12.4 %: input 71 %, issue 29 %".
std::string label_of(const ProfiledLine& line, const RunProfile& profile) {
  const auto whole = static_cast<double>(sum(line.cycles));
  std::string text = fmt::format("{:.1f} %", 100 * whole / static_cast<double>(profile.cycles));
  std::size_t shown = 0;
  for (const std::size_t cause : ordered_causes(line)) {
    if (shown == kMostCauses) break;
    const double share = 100 * static_cast<double>(line.cycles[cause]) / whole;
    if (share < 0.5) break;
    text += fmt::format("{} {} {:.0f} %", shown == 0 ? ":" : ",", profile.causes[cause], share);
    ++shown;
  }
  return text;
}

std::string tooltip_of(const ProfiledLine& line, const RunProfile& profile) {
  std::string text = fmt::format(
      "main threads were here in {} of {} cycles of all PEs; of one PE at most {}, at {}",
      sum(line.cycles), profile.cycles, line.most, line.most_at);
  for (const std::size_t cause : ordered_causes(line)) {
    text += fmt::format("\n{}: {}", profile.causes[cause], line.cycles[cause]);
  }
  return text;
}

}  // namespace

void add_profile_hints(const Checked& checked, const RunProfile& profile, std::uint32_t first,
                       std::uint32_t last, Json& hints) {
  if (profile.cycles == 0) return;
  const LineTable& table = checked.tables[0];
  MovedLines moved(table);
  for (const ProfiledLine& line : profile.lines) {
    if (line.file != checked.analysis.files[0].name || line.line == 0) continue;
    const std::optional<std::uint32_t> at = moved.find(line.line, line.text);
    const double share =
        static_cast<double>(sum(line.cycles)) / static_cast<double>(profile.cycles);
    if (!at || *at < first || *at > last || share < kLeastShare) continue;
    if (hints.size() >= 2 * kMostItems) return;
    Json hint;
    hint["position"] = position_json({*at, table.position(table.offset({*at, ~0u})).character});
    hint["label"] = label_of(line, profile);
    hint["paddingLeft"] = true;
    hint["tooltip"] = tooltip_of(line, profile);
    hints.push_back(std::move(hint));
  }
}

}  // namespace wse::lsp
