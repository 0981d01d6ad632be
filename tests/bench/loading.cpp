// Loading in a process of its own, so that nothing that was measured before lies in its memory.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>

#include "tests/bench/workloads.h"
#include "tests/support/files.h"
#include "vm/run/machine.h"

namespace wse::bench {
namespace {

struct Loading {
  double seconds = 0;
  double bytes = 0;
  double pes = 0;
};

// The resident set of this process.
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

Loading load_in_a_process(const std::string& self, const std::string& file) {
  const std::string command = fmt::format("'{}' --load '{}'", self, file);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                             ::pclose);
  Loading told;
  const bool complete = pipe != nullptr && std::fscanf(pipe.get(), "%lf %lf %lf", &told.seconds,
                                                       &told.bytes, &told.pes) == 3;
  if (!complete) give_up(fmt::format("{} was not loaded", file));
  return told;
}

}  // namespace

void load_and_tell(const std::string& file) {
  isa::Image image =
      assembled(file, test_support::read_text(in_checkout(file)), measured_profile(), {});
  const double before = resident_bytes();
  std::unique_ptr<vm::Machine> machine;
  const double seconds = seconds_of([&] {
    auto made = vm::Machine::create(std::move(image), measured_profile());
    if (!made) give_up(made.error().message);
    machine = std::move(*made);
  });
  const double bytes = resident_bytes() - before;
  const vm::Record record = machine->run({});
  if (record.status != vm::RunStatus::Halted) give_up(record.message);
  fmt::print("{} {} {}\n", seconds, bytes, record.placed_pes);
}

std::array<Row, 2> loading(const std::string& what, const std::string& file,
                           const std::string& self) {
  const auto last = std::make_shared<std::optional<Loading>>();
  return {Row{"loading 755 x 994 PEs, " + what, "PEs/s", file, bytes(),
              [file, self, last] {
                *last = load_in_a_process(self, file);
                return Work{(*last)->pes, (*last)->seconds};
              },
              true},
          Row{"their memory, " + what, "bytes/PE", "growth of its resident set", bytes(),
              [file, self, last] {
                if (!*last) *last = load_in_a_process(self, file);
                return Work{(*last)->bytes, (*last)->pes};
              },
              true}};
}

}  // namespace wse::bench
