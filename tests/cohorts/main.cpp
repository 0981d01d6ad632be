// cohort_census FILE.wsa [key=value ...] [--machine=NAME] [--transport=NAME] [--every=K]
//               [--row=NAME] [--clock]
// Prints what executing PEs as one could spare in a run of the program, as lines or as a row of the
// table of TABLE.md; --clock prints what visits cost instead, without looking at their cores.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asm/assembler.h"
#include "tests/cohorts/census.h"
#include "tests/support/files.h"

namespace wse::cohorts {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "cohort_census: {}\n", why);
  std::exit(2);
}

struct Command {
  std::string file;
  std::vector<std::pair<std::string, std::string>> values;
  std::string machine = "wse2";
  vm::TransportChoice transport = vm::TransportChoice::Auto;
  std::uint64_t every = 1;
  std::string row;
  bool clock = false;
};

// Returns what is behind `--name=`; nothing if the argument is another one.
std::optional<std::string> option(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name)) return std::nullopt;
  return std::string(argument.substr(name.size()));
}

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) {
    give_up(fmt::format("'{}' is not a number from 1 on", text));
  }
  return number;
}

Command command_of(std::span<char* const> arguments) {
  Command command;
  for (const std::string_view argument : arguments.subspan(1)) {
    const std::size_t equals = argument.find('=');
    if (const auto machine = option(argument, "--machine=")) {
      command.machine = *machine;
    } else if (const auto name = option(argument, "--transport=")) {
      const auto transport = vm::transport_named(*name);
      if (!transport) give_up(fmt::format("'{}' is not a transport: auto, wafer, stepper", *name));
      command.transport = *transport;
    } else if (const auto every = option(argument, "--every=")) {
      command.every = number_of(*every);
    } else if (const auto row = option(argument, "--row=")) {
      command.row = *row;
    } else if (argument == "--clock") {
      command.clock = true;
    } else if (argument.starts_with("--")) {
      give_up(fmt::format("there is no option '{}'", argument));
    } else if (equals != std::string_view::npos) {
      command.values.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
    } else {
      command.file = argument;
    }
  }
  if (command.file.empty()) {
    give_up(
        "a program is missing: cohort_census FILE.wsa [key=value ...] [--machine=NAME] "
        "[--transport=auto|wafer|stepper] [--every=K] [--row=NAME] [--clock]");
  }
  return command;
}

std::unique_ptr<vm::Machine> machine_of(const Command& command) {
  const auto profile = isa::find_profile(command.machine);
  if (!profile) give_up(fmt::format("there is no machine '{}'", command.machine));
  assembler::Output output =
      assembler::assemble({command.file, test_support::read_text(command.file)},
                          {.overrides = command.values, .profile = *profile});
  if (!output.image) give_up(isa::to_text(output.diagnostics, output.files));
  auto machine = vm::Machine::create(std::move(*output.image), *profile,
                                     {.threads = 1, .transport = command.transport});
  if (!machine) give_up(machine.error().message);
  return std::move(*machine);
}

double ratio(double of, double by) { return by == 0 ? 0 : of / by; }
template <class Of, class By>
double ratio(Of of, By by) {
  return ratio(static_cast<double>(of), static_cast<double>(by));
}

double spared(std::uint64_t sets, std::uint64_t things) {
  return things == 0 ? 0 : 100 * (1 - ratio(sets, things));
}

void print_row(const std::string& name, const CensusCounts& n) {
  const SplitJoin::Counts& c = n.cohorts;
  const auto [data, skew, instance] = c.splits;
  fmt::print(
      "| {} | {} | {} | {:.0f} | {:.1f}, {:.1f} | {:.0f} % | {:.1f}, {:.1f}, {:.1f} | {} | {:.1f}, "
      "{:.1f} | "
      "{:.0f} | {}, {}, {} | {}, {} | {:.0f} % | {:.1f} | {:.1f} |\n",
      name, n.pes, n.cycles, ratio(n.visits.things, n.cycles), ratio(n.states.sets, n.looks),
      ratio(n.states_by_instance, n.looks), 100 * ratio(n.largest, n.states.things),
      spared(n.visits.sets, n.visits.things),
      spared(n.visits_by_instance.sets, n.visits_by_instance.things),
      spared(n.visits_of_wafer, n.visits.things), n.different_visits,
      spared(c.visits, n.visits.things), spared(n.cohorts_at_visits.visits, n.visits.things),
      ratio(c.pe_life_cycles, c.pes), data, skew, instance, c.joins, n.cohorts_at_visits.joins,
      100 * ratio(n.equal_registers, n.changed_registers), ratio(n.begun.things, n.begun.sets),
      ratio(n.shorts.things, n.shorts.sets));
}

