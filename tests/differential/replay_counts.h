// How often machines of a set of programs were taken up by others, run in part, or in processes:
// what the sets `restores`, `cones` and `strips` of differential have met.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace wse::differential {

struct RestoreCounts {
  std::uint64_t programs = 0;     // of which states were taken up
  std::uint64_t states = 0;       // all of them
  std::uint64_t from_planes = 0;  // those that bit planes have written
  std::uint64_t on_planes = 0;    // of these, those that planes have taken up
  std::uint64_t traced = 0;       // those of traced machines

  void add(const RestoreCounts& other);
  std::string text() const;
  // Returns what is rare in the set: of states a fifth must come from each transport, an eighth be
  // taken up by planes, and a fifth be from traced machines. Nothing for sets that are too small.
  std::string missing() const;
};

// Runs whose strips were processes.
class ProcessCounts {
 public:
  void add(bool is_on_wafer, bool is_traced, std::uint32_t strips) {
    ++runs_[is_on_wafer ? 1 : 0][std::min(strips, kMost)];
    traced_ += is_traced ? 1 : 0;
  }
  // Counts a run that processes wrote down on its way and others took up.
  void add_restored() { ++restored_; }
  void add(const ProcessCounts& other);
  bool is_empty() const { return runs_ == decltype(runs_){}; }
  // Returns how many runs had two, three and four strips on each transport.
  std::string text() const;
  // Returns what is rare in the set `strips`: of 50 programs two must run in two, three and four
  // processes on either transport, two be traced, and two taken up by others. Nothing for sets that
  // are too small.
  std::string missing(std::uint64_t programs) const;

 private:
  static constexpr std::uint32_t kMost = 4;

  std::array<std::array<std::uint64_t, kMost + 1>, 2> runs_{};  // by transport and strips
  std::uint64_t traced_ = 0;
  std::uint64_t restored_ = 0;
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
