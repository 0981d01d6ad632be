// The cost of keeping a profile, book by book, and to write its file and its page.
#include <fmt/format.h>

#include <memory>

#include "tests/bench/workloads.h"
#include "tests/support/files.h"
#include "vm/page/page.h"
#include "vm/profile/collect.h"

namespace wse::bench {
namespace {

// The books of a run: each has those before it, too.
enum class Kept { Nothing, Profile, Slices, Lines };

struct Watched {
  std::string name;
  std::string file;
  Values values;
};

constexpr std::uint32_t kSlices = 64;  // what `run --profile` keeps

std::unique_ptr<vm::Machine> machine_of(const isa::Image& image, Kept kept) {
  auto machine = vm::Machine::create(image, measured_profile(), {.threads = 1});
  if (!machine) give_up(machine.error().message);
  if (kept == Kept::Lines) {
    if (const isa::Status counted = (*machine)->count_lines(); !counted) give_up(counted.error());
  }
  return std::move(*machine);
}

vm::Record run(vm::Machine& machine, Kept kept) {
  vm::RunOptions options;
  options.profile = kept != Kept::Nothing;
  if (kept == Kept::Slices || kept == Kept::Lines) options.slices = kSlices;
  vm::Record record = machine.run(options);
  if (record.status != vm::RunStatus::Halted) give_up(record.message);
  return record;
}

std::string command_of(const Watched& of) {
  std::string text = of.file;
  for (const auto& [key, value] : of.values) text += fmt::format(" {}={}", key, value);
  return text;
}

isa::Image image_of(const Watched& of) {
  return assembled(of.file, test_support::read_text(in_checkout(of.file)), measured_profile(),
                   of.values);
}

// Each book beside the run that keeps nothing.
std::vector<Row> rows_of(const Watched& of) {
  const auto image = made_once([of] { return image_of(of); });
  const auto run_with = [image](Kept kept) {
    return [image, kept] {
      const auto machine = machine_of(image(), kept);
      vm::Record record;
      const double seconds = seconds_of([&] { record = run(*machine, kept); });
      return Work{static_cast<double>(record.cycles) * static_cast<double>(record.placed_pes),
                  seconds};
    };
  };
  const std::pair<const char*, Kept> books[] = {{"profile", Kept::Profile},
                                                {"profile, slices", Kept::Slices},
                                                {"profile, slices, lines", Kept::Lines}};
  std::vector<Row> rows;
  for (const auto& [name, kept] : books) {
    rows.push_back({fmt::format("profile: {}, {}", of.name, name),
                    "PE-cycles/s",
                    command_of(of),
                    {"without", run_with(Kept::Nothing)},
                    run_with(kept)});
  }
  return rows;
}

// The file and the page, from the books of a run that is over.
Row writing(const Watched& of) {
  struct Ended {
    std::unique_ptr<vm::Machine> machine;
    vm::Record record;
  };
  const auto ended = made_once([of] {
    Ended made{machine_of(image_of(of), Kept::Slices), {}};
    made.record = run(*made.machine, Kept::Slices);
    return made;
  });
  return {fmt::format("profile: file and page of {}", of.name), "PEs/s", command_of(of), steps(),
          [ended, of] {
            const Ended& of_run = ended();
            const double seconds = seconds_of([&] {
              const auto profile = vm::collect_profile(*of_run.machine, of_run.record,
                                                       {of.file, of.values, nullptr});
              if (!profile) give_up(profile.error());
              if (const auto file = vm::format_profile(*profile); !file) {
                give_up(file.error().message);
              }
              const vm::PageRun run{of.name, &*profile};
              const auto page = vm::report_page({&run, 1}, {.title = of.name, .model = {}});
              if (!page) give_up(page.error());
            });
            return Work{static_cast<double>(of_run.record.placed_pes), seconds};
          }};
}

}  // namespace

std::vector<Row> profile_rows() {
  const Watched cases[] = {
      {"heat, 64 x 64 PEs", "tests/bench/programs/heat.wsa", {{"W", "64"}, {"H", "64"}}},
      {"chain of 512 PEs", "programs/reduce-chain/reduce-chain.wsa", {{"P", "512"}, {"B", "4096"}}},
      {"25-point step, 75 x 99 PEs",
       "tests/bench/programs/stencil-25.wsa",
       {{"W", "75"}, {"H", "99"}, {"B", "334"}}}};
  std::vector<Row> rows;
  for (const Watched& of : cases) {
    for (Row& row : rows_of(of)) rows.push_back(std::move(row));
  }
  rows.push_back(writing({"heat, 512 x 512 PEs",
                          "tests/bench/programs/heat.wsa",
                          {{"W", "512"}, {"H", "512"}, {"steps", "1"}}}));
  return rows;
}

}  // namespace wse::bench
