// launches FIRST COUNT [text]: random programs FIRST .. FIRST + COUNT - 1, cut into launches by a
// host, on both transports, 1 to 3 threads and each engine; with hosts that write their machine
// down on the way and take it up on other threads; and each as one program that does the same on
// its own. Memory and cycles must be alike, and what hosts are told of the last launch. Ends with 1
// at the first difference, with the program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "asm/assembler.h"
#include "jit/engines.h"
#include "tests/launches/program.h"
#include "tests/support/random.h"
#include "vm/checkpoint/checkpoint.h"
#include "vm/run/books.h"
#include "vm/session/session.h"

namespace {

using namespace wse;
using namespace wse::test_launches;
using vm::Cycle;

// A host takes longer than a PE needs to see that it is time for the next task.
constexpr std::uint32_t kLaunchCycles = 400;
constexpr std::uint32_t kMostRepeats = 3 * kMostLaunches;

struct Wrong {
  std::string text;
};

// Words of each array, or of each PE and launch.
using Memory = std::map<std::string, std::vector<std::uint32_t>>;

struct Ended {
  Memory memory;
  Cycle cycles = 0;

  bool operator==(const Ended&) const = default;
};

isa::Image image_of(const Plan& plan, const isa::Profile& profile, bool is_one) {
  assembler::Options options{.overrides = {{"ONE", is_one ? "1" : "0"}}, .profile = profile};
  assembler::Output output = assembler::assemble({"random.wsa", plan.text}, options);
  if (!output.image) throw Wrong{isa::to_text(output.diagnostics, output.files)};
  return std::move(*output.image);
}

std::unique_ptr<vm::Machine> machine_of(const Plan& plan, const isa::Profile& profile, bool is_one,
                                        const vm::MachineOptions& options) {
  auto machine = vm::Machine::create(image_of(plan, profile, is_one), profile, options);
  if (!machine) throw Wrong{machine.error().message};
  return std::move(*machine);
}

void write(vm::Machine& machine, const std::string& name, const std::vector<std::uint32_t>& words) {
  const isa::Status status = machine.write_array(name, *machine.array(name), words);
  if (!status) throw Wrong{status.error()};
}

Ended end_of(const vm::Machine& machine, Cycle cycles) {
  Ended ended{.memory = {}, .cycles = cycles};
  for (const std::string& name : compared_arrays()) ended.memory[name] = *machine.read_array(name);
  return ended;
}

// Returns the tasks and arguments of each PE, in the order of its launches, by array.
Memory orders_of(const Plan& plan) {
  const std::size_t pes = std::size_t{plan.width} * plan.height;
  Memory all;
  for (const char* const name : {"which", "counts", "factors"})
    all[name].resize(pes * kMostLaunches);
  std::vector<std::uint32_t> launches(pes);
  for (const Order& order : plan.orders) {
    for (std::uint32_t y = order.region.y; y < order.region.y + order.region.height; ++y) {
      for (std::uint32_t x = order.region.x; x < order.region.x + order.region.width; ++x) {
        const std::size_t pe = std::size_t{y} * plan.width + x;
        const std::size_t place = pe * kMostLaunches + launches[pe]++;
        all["which"][place] = kFirstId + order.task;
        all["counts"][place] = static_cast<std::uint32_t>(order.count);
        std::memcpy(&all["factors"][place], &order.factor, sizeof order.factor);
      }
    }
  }
  return all;
}

// The first delay of PEs that are launched: their clock begins in main.
std::vector<std::uint32_t> first_delays(const Memory& orders) {
  std::vector<std::uint32_t> delays = orders.at("which");
  for (std::size_t k = 0; k < delays.size(); ++k) {
    delays[k] = k % kMostLaunches == 0 && delays[k] != 0 ? 1 : 0;
  }
  return delays;
}

struct Met {
  std::size_t launches = 0;
  std::size_t wafers = 0;  // sessions on bit planes
  std::size_t moves = 0;   // of sessions to other machines
};

// The numbers that a host is told of the last launch, by name.
using Told = std::map<std::string, std::vector<std::uint64_t>>;

// A host that holds a machine.
class Host {
 public:
  // `moves`: now and then it writes the machine down and takes it up as another one.
  Host(const Plan& plan, const isa::Profile& profile, const vm::MachineOptions& options, bool moves)
      : plan_(plan), profile_(profile), options_(options), moves_(moves) {
    session_ = new_session();
    write(session_->machine(), "delay", first_delays(orders_of(plan)));
  }

