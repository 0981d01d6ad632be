// How often machines of a set of programs were taken up by others, or run in part: what the sets
// `restores` and `cones` of differential have met.
#pragma once

#include <cstdint>
#include <string>

namespace wse::differential {

struct RestoreCounts {
  std::uint64_t programs = 0;     // of which states were taken up
  std::uint64_t states = 0;       // all of them
  std::uint64_t from_planes = 0;  // those that bit planes have written
  std::uint64_t traced = 0;       // those of traced machines

  void add(const RestoreCounts& other);
  std::string text() const;
  // Returns what is rare in the set: of states a fifth must come from each transport, and a fifth
  // from traced machines. Nothing for sets that are too small.
  std::string missing() const;
};

// Rectangles that were run alone, each over a window of cycles.
struct ConeCounts {
  std::uint64_t programs = 0;     // with a rectangle
  std::uint64_t rectangles = 0;   // in which some PE was exact at the end of the window
  std::uint64_t from_planes = 0;  // those cut out of machines on bit planes
  std::uint64_t pes = 0;          // exact ones, of all rectangles

  void add(const ConeCounts& other);
  std::string text() const;
  // Returns what is rare in the set: of rectangles a quarter must come from each transport. Nothing
  // for sets that are too small.
  std::string missing() const;
};

}  // namespace wse::differential
