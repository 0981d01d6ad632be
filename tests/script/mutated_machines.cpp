// mutated_machines FIRST COUNT: texts of machine files, damaged by the seeds FIRST .. FIRST + COUNT
// - 1. Each must be refused with a reason, or be a machine that keeps its bounds and runs a
// program; and be so soon. Ends with 1 and the text at the first that does not, or if too few are
// of one kind.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string>
#include <string_view>

#include "asm/assembler.h"
#include "isa/instruction/traps.h"
#include "scripts/host/script.h"
#include "tests/support/random.h"
#include "vm/run/machine.h"
#include "vm/run/memory_need.h"

namespace {

using namespace wse;
using test_support::Random;

constexpr double kMostSeconds = 30;  // of the processor for one text; it takes a millisecond
constexpr vm::Cycle kMostCycles = 2000;
constexpr std::uint64_t kMostQueueBytes = std::uint64_t{64} << 20;
constexpr std::uint32_t kMostChanges = 3;

constexpr std::string_view kFiles[] = {
    "return {base = \"wse2\", hop_latency = 2}\n",
    "local wire = 2\nreturn {base = \"model\", hop_latency = wire, link_interval = wire + 1}\n",
    "-- deep queues\nlocal depth = 1 << 8\nlocal m = {base = 'wse3', router_depth = depth}\n"
    "for _, name in ipairs{'up_ramp_depth', 'down_ramp_depth'} do m[name] = depth + 2 end\nreturn "
    "m\n",
    "return {ramp_latency_cycles = 3, up_ramp_depth = 5, down_ramp_depth = 4.0, arbitration = 1}\n",
    "local function twice(x) return x * 2 end\nreturn setmetatable({issue = 1, banks = twice(4),\n"
    "  clock = 900, memory = 4096 * 2}, {__index = function() return 1 end})\n",
    "return {colours = 0x18, switch_colours = 0xff00ff, queue_colours = 0, fabric_inputs = 3,\n"
    "  task_start = 0, simple = 0, divide = 20, load = 1e1, simd_16bit = 8, read_port = 32}\n",
    "local ends = {1, 3}\nreturn {hop_latency = 2, intervals = {hop_latency = ends, load = {0, "
    "4},\n"
    "  divide_cycles = {50, 50}, ramp_latency = {1, 2}}}\n",
};

// What is where a number was; else it is a small one.
constexpr std::string_view kNumbers[] = {"0",          "1",
                                         "-1",         "2",
                                         "3",          "255",
                                         "256",        "257",
                                         "65533",      "65535",
                                         "65536",      "16777216",
                                         "16777217",   "2^31",
                                         "2^32",       "2^32-1",
                                         "4294967295", "2^53",
                                         "2^63",       "1e308",
                                         "-(0/0)",     "0x7fffffffffffffff",
                                         "math.huge",  "1.5",
                                         "'7'",        "nil",
                                         "{}",         "true",
                                         "\"wse2\"",   "function() end"};

// One word and two links, so that every queue and the ramps of the machine are used.
constexpr const char* kProgram =
    ".grid 3, 1\n.colour red\n.program sender\n  .i32 v[8] = i\n  task main:\n"
    "    mov32 fabout(red), v\n.program receiver\n  .i32 v[8]\n  task main:\n    mov32 v, "
    "fabin(red)\n"
    "    add32 v, v, v\n.place sender at (0, 0)\n.place receiver at (2, 0)\n"
    ".route red at (0, 0): ramp -> east\n.route red at (1, 0): west -> east\n"
    ".route red at (2, 0): west -> ramp\n";

std::size_t below(Random& random, std::size_t limit) {
  return random.below(static_cast<std::uint32_t>(limit));
}

std::string_view any_file(Random& random) { return kFiles[below(random, std::size(kFiles))]; }

std::string_view any_piece(std::string_view text, Random& random) {
  const std::size_t first = below(random, text.size() + 1);
  return text.substr(first, below(random, 24));
}

std::string any_number(Random& random) {
  constexpr std::uint32_t kSmall = 40;
  if (random.one_in(2)) return std::string(kNumbers[below(random, std::size(kNumbers))]);
  return fmt::format("{}", 1 + random.below(kSmall));
}

// The next run of digits from anywhere on, if there is one.
void replace_number(std::string& text, Random& random) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t first = text.find_first_of(kDigits, below(random, text.size() + 1));
  if (first == std::string::npos) return;
  const std::size_t behind = text.find_first_not_of(kDigits, first);
  text.replace(first, (behind == std::string::npos ? text.size() : behind) - first,
               any_number(random));
}

