// Measuring on a host that does other things too: medians, and yardsticks in the same run.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace wse::bench {

// What one run of a row did, and what that is counted by: seconds, or PEs.
struct Work {
  double amount = 0;
  double by = 0;
};

// What the host can do at all. A rate divided by that of a yardstick compares across hosts, and
// across hours of one host.
struct Yardstick {
  std::string unit;  // of its work: "steps"
  std::function<Work()> run;
};

// A thing to measure. `run` does it once.
struct Row {
  std::string name;
  std::string unit;  // of what it says: "elements/s", "bytes/PE"
  std::string how;
  Yardstick against;  // of rates
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

// The rates of so many runs. If one takes less than a second, another one before them warms up.
Rate rate_of(const Row& row, int runs);

// Integer steps that depend on each other, bytes of memcpy, f32 additions of a C++ loop over arrays
// that fit into the first cache: what scalar code, loading and routing, and vectors are made of.
Yardstick steps();
Yardstick bytes();
Yardstick adds();
// As rows of their own, and what two threads at a time do of them: a host whose second core is busy
// with other things shows here.
std::array<Row, 5> yardsticks();

// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

// A function that gives what `make` makes: once, at its first call.
template <class Make>
auto made_once(Make make) {
  using Made = std::invoke_result_t<Make>;
  return [make = std::move(make), made = std::make_shared<std::optional<Made>>()]() -> Made& {
    if (!*made) *made = make();
    return **made;
  };
}

}  // namespace wse::bench
