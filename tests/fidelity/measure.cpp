// Assembles, runs, and reads marks or the trace.
#include "tests/fidelity/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "asm/assembler.h"
#include "tests/fidelity/script_run.h"
#include "tests/support/files.h"
#include "tests/support/tolerances.h"
#include "vm/run/machine.h"

namespace wse::fidelity {
namespace {

// The cycles between the first and the last event that counts, and how many there were.
struct Span {
  std::optional<vm::Cycle> first;
  vm::Cycle last = 0;

  void add(vm::Cycle cycle) {
    if (!first) first = cycle;
    last = std::max(last, cycle);
  }
};

// Traces begin with the cycle: {"cycle":5,"pe":...
vm::Cycle cycle_of(std::string_view line) {
  constexpr std::string_view kHead = R"({"cycle":)";
  vm::Cycle cycle = 0;
  std::from_chars(line.data() + kHead.size(), line.data() + line.size(), cycle);
  return cycle;
}

bool counts(std::string_view line, Rule rule) {
  if (rule == Rule::Issues) return line.contains(R"("event":"issue")");
  return line.contains(R"("thread":"ut)") &&
         (line.contains(R"("event":"start")") || line.contains(R"("event":"end")"));
}

struct Run {
  vm::Record record;
  Span traced;
};

isa::Result<Run> run(const Row& row, const std::filesystem::path& root,
                     const isa::Profile& profile) {
  assembler::Output output =
      assembler::assemble({row.program, test_support::read_text(root / row.program)},
                          {.overrides = row.values, .profile = profile});
  if (!output.image) return isa::fail(isa::to_text(output.diagnostics, output.files));
  auto machine = vm::Machine::create(std::move(*output.image), profile);
  if (!machine) return isa::fail(machine.error().message);
  Run result;
  vm::RunOptions options;
  vm::TraceLines lines([&](std::string_view line) {
    if (counts(line, row.rule)) result.traced.add(cycle_of(line));
  });
  if (row.rule == Rule::Issues || row.rule == Rule::Microthread) options.trace = &lines;
  result.record = (*machine)->run(options);
  if (result.record.status != vm::RunStatus::Halted) return isa::fail(result.record.message);
  for (const std::string& failure : (*machine)->failed_expectations(result.record)) {
    return isa::fail(failure);
  }
  return result;
}

isa::Result<double> between_marks(const vm::Record& record) {
  const auto begin = record.marks.find("begin");
  const auto end = record.marks.find("end");
  if (begin == record.marks.end() || end == record.marks.end()) {
    return isa::fail("no marks 'begin' and 'end'");
  }
  return static_cast<double>(end->second.last - begin->second.first);
}

isa::Result<double> mean_turn(const vm::Record& record) {
  const auto turn = record.marks.find("turn");
  if (turn == record.marks.end() || turn->second.count < 2) return isa::fail("no marks 'turn'");
  return static_cast<double>(turn->second.last - turn->second.first) /
         static_cast<double>(turn->second.count - 1);
}

isa::Result<double> traced_cycles(const Span& span, vm::Cycle behind_the_last) {
  if (!span.first) return isa::fail("nothing of that kind in the trace");
  return static_cast<double>(span.last + behind_the_last - *span.first);
}

}  // namespace

isa::Result<double> simulated_cycles(const Row& row, const std::filesystem::path& root,
                                     const isa::Profile& profile) {
  if (row.rule == Rule::Script) {
    const auto cycles = number_of_script(row.program, row.values, "cycles", root, profile);
    if (!cycles) return isa::fail(fmt::format("{}: {}", row.name, cycles.error()));
    return cycles;
  }
  const isa::Result<Run> done = run(row, root, profile);
  if (!done) return isa::fail(fmt::format("{}: {}", row.name, done.error()));
  switch (row.rule) {
    case Rule::Marks: return between_marks(done->record);
    case Rule::Turns: return mean_turn(done->record);
    case Rule::Issues: return traced_cycles(done->traced, 1);
    case Rule::Microthread: return traced_cycles(done->traced, 0);
    case Rule::Script: break;
  }
  return isa::fail("no such rule");
}

isa::Result<double> simulated_cycles(const Row& row, const std::filesystem::path& root) {
  return simulated_cycles(row, root, row.machine);
}

double error_percent(const Row& row, double simulated) {
  return 100 * (simulated + row.instrument - row.measured) / row.measured;
}

double tolerance_percent(const Row& row) {
  switch (row.within) {
    case Within::Exact: return 0;
    case Within::Close:
      return std::max(test_support::kCloseCyclesPercent,
                      100 * test_support::kCloseCycles / row.measured);
    case Within::Short:
      return std::max(test_support::kShortCyclesPercent,
                      100 * test_support::kShortCycles / row.measured);
    case Within::Rough: return test_support::kRoughCyclesPercent;
  }
  return 0;
}

bool holds(const Row& row, double simulated) {
  constexpr double kRounding = 1e-9;
  const double error = error_percent(row, simulated);
  const double size = row.use == Use::Bound ? error : std::abs(error);
  return size <= tolerance_percent(row) + kRounding;
}

}  // namespace wse::fidelity
