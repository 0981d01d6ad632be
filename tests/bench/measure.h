// Measuring on a host that does other things too: medians, and yardsticks in the same run.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace wse::bench {

// What one run of a row did, and what that is counted by: seconds, or PEs.
struct Work {
  double amount = 0;
  double by = 0;
};

// What the host can do at all. A rate divided by that of a yardstick compares across hosts, and
// across hours of one host.
enum class Yardstick { Steps, Bytes, Adds };
inline constexpr std::size_t kYardsticks = 3;

// A thing to measure. `run` does it once.
struct Row {
  std::string name;
  std::string unit;  // of what it says: "elements/s", "bytes/PE"
  std::string how;
  Yardstick against = Yardstick::Steps;  // of rates
  std::function<Work()> run;
  bool headline = false;  // also shown by the README of the whole
};

struct Rate {
  double median = 0;  // in units
  double least = 0;
  double most = 0;
  // What the yardstick could have done in the time of one unit: the median of pairs, each yardstick
  // measured just before its run, since the speed of a host changes.
  double yardstick_units = 0;
};

// The rates of so many runs, after one that warms up.
Rate rate_of(const Row& row, int runs);

// Integer steps that depend on each other, bytes of memcpy, f32 additions of a C++ loop over arrays
// that fit into the first cache: what scalar code, loading and routing, and vectors are made of.
std::array<Row, kYardsticks> yardsticks();
std::string yardstick_unit(Yardstick yardstick);

// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

}  // namespace wse::bench
