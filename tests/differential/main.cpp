// differential FIRST COUNT [THREADS | text | hypercube | machines | strips | transports | alike |
// cohorts | mixed | borders | stops | restores[=STATES] | cones | paths | whys | PROFILE]:
// random programs FIRST .. FIRST + COUNT - 1 on the machine and on the oracle; text prints them,
// hypercube takes messages in hypercubes, machines those of which any number may be anything,
// strips meshes of four rows and machines that run on 1, 2 and 3 threads, transports programs of
// which the wafer takes all, alike the same on meshes of many PEs that do alike, cohorts those with
// cohorts and without (with_cohorts.h), mixed programs in which one colour carries words and
// control wavelets, borders long messages that are cut beside borders of the wafer's blocks and
// strips, stops machines that stop on the way and continue (stops.h), restores machines that others
// take up, at STATES random cycles of each program (restores.h), cones rectangles that are run
// alone (cones.h), paths what runs waited for (paths.h), whys what PEs waited for at a cycle
// (whys.h), a profile's name machines made of that one alone. The oracle judges the stepper, traced
// and not, and the wafer, if it takes the program.
// Ends with 1 at the first difference, with the program and the way to repeat it, or if the set has
// met too little.
//
// differential --shrink SEED [SET]: the smallest program found that fails as that of the seed does,
// see shrink_report.h.
#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/differential/compare.h"
#include "tests/differential/cones.h"
#include "tests/differential/paths.h"
#include "tests/differential/restores.h"
#include "tests/differential/set_profile.h"
#include "tests/differential/shrink_report.h"
#include "tests/differential/stops.h"
#include "tests/differential/whys.h"
#include "tests/differential/with_cohorts.h"

namespace {

using namespace wse::differential;

constexpr std::string_view kHypercube = "hypercube";
constexpr std::string_view kMachines = "machines";
constexpr std::string_view kStrips = "strips";
constexpr std::string_view kTransports = "transports";
constexpr std::string_view kAlike = "alike";
constexpr std::string_view kCohorts = "cohorts";
constexpr std::string_view kMixed = "mixed";
constexpr std::string_view kBorders = "borders";
constexpr std::string_view kStops = "stops";
constexpr std::string_view kRestores = "restores";
constexpr std::string_view kCones = "cones";
constexpr std::string_view kPaths = "paths";
constexpr std::string_view kWhys = "whys";

// PEs of a mesh of which many do alike: few for the oracle, and those of several blocks of planes.
constexpr std::uint32_t kFewPes = 160;
constexpr std::uint32_t kManyPes = 2000;

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns how many states of each program the word asks for: `restores` or restores=STATES; 0 if it
// is another word.
std::uint32_t restored_states(std::string_view word) {
  if (word == kRestores) return kFewStates;
  if (!word.starts_with(kRestores) || word[kRestores.size()] != '=') return 0;
  std::uint32_t states = 0;
  return read_number(word.substr(kRestores.size() + 1), states) ? states : 0;
}

// The profile's name and what is different from it.
std::string machine_text(const wse::isa::Profile& profile) {
  const wse::isa::Profile plain = *wse::isa::find_profile(profile.name);
  std::string text = profile.name;
  for (const wse::isa::ParameterInfo& parameter : wse::isa::kParameters) {
    const std::uint32_t value = profile.*parameter.member;
    if (value != plain.*parameter.member) text += fmt::format(" {}={}", parameter.name, value);
  }
  return text;
}

std::string report(std::uint32_t seed, const Generated& program, const std::string& difference,
                   std::string_view mode) {
  constexpr std::size_t kShown = 3000;
  const std::string late =
      program.jitter ? fmt::format(", jitter {}:{}", program.jitter->seed, program.jitter->cycles)
                     : "";
  return fmt::format("{}\nseed {} on {}{}:\n{}repeat it with: differential {} 1{}\n", program.text,
                     seed, machine_text(program.profile), late, difference.substr(0, kShown), seed,
                     mode.empty() ? "" : fmt::format(" {}", mode));
}

// Which transport took how many programs.
class Transports {
 public:
  void add(const Comparison& comparison, const std::string& text) {
    ++programs_;
    if (comparison.strips > 1) ++shared_;
    if (text.contains("\n    map ") || text.contains("\n  map ")) ++mapping_;
    if (text.contains(", packed")) ++packing_;
    if (text.contains(".fifo q")) ++queueing_;
    if (text.contains("getleft")) ++leaving_;
    if (text.contains("on_control=")) ++controlled_;
    if (!comparison.left_to_stepper.empty()) ++refusals_[comparison.left_to_stepper];
  }
  // The wafer must have taken all: the set has nothing that it refuses. A third of it has mapped
  // instructions, a tenth packed wavelets, half of it FIFOs, half of it instructions that may end
  // early, a third instructions that take control
  // wavelets, an eighth runs on several threads.
  std::string missing() const {
    if (8 * shared_ < programs_) {
      return fmt::format("only {} of {} programs on several threads\n", shared_, programs_);
    }
    if (3 * mapping_ < programs_) {
      return fmt::format("only {} of {} programs map\n", mapping_, programs_);
    }
    if (10 * packing_ < programs_) {
      return fmt::format("only {} of {} programs pack wavelets\n", packing_, programs_);
    }
    if (2 * queueing_ < programs_ || 2 * leaving_ < programs_) {
      return fmt::format("only {} of {} programs use FIFOs, {} without waiting\n", queueing_,
                         programs_, leaving_);
    }
    if (3 * controlled_ < programs_) {
      return fmt::format("only {} of {} programs take control wavelets by instructions\n",
                         controlled_, programs_);
    }
    return refusals_.empty() ? "" : text();
  }
  std::uint64_t refused() const {
    std::uint64_t refused = 0;
    for (const auto& [reason, count] : refusals_) refused += count;
    return refused;
  }
  std::string text() const {
    std::string text;
    for (const auto& [reason, count] : refusals_) text += fmt::format("  {}: {}\n", reason, count);
    return fmt::format(
        "{} of {} programs on the wafer, {} of them on several threads, {} with FIFOs, {} take "
        "control wavelets by instructions; refused:\n{}",
        programs_ - refused(), programs_, shared_, queueing_, controlled_, text);
  }