void print_lines(const CensusCounts& n, const vm::SteppedRun& run) {
  const SplitJoin::Counts& c = n.cohorts;
  const auto line = [](std::string_view name, const std::string& value) {
    fmt::print("{:<44} {}\n", name, value);
  };
  const auto grouped = [&line](std::string_view name, const Grouped& g) {
    line(name, fmt::format("{} in {} sets of {:.1f}", g.things, g.sets, ratio(g.things, g.sets)));
  };
  line("transport", run.is_on_planes() ? "planes" : "stepper");
  line("PEs with a program, blocks", fmt::format("{}, {}", n.pes, n.blocks));
  line("cycles with a visit, the last one", fmt::format("{}, {}", n.cycles, n.last));
  grouped("visits that are the same by program", n.visits);
  grouped("visits that are the same by instance", n.visits_by_instance);
  grouped("the same by program, in all blocks together", {n.visits.things, n.visits_of_wafer});
  line("different visits by program, in all cycles", fmt::format("{}", n.different_visits));
  const auto visits = [&](std::string_view name, const SplitJoin::Counts& cohorts) {
    line(name, fmt::format("{}, {:.1f} % spared; {} joins", cohorts.visits,
                           spared(cohorts.visits, n.visits.things), cohorts.joins));
  };
  visits("visits of cohorts that join at task starts", c);
  visits("visits of cohorts that join at any visit", n.cohorts_at_visits);
  line("control states of a visited block",
       fmt::format("{:.1f} by program, {:.1f} by instance, {:.0f} % of its PEs in the largest set",
                   ratio(n.states.sets, n.looks), ratio(n.states_by_instance, n.looks),
                   100 * ratio(n.largest, n.states.things)));
  line("control states of all visited blocks",
       fmt::format("{:.1f}", ratio(n.wafer_states.sets, n.wafer_states.things)));
  line("the former split by data, skew, instance",
       fmt::format("{}, {}, {}", c.splits[0], c.splits[1], c.splits[2]));
  line("the former: cycles before a change",
       fmt::format("{:.0f} of each, {:.0f} of each PE", ratio(c.life_cycles, c.lives),
                   ratio(c.pe_life_cycles, c.pes)));
  line("registers that change alike",
       fmt::format("{} of {}", n.equal_registers, n.changed_registers));
  grouped("vector instructions that begin", n.begun);
  grouped("messages of one to three words that begin", n.shorts);
  grouped("longer messages that begin", n.sends);
  const vm::Counters& counters = run.counters();
  line("wavelets, links that each passed",
       fmt::format("{}, {:.1f}", counters.wavelets, ratio(counters.hops, counters.wavelets)));
}

// Returns nanoseconds of the processor for the key of a core.
double cost_of_key(vm::SteppedRun& run, std::uint64_t& sum) {
  CoreKeys keys;
  const std::clock_t begin = std::clock();
  std::uint64_t count = 0;
  while (count < 1'000'000) {
    for (const vm::PeId pe : run.loaded().placed()) {
      const vm::Core& core = run.core(pe);
      sum += keys.of(core, run.after(core), run.last()).by_program;
      ++count;
    }
  }
  return 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC /
         static_cast<double>(count);
}

void print_clock(vm::SteppedRun& run) {
  constexpr std::uint64_t kKeyCycle = 30;  // of those with a visit: PEs are at work
  std::uint64_t sum = 0;
  std::uint64_t visits = 0;
  std::uint64_t cycles = 0;
  double key = 0;
  while (!run.is_over()) {
    const std::size_t due = run.due().size();
    visits += due;
    run.visit();
    if (due > 0 && ++cycles == kKeyCycle) key = cost_of_key(run, sum);
    run.move();
  }
  const double cores = run.seconds_in_cores();
  const double transport = run.seconds_in_transport();
  fmt::print("{} visits, {:.0f} ns each; cores {:.3f} s, transport {:.3f} s: {:.0f} % in visits\n",
             visits, 1e9 * ratio(cores, visits), cores, transport,
             100 * ratio(cores, cores + transport));
  if (sum != 0) fmt::print("the key of a core takes {:.0f} ns\n", key);
}

int main_of(std::span<char* const> arguments) {
  const Command command = command_of(arguments);
  const auto machine = machine_of(command);
  vm::SteppedRun run(*machine);
  if (command.clock) {
    print_clock(run);
  } else {
    const CensusCounts counts = Census(run, command.every).count();
    if (command.row.empty()) {
      print_lines(counts, run);
    } else {
      print_row(command.row, counts);
    }
  }
  if (run.trap().empty()) return 0;
  fmt::print(stderr, "cohort_census: the program ended in a trap: {}\n", run.trap());
  return 1;
}

}  // namespace
}  // namespace wse::cohorts

int main(int argc, char** argv) {
  return wse::cohorts::main_of({argv, static_cast<std::size_t>(argc)});
}
