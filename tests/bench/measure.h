// Measuring on a host that does other things too: medians, and yardsticks in the same run.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wse::bench {

// A thing to measure. `run` does it once and returns how much it did, in units.
struct Row {
  std::string name;
  std::string unit;
  std::function<double()> run;
};

struct Rate {
  double median = 0;  // units per second
  double least = 0;
  double most = 0;
};

// The rates of so many runs, after one that warms up.
Rate rate_of(const Row& row, int runs);

// What the host can do at all: additions that depend on each other, bytes copied. A rate divided by
// one of them compares across hosts, and across hours of one host.
Row integer_yardstick();
Row memory_yardstick();

}  // namespace wse::bench
