// Counts of a set, and what it must have met.
#include "tests/differential/set_profile.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::differential {

void SetProfile::add(const oracle::Outcome& outcome) {
  ++programs_;
  if (outcome.blocked) ++blocked_;
  ++ends_[static_cast<std::size_t>(outcome.end)];
  cycles_.push_back(outcome.cycles);
  for (const auto& [what, times] : outcome.met) met_[what] += times;
  if (outcome.trap) ++traps_[std::string(isa::info(outcome.trap->trap).text)];
}

std::string SetProfile::text() const {
  std::vector<oracle::Cycle> sorted = cycles_;
  std::ranges::sort(sorted);
  const oracle::Cycle median = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  std::string all = fmt::format("{} programs, median {} cycles, {} with a blocked wavelet",
                                programs_, median, blocked_);
  for (std::size_t k = 0; k < std::size(ends_); ++k) {
    all += fmt::format(", {} {}", ends_[k], oracle::kEndTexts[k]);
  }
  all += "\n";
  for (const auto& [what, times] : traps_) all += fmt::format("  trap {}: {}\n", what, times);
  for (const auto& [what, times] : met_) all += fmt::format("  {}: {}\n", what, times);
  return all;
}

std::string SetProfile::missing() const { return ""; }

}  // namespace wse::differential
