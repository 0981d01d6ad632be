// Sums, and what is rare among them.
#include "tests/differential/replay_counts.h"

#include <fmt/format.h>

namespace wse::differential {
namespace {

constexpr std::uint64_t kSmall = 100;  // sets of fewer states or rectangles may lack anything

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
  traced += other.traced;
}

std::string RestoreCounts::text() const {
  return fmt::format(
      "{} states of {} programs taken up: {} from planes, {} from steppers; {} traced\n", states,
      programs, from_planes, states - from_planes, traced);
}

std::string RestoreCounts::missing() const {
  return rare(from_planes, states, 5, "states are from planes") +
         rare(states - from_planes, states, 5, "states are from steppers") +
         rare(traced, states, 5, "states are of traced machines");
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
