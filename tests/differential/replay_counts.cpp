// Sums, and what is rare among them.
#include "tests/differential/replay_counts.h"

#include <fmt/format.h>

namespace wse::differential {
namespace {

constexpr std::uint64_t kSmall = 300;  // sets of fewer states or rectangles may lack anything
constexpr std::uint64_t kFewPrograms = 50;

// Returns a line if fewer than one in `parts` of `all` are so.
std::string rare(std::uint64_t count, std::uint64_t all, std::uint64_t parts,
                 const std::string& what) {
  if (all < kSmall || parts * count >= all) return {};
  return fmt::format("only {} of {} {}\n", count, all, what);
}

}  // namespace

void RestoreCounts::add(const RestoreCounts& other) {
  programs += other.programs;
  states += other.states;
  from_planes += other.from_planes;
  on_planes += other.on_planes;
  traced += other.traced;
}

std::string RestoreCounts::text() const {
  return fmt::format(
      "{} states of {} programs taken up: {} from planes, {} of them by planes; {} from steppers; "
      "{} "
      "traced\n",
      states, programs, from_planes, on_planes, states - from_planes, traced);
}

std::string RestoreCounts::missing() const {
  return rare(from_planes, states, 5, "states are from planes") +
         rare(on_planes, states, 8, "states are taken up by planes") +
         rare(states - from_planes, states, 5, "states are from steppers") +
         rare(traced, states, 5, "states are of traced machines");
}

void ProcessCounts::add(const ProcessCounts& other) {
  for (std::size_t transport = 0; transport < runs_.size(); ++transport) {
    for (std::size_t strips = 0; strips <= kMost; ++strips) {
      runs_[transport][strips] += other.runs_[transport][strips];
    }
  }
  traced_ += other.traced_;
  restored_ += other.restored_;
}

std::string ProcessCounts::text() const {
  return fmt::format(
      "runs in 2, 3 and 4 processes: {}, {} and {} on steppers, {} of all traced; {}, {} and {} on "
      "planes; {} taken up in processes\n",
      runs_[0][2], runs_[0][3], runs_[0][4], traced_, runs_[1][2], runs_[1][3], runs_[1][4],
      restored_);
}

std::string ProcessCounts::missing(std::uint64_t programs) const {
  if (programs < kFewPrograms) return {};
  std::uint64_t least = std::min(traced_, restored_);
  for (const auto& runs : runs_) {
    for (std::uint32_t strips = 2; strips <= kMost; ++strips) least = std::min(least, runs[strips]);
  }
  return least * kFewPrograms >= 2 * programs ? "" : "too few " + text();
}

void ConeCounts::add(const ConeCounts& other) {
  programs += other.programs;
  rectangles += other.rectangles;
  from_planes += other.from_planes;
  pes += other.pes;
}

std::string ConeCounts::text() const {
  return fmt::format(
      "{} rectangles of {} programs alike: {} from planes, {} from steppers; {} PEs compared\n",
      rectangles, programs, from_planes, rectangles - from_planes, pes);
}

std::string ConeCounts::missing() const {
  return rare(from_planes, rectangles, 4, "rectangles are from planes") +
         rare(rectangles - from_planes, rectangles, 4, "rectangles are from steppers");
}

}  // namespace wse::differential