  void launch_all() {
    move();
    must(session_->run());
    for (const Order& order : plan_.orders) launch(order);
  }
  Ended ended() {
    return end_of(session_->machine(), session_->began() + session_->record().cycles);
  }
  Told told() {
    Told told;
    for (const std::string& name : session_->machine().profile_arrays()) {
      told[name] = *session_->machine().profile_array(name);
    }
    const auto& cycles = session_->record().counters.pe_cycles;
    told["activities"].assign(cycles.begin(), cycles.end());
    for (const vm::LineTable& table : vm::Books(session_->machine()).line_tables()) {
      for (const vm::LineRow& row : table.rows) told["lines"].push_back(row.cycles);
    }
    return told;
  }
  bool is_on_planes() { return session_->record().transport == "wafer"; }
  std::size_t moves() const { return times_moved_; }

 private:
  static void must(const isa::Status& status) {
    if (!status) throw Wrong{status.error()};
  }

  std::unique_ptr<vm::Session> new_session() {
    auto machine = machine_of(plan_, profile_, false, options_);
    must(machine->count_lines());
    return vm::Session::of(std::move(machine), {.profile = true});
  }

  void launch(const Order& order) {
    move();
    if (session_->state() == vm::Session::State::Quiet && order.wait_cycles > 0) {
      must(session_->run(session_->cycle() + order.wait_cycles));
      move();
    }
    const std::array arguments = {isa::Number::of(std::int64_t{order.count}),
                                  isa::Number::of(double{order.factor})};
    must(session_->prepare(fmt::format("step{}", order.task), arguments, order.region));
    if (order.with_next) return;
    while (order.stop_cycles > 0 && session_->state() != vm::Session::State::Quiet) {
      const Cycle until = std::max(session_->cycle(), session_->began()) + order.stop_cycles;
      must(session_->run(until));
      move();
      if (until > session_->began() + 40 * order.stop_cycles) break;
    }
    must(session_->run());
  }

  void move() {
    if (!moves_ || random_.one_in(2)) return;
    const auto file = vm::checkpoint_of(*session_);
    if (!file) throw Wrong{file.error().message};
    options_.threads = 1 + random_.below(3);
    auto next = new_session();
    const auto done = vm::restore(*next, *file);
    if (!done) throw Wrong{done.error().message};
    const bool is_same = next->state() == session_->state() && next->cycle() == session_->cycle() &&
                         next->is_prepared() == session_->is_prepared();
    if (!is_same) throw Wrong{"a session is not what it was"};
    session_ = std::move(next);
    ++times_moved_;
  }

  const Plan& plan_;
  const isa::Profile& profile_;
  vm::MachineOptions options_;
  bool moves_;
  test_support::Random random_{1};
  std::size_t times_moved_ = 0;
  std::unique_ptr<vm::Session> session_;
};

// How long the clock of a PE waits before a task: words that go round, and elements of a vector
// instruction, which are finer.
struct Waits {
  std::vector<std::uint32_t> ticks;
  std::vector<std::uint32_t> pads;
  std::uint32_t tick_cycles = 1;

  Waits(std::size_t count, const isa::Profile& profile)
      : ticks(count), pads(count, 1), tick_cycles(profile.issue == 0 ? 2 : 1) {}