void add_parameter(std::string& text, Random& random) {
  const std::size_t brace = text.rfind('}');
  if (brace == std::string::npos) return;
  const auto& parameter = isa::kParameters[below(random, std::size(isa::kParameters))];
  text.insert(brace, fmt::format(", {} = {}", parameter.name, any_number(random)));
}

void change(std::string& text, Random& random) {
  const std::size_t place = below(random, text.size() + 1);
  switch (random.below(10)) {
    case 0: text.insert(place, any_piece(any_file(random), random)); return;
    case 1: text.erase(place, below(random, 16)); return;
    case 2: text.insert(place, 1, static_cast<char>(random.word())); return;
    case 3: text.insert(place, std::string(any_piece(text, random))); return;
    case 4:
    case 5:
    case 6: replace_number(text, random); return;
    default: add_parameter(text, random);
  }
}

std::string mutated(std::uint32_t seed) {
  Random random(seed);
  std::string text(any_file(random));
  for (std::uint32_t k = 1 + random.below(kMostChanges); k > 0; --k) change(text, random);
  return text;
}

isa::Result<isa::MeasuredProfile> read(const std::string& text) {
  script::Options options;
  options.file = "own.lua";
  options.path = "-";
  options.limits = {.memory_bytes = std::uint64_t{16} << 20, .instructions = 100'000};
  options.print = options.log = [](std::string_view) {};
  isa::InputList inputs;
  return script::read_machine(text, options, inputs);
}

// What is wrong about how the machine runs the program; it may refuse it, and need not end it.
std::string run(const isa::Profile& profile) {
  assembler::Output output =
      assembler::assemble({"program.wsa", kProgram}, {.overrides = {}, .profile = profile});
  if (!output.image) return output.diagnostics.empty() ? "no image and no reason" : "";
  if (vm::memory_need(*output.image, profile).queue_bytes > kMostQueueBytes) return "";
  const auto machine = vm::Machine::create(std::move(*output.image), profile, {.threads = 1});
  if (!machine) return machine.error().message.empty() ? "refused without a reason" : "";
  const vm::Record record = (*machine)->run({.max_cycles = kMostCycles});
  const bool ends =
      record.status == vm::RunStatus::Halted || record.status == vm::RunStatus::CycleLimit;
  // Where a stretch has a few instructions and they take no time, that is a loop.
  const bool no_progress = record.status == vm::RunStatus::Trap &&
                           record.message.contains(isa::info(isa::Trap::NoProgress).text);
  return ends || no_progress ? "" : record.message;
}

struct Counts {
  std::uint32_t accepted = 0;
  std::uint32_t refused = 0;
};

std::string trouble(const std::string& text, Counts& counts) {
  const isa::Result<isa::MeasuredProfile> machine = read(text);
  ++(machine ? counts.accepted : counts.refused);
  if (!machine) return machine.error().empty() ? "refused without a reason" : "";
  if (const isa::Status status = isa::check(machine->profile); !status) return status.error();
  std::string wrong = run(machine->profile);
  if (!wrong.empty() || !text.contains("intervals")) return wrong;
  const isa::Result<isa::EndProfiles> ends = isa::end_profiles(*machine);
  if (!ends) return "";  // inherited ones may not go with what the file changes
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = machine->profile.*parameter.member;
    const bool holds =
        ends->low.*parameter.member <= value && value <= ends->high.*parameter.member;
    if (!holds) return fmt::format("{} is outside of its interval", parameter.name);
  }
  wrong = run(ends->low);
  return wrong.empty() ? run(ends->high) : wrong;
}

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int count, char** words) {
  std::uint32_t first = 0;
  std::uint32_t texts = 0;
  if (count != 3 || !read_number(words[1], first) || !read_number(words[2], texts)) {
    fmt::print(stderr, "mutated_machines FIRST COUNT\n");
    return 2;
  }
  Counts counts;
  for (std::uint32_t seed = first; seed - first < texts; ++seed) {
    const std::string text = mutated(seed);
    const std::clock_t begin = std::clock();
    std::string wrong = trouble(text, counts);
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (took > kMostSeconds) wrong = fmt::format("it takes {} seconds", took);
    if (wrong.empty()) continue;
    fmt::print("{}\n----\nseed {}: {}\n", text, seed, wrong);
    return 1;
  }
  fmt::print("{} machines, {} refused\n", counts.accepted, counts.refused);
  const bool blind = std::min(counts.accepted, counts.refused) < texts / 8;
  if (blind) fmt::print("too few of one kind\n");
  return blind ? 1 : 0;
}
