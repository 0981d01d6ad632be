// Processes of strips that are killed in the middle of a run: each of the others ends with one
// error that names a lost strip, soon, whatever it waits for.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/differential/compare.h"
#include "tests/differential/runs.h"
#include "tests/support/processes.h"
#include "tests/support/random.h"
#include "vm/run/joined_machine.h"
#include "vm/run/share.h"

namespace wse::differential {
namespace {

using test_support::Processes;

// Runs a program in so many processes, of which one is killed once it has sent so many frames.
// Returns the result of those that have strips.
std::vector<Processes::Result> run_and_lose(const Generated& program, vm::TransportChoice transport,
                                            std::uint32_t processes, std::uint32_t lost,
                                            std::uint32_t frames) {
  Comparison comparison;
  const auto image = assembled(program, comparison).image;
  EXPECT_TRUE(image) << comparison.difference;
  const Setup setup = setup_of(program, *image);
  Processes forked;
  forked.lose(lost, frames);
  auto results = forked.fork(processes, [&](vm::ProcessMedium& medium, std::uint32_t) {
    const auto run = begin(setup, {program.max_cycles(), 1, transport, &medium});
    if (vm::Share(*run->machine).pes().empty()) return std::vector<std::byte>(2);
    run->machine->advance(program.max_cycles());
    static_cast<void>(
        vm::JoinedMachine::share_of(*run->machine, {}));  // others may need words of it
    return std::vector<std::byte>(1);
  });
  std::erase_if(results, [](const Processes::Result& result) { return result.bytes.size() == 2; });
  return results;
}

// Returns whether the strip was lost: others must end with one line of an error, or, if it was not,
// with a result.
bool judge(const std::vector<Processes::Result>& results, std::uint32_t lost,
           const std::string& which) {
  const std::string killed = fmt::format("its process was ended by signal {}", SIGKILL);
  const bool was_lost = results[lost].error == killed;
  for (std::uint32_t strip = 0; strip < results.size(); ++strip) {
    const std::string& error = results[strip].error;
    if (strip == lost) continue;
    if (was_lost && results[strip].bytes.empty()) {
      EXPECT_TRUE(error.starts_with("process ") && error.contains(" has ended"))
          << which << ", strip " << strip << ": " << error;
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    } else if (!was_lost) {
      EXPECT_EQ(error, "") << which << ", strip " << strip;
    }
  }
  return was_lost;
}

void lose_strips(Generated (*generate_program)(std::uint32_t), vm::TransportChoice transport) {
  constexpr std::uint32_t kPrograms = 16;
  std::uint32_t lost_runs = 0;
  std::uint32_t runs = 0;
  for (std::uint32_t seed = 1; seed <= kPrograms; ++seed) {
    test_support::Random random(seed);
    const std::uint32_t strips = 2 + seed % 3;
    const std::uint32_t lost = random.below(2);
    const std::uint32_t frames = random.below(1 << random.below(9));
    const auto results = run_and_lose(generate_program(seed), transport, strips, lost, frames);
    if (results.size() < 2) continue;
    ++runs;
    const std::string which =
        fmt::format("seed {}, strip {} of {} after {} frames", seed, lost, results.size(), frames);
    lost_runs += judge(results, lost, which) ? 1 : 0;
  }
  EXPECT_GE(2 * runs, kPrograms) << "with more than one strip";
  EXPECT_GE(4 * lost_runs, runs) << "in which a strip was lost";
}

TEST(LostStrips, OfSteppersEndTheOthers) {
  lose_strips(generate_tall, vm::TransportChoice::Stepper);
}

TEST(LostStrips, OfPlanesEndTheOthers) {
  lose_strips(generate_borders, vm::TransportChoice::Wafer);
}

}  // namespace
}  // namespace wse::differential