 private:
  std::uint64_t programs_ = 0;
  std::uint64_t mapping_ = 0;
  std::uint64_t shared_ = 0;
  std::uint64_t packing_ = 0;
  std::uint64_t queueing_ = 0;
  std::uint64_t leaving_ = 0;
  std::uint64_t controlled_ = 0;
  std::map<std::string, std::uint64_t> refusals_;
};

// Programs of a set, shared by some threads. The first difference that any of them meets ends all.
class Set {
 public:
  // `mode`: "hypercube", "machines", a profile's name, or nothing.
  Set(std::uint32_t first, std::uint32_t programs, std::string_view mode)
      : first_(first),
        next_(first),
        end_(first + programs),
        mode_(mode),
        states_(restored_states(mode)) {}

  void run(std::uint32_t threads) {
    std::vector<std::jthread> workers;
    for (std::uint32_t k = 0; k < threads; ++k) workers.emplace_back([this] { work(); });
  }
  const SetProfile& profile() const { return profile_; }
  const std::string& failure() const { return failure_; }
  const Transports& transports() const { return transports_; }
  const BorderProfile& borders() const { return borders_; }
  // Steps of paths that the oracle has judged.
  std::uint64_t judged_steps() const { return judged_steps_; }
  Generated generate_program(std::uint32_t seed) const {
    if (mode_ == kHypercube) return generate_hypercube(seed);
    if (mode_ == kMachines) return generate_any_machine(seed);
    if (mode_ == kStrips && seed % 8 == 1) return generate_borders(seed);  // of several blocks
    if (mode_ == kStrips) return seed % 16 == 0 ? generate(seed) : generate_tall(seed);
    if (mode_ == kTransports) return generate_plain(seed);
    if (mode_ == kAlike) return generate_alike(seed, kFewPes);
    if (mode_ == kCohorts) return generate_alike(seed, seed % 16 == 0 ? kManyPes : kFewPes);
    if (mode_ == kMixed) return generate_mixed(seed);
    if (mode_ == kBorders) return generate_borders(seed);
    if (mode_ == kStops) return seed % 2 == 0 ? generate_mixed(seed) : generate_plain(seed);
    if (mode_ == kCones) return seed % 2 == 0 ? generate_mixed(seed) : generate_any_machine(seed);
    if (states_ > 0 || mode_ == kPaths || mode_ == kWhys) {
      constexpr Generated (*kMakers[])(std::uint32_t) = {
          generate_mixed, generate_plain, generate_any_machine, generate_tall, generate_hypercube};
      return kMakers[seed % std::size(kMakers)](seed);
    }
    return generate(seed, mode_);
  }
  // Returns the differences of a program that assembles; empty if all sides agree.
  std::string difference(const Generated& program) const {
    return compare_program(program, first_).difference;
  }
  // Returns what the set has met.
  std::string text() const {
    if (states_ > 0) return restores_.text();
    if (mode_ == kCones) return cones_.text();
    const bool on_both = mode_ == kTransports || mode_ == kAlike || mode_ == kCohorts ||
                         mode_ == kMixed || mode_ == kBorders || mode_ == kStops ||
                         mode_ == kPaths || mode_ == kWhys;
    return (on_both ? transports_.text() : profile_.text()) +
           (processes_.is_empty() ? "" : processes_.text());
  }
  // Half of what is mixed must come to its end, two thirds start tasks by control wavelets beside
  // an instruction that receives, and the wafer must have taken all.
  std::string missing_mixed() const {
    const std::uint32_t programs = end_ - first_;
    if (2 * halted_ < programs) {
      return fmt::format("only {} of {} programs halted\n", halted_, programs);
    }
    if (3 * controlled_ < 2 * programs) {
      return fmt::format("only {} of {} programs start control tasks\n", controlled_, programs);
    }
    return transports_.refused() == 0 ? "" : transports_.text();
  }
  // Returns what is rare among states that were taken up and rectangles that were run alone.
  std::string missing_replays() const { return restores_.missing() + cones_.missing(); }
  // In half of the programs cores must join cohorts.
  std::string missing_alike() const {
    const std::uint32_t programs = end_ - first_;
    if (2 * joining_ >= programs) return "";
    return fmt::format("only in {} of {} programs cores join cohorts\n", joining_, programs);
  }
  // Half of the programs must send over every row; and see ProcessCounts.
  std::string missing_strips() const {
    const std::uint32_t programs = end_ - first_;
    if (2 * crossing_ < programs) {
      return fmt::format("only {} of {} programs cross every row\n", crossing_, programs);
    }
    return processes_.missing(programs);
  }

