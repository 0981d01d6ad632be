// bench [--wafer] [--update]: prints a table of figures; --wafer adds a long run on 755 x 994 PEs,
// --update puts the figures into the READMEs that show them.
// Must never judge: hosts differ, so a number here is compared by people, not by a test.
#include <fmt/format.h>

#include <cstdio>
#include <span>
#include <string_view>

#include "tests/bench/figures.h"
#include "tests/bench/workloads.h"

namespace wse::bench {
namespace {

constexpr int kRuns = 5;
constexpr int kRunsOnAWafer = 1;

class Bench {
 public:
  void measure(const Row& row, int runs) {
    figures_.push_back({row, rate_of(row, runs)});
    fmt::print("{}", text_line(figures_.back()));
    std::fflush(stdout);
  }

  void run(const std::string& self, bool wafer) {
    fmt::print("{}", text_head());
    for (const Row& row : yardsticks()) measure(row, kRuns);
    for (const Row& row : all_rows(self)) measure(row, kRuns);
    if (wafer) measure(wafer_row(), kRunsOnAWafer);
  }

  isa::Status update() const {
    isa::Status status =
        put_between_marks(in_checkout("tests/bench/README.md"), full_table(figures_));
    if (!status) return status;
    return put_between_marks(in_checkout("README.md"), short_table(figures_));
  }

 private:
  std::vector<Figure> figures_;
};

int run(std::span<char*> arguments) {
  if (arguments.size() == 3 && std::string_view(arguments[1]) == "--load") {
    load_and_tell(arguments[2]);
    return 0;
  }
  bool wafer = false;
  bool update = false;
  for (const std::string_view argument : arguments.subspan(1)) {
    if (argument != "--wafer" && argument != "--update") {
      std::fputs("usage: bench [--wafer] [--update]\n", stderr);
      return 2;
    }
    (argument == "--wafer" ? wafer : update) = true;
  }
  Bench bench;
  bench.run(arguments[0], wafer);
  if (!update) return 0;
  if (const isa::Status status = bench.update(); !status) give_up(status.error());
  return 0;
}

}  // namespace
}  // namespace wse::bench

int main(int argc, char** argv) { return wse::bench::run({argv, static_cast<std::size_t>(argc)}); }