  void lengthen(std::size_t k, std::int64_t cycles) {
    const std::int64_t all = std::max<std::int64_t>(
        tick_cycles + 1, std::int64_t{ticks[k]} * tick_cycles + pads[k] + cycles);
    pads[k] = static_cast<std::uint32_t>(1 + (all - 1) % tick_cycles);
    ticks[k] = static_cast<std::uint32_t>((all - pads[k]) / tick_cycles);
  }
};

// Runs the program alone until the clocks of all PEs go as those of the host: a clock that other
// words of its PE have held up waits as much less.
Ended run_alone(const Plan& plan, const isa::Profile& profile, const Ended& wanted) {
  const Memory orders = orders_of(plan);
  const std::vector<std::uint32_t>& aims = wanted.memory.at("seen");
  const auto former = [](const std::vector<std::uint32_t>& seen, std::size_t k) {
    return k % kMostLaunches == 0 ? 0 : static_cast<std::int64_t>(seen[k - 1]);
  };
  Waits waits(aims.size(), profile);
  for (std::size_t k = 0; k < aims.size(); ++k) {
    if (orders.at("which")[k] == 0) continue;
    waits.lengthen(k, std::int64_t{aims[k]} - former(aims, k) - 150);
  }
  Ended ended;
  for (std::uint32_t round = 0; round < kMostRepeats; ++round) {
    const auto machine = machine_of(plan, profile, true, {.threads = 1});
    for (const auto& [name, words] : orders) write(*machine, name, words);
    write(*machine, "delay", waits.ticks);
    write(*machine, "pads", waits.pads);
    const vm::Record record = machine->run({.max_cycles = 10 * wanted.cycles + 10000});
    ended = end_of(*machine, record.cycles);
    const std::vector<std::uint32_t>& seen = ended.memory.at("seen");
    bool is_aimed = true;
    for (std::size_t k = 0; k < aims.size(); ++k) {
      if (orders.at("which")[k] == 0 || seen[k] == aims[k]) continue;
      is_aimed = false;
      if (seen[k] == 0) break;
      const std::int64_t late =
          (std::int64_t{seen[k]} - former(seen, k)) - (std::int64_t{aims[k]} - former(aims, k));
      waits.lengthen(k, -late);
    }
    if (is_aimed) break;
  }
  return ended;
}

std::string difference(const Ended& a, const Ended& b) {
  std::string text;
  if (a.cycles != b.cycles) text += fmt::format("cycles {} and {}\n", a.cycles, b.cycles);
  for (const auto& [name, words] : a.memory) {
    if (words == b.memory.at(name)) continue;
    text += fmt::format("{}\n  {}\n  {}\n", name, fmt::join(words, " "),
                        fmt::join(b.memory.at(name), " "));
  }
  return text;
}

struct On {
  std::string name;
  vm::MachineOptions options;
  bool moves = false;
};

std::vector<On> machines(const vm::Engine* compiled, std::uint32_t seed) {
  std::vector<On> all;
  for (const auto transport : {vm::TransportChoice::Stepper, vm::TransportChoice::Wafer}) {
    const char* const name = transport == vm::TransportChoice::Wafer ? "wafer" : "stepper";
    for (std::uint32_t threads = 1; threads <= 3; ++threads) {
      all.push_back({fmt::format("{} on {} threads", name, threads),
                     {.threads = threads, .transport = transport}});
    }
    all.push_back({fmt::format("{}, moved", name), {.threads = 1, .transport = transport}, true});
    // Compiling takes longer than all else.
    if (compiled == nullptr || seed % 5 != 0) continue;
    On& on = all.emplace_back(all.back());
    on.name += ", compiled";
    on.options.engine = compiled;
  }
  return all;
}

void check(std::uint32_t seed, const vm::Engine* compiled, Met& met) {
  const Plan plan = random_plan(seed);
  const char* const profiles[] = {"model", "wse2", "wse3"};
  isa::Profile profile = *isa::find_profile(profiles[seed % std::size(profiles)]);
  profile.launch_cycles = kLaunchCycles;
  std::optional<Ended> first;
  Told told;
  for (const On& on : machines(compiled, seed)) {
    Host host(plan, profile, on.options, on.moves);
    host.launch_all();
    met.wafers += host.is_on_planes() ? 1 : 0;
    met.moves += host.moves();
    const Ended ended = host.ended();
    if (!first) {
      first = ended;
      told = host.told();
    }
    for (const auto& [name, numbers] : host.told()) {
      if (numbers == told[name]) continue;
      throw Wrong{fmt::format("on {}: {}, {}:\n{}\n{}", profile.name, on.name, name,
                              fmt::join(numbers, " "), fmt::join(told[name], " "))};
    }
    if (ended != *first) {
      throw Wrong{fmt::format("on {}: {}, and {}:\n{}", profile.name, "stepper on 1 threads",
                              on.name, difference(*first, ended))};
    }
  }
  const Ended alone = run_alone(plan, profile, *first);
  if (alone != *first) {
    throw Wrong{fmt::format("on {}: launches, and one program that does the same:\n{}",
                            profile.name, difference(*first, alone))};
  }
  met.launches += plan.orders.size();
}

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int count_of_words, char** words) {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  if (count_of_words < 3 || !read_number(words[1], first) || !read_number(words[2], count)) {
    fmt::print(stderr, "usage: launches FIRST COUNT [text]\n");
    return 2;
  }
  if (count_of_words > 3) {
    for (std::uint32_t k = 0; k < count; ++k) fmt::print("{}", random_plan(first + k).text);
    return 0;
  }
  const auto compiled = jit::make_engine("jit", {.threshold = 0});
  Met met;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    try {
      check(seed, compiled ? compiled->get() : nullptr, met);
    } catch (const Wrong& wrong) {
      fmt::print("program {}\n{}\n{}\n", seed, random_plan(seed).text, wrong.text);
      return 1;
    }
  }
  fmt::print("{} programs, {} launches, {} sessions on planes, {} moved{}\n", count, met.launches,
             met.wafers, met.moves, compiled ? "" : ", none compiled: " + compiled.error());
  // The set must have met both transports, and hosts that move.
  return met.wafers < 3 * count || met.moves < count ? 1 : 0;
}