 private:
  Comparison compare_program(const Generated& program, std::uint32_t seed) const {
    if (states_ > 0) return compare_restores(program, seed, states_);
    if (mode_ == kCones) return compare_cones(program, seed);
    if (mode_ == kPaths) return compare_paths(program, seed);
    if (mode_ == kWhys) return compare_whys(program, seed);
    if (mode_ == kCohorts) return compare_cohorts(program, seed);
    return mode_ == kStops ? compare_stops(program, seed) : compare(program, threads());
  }
  void work() {
    for (std::uint32_t seed = next_++; seed < end_; seed = next_++) {
      const Generated program = generate_program(seed);
      const Comparison comparison = compare_program(program, seed);
      const std::lock_guard lock(mutex_);
      if (!failure_.empty()) return;
      report_progress();
      if (comparison.difference.empty()) {
        crossing_ += comparison.crosses_rows ? 1 : 0;
        joining_ += comparison.joined_visits > 0 ? 1 : 0;
        judged_steps_ += comparison.judged_steps;
        halted_ += comparison.outcome.end == wse::oracle::End::Halted ? 1 : 0;
        controlled_ += comparison.outcome.met.contains("task control") ? 1 : 0;
        processes_.add(comparison.processes);
        restores_.add(comparison.restores);
        cones_.add(comparison.cones);
        if (mode_ == kMachines) profile_.add_machine(program.profile, comparison.refused);
        if (!comparison.refused) profile_.add(program.profile, comparison.outcome);
        if (!comparison.refused) profile_.add_forms(program.text);
        if (!comparison.refused) transports_.add(comparison, program.text);
        if (program.at_borders) {
          borders_.add(comparison.cuts, comparison.outcome.end, comparison.strips);
        }
      } else {
        failure_ = report(seed, program, comparison.difference, mode_);
      }
    }
  }

  // Says on stderr how far a large set is: one that is broken off has shown that much.
  void report_progress() {
    constexpr std::uint32_t kEvery = 500;
    if (++compared_ % kEvery == 0) {
      fmt::print(stderr, "{} of {} programs compared\n", compared_, end_ - first_);
    }
  }

