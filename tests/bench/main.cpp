// bench [--wafer] [--only=TEXT | --update]: prints a table of figures; --wafer adds long runs on
// whole wafers, --only leaves all rows out but yardsticks and those whose names contain the text,
// --update puts the figures into the READMEs that show them.
// Must never judge: hosts differ, so a number here is compared by people, not by a test.
#include <fmt/format.h>

#include <cstdio>
#include <optional>
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

  // False if no name contains the text.
  bool run(const std::string& self, bool wafer, std::string_view only) {
    std::vector<Row> rows = all_rows(self);
    std::erase_if(rows, [only](const Row& row) { return !row.name.contains(only); });
    std::vector<Row> long_rows;
    if (wafer) long_rows = wafer_rows();
    std::erase_if(long_rows, [only](const Row& row) { return !row.name.contains(only); });
    if (rows.empty() && long_rows.empty()) return false;
    fmt::print("{}", text_head());
    for (const Row& row : yardsticks()) measure(row, kRuns);
    for (const Row& row : rows) measure(row, kRuns);
    for (const Row& row : long_rows) measure(row, kRunsOnAWafer);
    return true;
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

struct Wanted {
  bool wafer = false;
  bool update = false;
  std::string_view only;  // text that the names of rows contain
};

std::optional<Wanted> wanted(std::span<char*> arguments) {
  constexpr std::string_view kOnly = "--only=";
  Wanted told;
  for (const std::string_view argument : arguments) {
    if (argument == "--wafer") {
      told.wafer = true;
    } else if (argument == "--update") {
      told.update = true;
    } else if (argument.starts_with(kOnly)) {
      told.only = argument.substr(kOnly.size());
    } else {
      return {};
    }
  }
  const bool part_of_a_table = told.update && !told.only.empty();
  return part_of_a_table ? std::nullopt : std::optional(told);
}

int run(std::span<char*> arguments) {
  if (arguments.size() == 3 && std::string_view(arguments[1]) == "--load") {
    load_and_tell(arguments[2]);
    return 0;
  }
  const std::optional<Wanted> told = wanted(arguments.subspan(1));
  if (!told) {
    std::fputs("usage: bench [--wafer] [--only=TEXT | --update]\n", stderr);
    return 2;
  }
  Bench bench;
  if (!bench.run(arguments[0], told->wafer, told->only)) {
    fmt::print(stderr, "bench: no row has '{}' in its name\n", told->only);
    return 2;
  }
  if (!told->update) return 0;
  if (const isa::Status status = bench.update(); !status) give_up(status.error());
  return 0;
}

}  // namespace
}  // namespace wse::bench

int main(int argc, char** argv) { return wse::bench::run({argv, static_cast<std::size_t>(argc)}); }
