// bench [--wafer]: prints a table of rates; --wafer adds a run on 755 x 994 PEs.
// Must never judge: hosts differ, so a number here is compared by people, not by a test.
#include <fmt/format.h>

#include <cstring>

#include "tests/bench/workloads.h"

namespace wse::bench {
namespace {

constexpr int kRuns = 5;
constexpr int kRunsOnAWafer = 1;

struct Yardsticks {
  double steps = 0;
  double bytes = 0;
};

// The last columns: steps of the integer loop, and bytes of memcpy, in the time of one unit.
void print(const Row& row, const Rate& rate, const Yardsticks& host) {
  fmt::print("{:<36}{:>10.2f} M {:<10}{:>9.2f} ..{:>9.2f}{:>10.1f}{:>10.1f}\n", row.name,
             rate.median / 1e6, row.unit + "/s", rate.least / 1e6, rate.most / 1e6,
             host.steps / rate.median, host.bytes / rate.median);
  std::fflush(stdout);
}

void run(bool wafer) {
  fmt::print("{:<36}{:>12} {:<10}{:>21}{:>10}{:>10}\n", "what", "median of 5", "", "least .. most",
             "steps", "bytes");
  const Row integers = integer_yardstick();
  const Row memory = memory_yardstick();
  const Rate steps = rate_of(integers, kRuns);
  const Rate bytes = rate_of(memory, kRuns);
  const Yardsticks host{steps.median, bytes.median};
  print(integers, steps, host);
  print(memory, bytes, host);
  for (const Row& row : {assembly(), program("heat", {{"W", "64"}, {"H", "64"}, {"steps", "20"}}),
                         program("broadcast-2d", {{"W", "256"}, {"H", "256"}, {"B", "64"}}),
                         program("reduce-chain", {{"P", "512"}, {"B", "256"}})}) {
    print(row, rate_of(row, kRuns), host);
  }
  if (!wafer) return;
  const Row row = program("heat", {{"W", "755"}, {"H", "994"}, {"steps", "4"}});
  print(row, rate_of(row, kRunsOnAWafer), host);
}

}  // namespace
}  // namespace wse::bench

int main(int argc, char** argv) {
  const bool wafer = argc == 2 && std::strcmp(argv[1], "--wafer") == 0;
  if (argc > 1 && !wafer) {
    std::fputs("usage: bench [--wafer]\n", stderr);
    return 2;
  }
  wse::bench::run(wafer);
  return 0;
}