  std::span<const std::uint32_t> threads() const {
    static constexpr std::uint32_t kThreads[] = {1, 2, 3};
    return std::span(kThreads).first(mode_ == kStrips ? 3 : 1);
  }

  std::uint32_t first_;
  std::atomic<std::uint32_t> next_;
  std::uint32_t end_;
  std::string_view mode_;
  std::uint32_t states_;  // to be taken up of each program; 0: another set
  std::mutex mutex_;
  SetProfile profile_;
  std::string failure_;
  std::uint32_t compared_ = 0;
  std::uint32_t crossing_ = 0;  // programs with four rows and wavelets between any two of them
  std::uint64_t judged_steps_ = 0;
  std::uint32_t joining_ = 0;  // programs with cohorts that cores join
  std::uint32_t halted_ = 0;
  std::uint32_t controlled_ = 0;  // programs in which control wavelets started tasks
  Transports transports_;
  BorderProfile borders_;
  ProcessCounts processes_;
  RestoreCounts restores_;
  ConeCounts cones_;
};

// Whether the word names a set of programs of its own.
bool names_set(std::string_view word) {
  return word == kHypercube || word == kMachines || word == kStrips || word == kTransports ||
         word == kAlike || word == kCohorts || word == kMixed || word == kBorders ||
         word == kStops || restored_states(word) > 0 || word == kCones || word == kPaths ||
         word == kWhys || wse::isa::find_profile(word).has_value();
}

int print_usage() {
  fmt::print(
      stderr,
      "differential FIRST COUNT [THREADS | text | hypercube | machines | strips | "
      "transports | alike | cohorts | mixed | borders | stops | restores[=STATES] | cones | paths "
      "| "
      "whys | PROFILE]\n"
      "differential --shrink SEED [hypercube | machines | strips | transports | alike | "
      "cohorts | mixed | borders | stops | restores[=STATES] | cones | paths | whys | PROFILE]\n");
  return 2;
}

// --shrink SEED [SET]
int shrink_seed(int count, char** words) {
  std::uint32_t seed = 0;
  const std::string mode = count == 4 ? words[3] : "";
  const bool good = (count == 3 || (count == 4 && names_set(mode))) && read_number(words[2], seed);
  if (!good) return print_usage();
  const Set set(seed, 1, mode);
  const std::string name =
      fmt::format("seed {}{}", seed, mode.empty() ? "" : fmt::format(" of {}", mode));
  return print_shrunk(set.generate_program(seed), name,
                      [&](const Generated& program) { return set.difference(program); });
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::string_view(words[1]) == "--shrink") return shrink_seed(count, words);
  std::uint32_t first = 0;
  std::uint32_t programs = 0;
  std::uint32_t threads = 1;
  const bool good =
      (count == 3 || count == 4) && read_number(words[1], first) && read_number(words[2], programs);
  const std::string_view word = good && count == 4 ? words[3] : "1";
  const bool text = word == "text";
  const bool set_of_its_own = names_set(word);
  if (!good || (!text && !set_of_its_own && !read_number(word, threads))) return print_usage();
  for (std::uint32_t k = 0; text && k < programs; ++k) fmt::print("{}", generate(first + k).text);
  Set set(first, programs, set_of_its_own ? word : "");
  set.run(threads);
  std::string missing = set.failure();
  // What a set of its own meets says nothing of the set that must meet everything.
  if (missing.empty() && !set_of_its_own) missing = set.profile().missing();
  if (missing.empty() && word == kMachines) missing = set.profile().missing_machines();
  if (missing.empty() && wse::isa::find_profile(word)) missing = set.profile().missing_maps();
  if (missing.empty() && word == kStrips) missing = set.missing_strips();
  if (missing.empty() && word == kMixed) missing = set.missing_mixed();
  if (missing.empty() && (word == kAlike || word == kCohorts)) missing = set.missing_alike();
  if (missing.empty() && word == kBorders) missing = set.borders().missing();
  if (missing.empty()) missing = set.missing_replays();
  if (missing.empty() && word == kTransports) missing = set.transports().missing();
  if (set.failure().empty()) {
    fmt::print("{}", set.text());
    if (word == kBorders) fmt::print("{}", set.borders().text());
    if (word == kPaths) fmt::print("{} steps judged\n", set.judged_steps());
  }
  fmt::print("{}", missing);
  return missing.empty() ? 0 : 1;
}
