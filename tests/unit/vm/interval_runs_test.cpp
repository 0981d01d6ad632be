// Runs at the ends of intervals: what the record keeps of them, which are made, and where they
// begin.
#include "vm/run/interval_runs.h"

#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::vm {
namespace {

using Expected = std::expected<Record, std::string>;

Record ended(RunStatus status, Cycle cycles, std::string message = "") {
  Record record;
  record.status = status;
  record.cycles = cycles;
  record.message = std::move(message);
  return record;
}

isa::EndProfiles ends_of(std::uint32_t low, std::uint32_t high) {
  isa::MeasuredProfile measured = *isa::find_measured_profile("model");
  measured.profile.load_cycles = 3;
  measured.intervals["load_cycles"] = {low, high};
  return *isa::end_profiles(measured);
}

isa::Profile nominal() {
  isa::Profile profile = *isa::find_profile("model");
  profile.load_cycles = 3;
  return profile;
}

TEST(IntervalRuns, NoteTheCyclesOfBothEnds) {
  Record record = ended(RunStatus::Halted, 30);
  const auto halted =
      run_at_ends(nominal(), ends_of(1, 5), record, [](const isa::Profile& profile) -> Expected {
        return ended(RunStatus::Halted, 10 * profile.load_cycles);
      });
  EXPECT_TRUE(halted.value());
  EXPECT_EQ(record.cycles, 30u);
  EXPECT_EQ(record.cycles_low, 10u);
  EXPECT_EQ(record.cycles_high, 50u);
  EXPECT_TRUE(record.message.empty());
}

TEST(IntervalRuns, AnEndOfTheSameNumbersIsNotRun) {
  Record record = ended(RunStatus::Halted, 30);
  std::vector<std::uint32_t> runs;
  const auto halted =
      run_at_ends(nominal(), ends_of(3, 5), record, [&](const isa::Profile& profile) -> Expected {
        runs.push_back(profile.load_cycles);
        return ended(RunStatus::Halted, 50);
      });
  EXPECT_TRUE(halted.value());
  EXPECT_EQ(runs, std::vector<std::uint32_t>{5});
  EXPECT_EQ(record.cycles_low, 30u);
}

TEST(IntervalRuns, AnEndThatDoesNotHaltHasAMessageInPlaceOfCycles) {
  Record record = ended(RunStatus::Halted, 30, "1 wavelet is left over");
  const auto halted =
      run_at_ends(nominal(), ends_of(1, 5), record, [](const isa::Profile& profile) -> Expected {
        return profile.load_cycles == 1 ? ended(RunStatus::Deadlock, 7, "PE (0, 0) waits")
                                        : ended(RunStatus::Halted, 50);
      });
  EXPECT_FALSE(halted.value());
  EXPECT_FALSE(record.cycles_low);
  EXPECT_EQ(record.cycles_high, 50u);
  EXPECT_EQ(record.message,
            "1 wavelet is left over\nwith every constant at the low end of its interval: deadlock "
            "after 7 cycles\nPE (0, 0) waits");
  EXPECT_EQ(record.status, RunStatus::Halted);
  Record differing = ended(RunStatus::Halted, 40);
  differing.engine_problem = "the engines differ";
  EXPECT_FALSE(note_end(record, isa::End::High, differing));
  EXPECT_TRUE(record.message.ends_with("\nthe engines differ"));
}

TEST(IntervalRuns, AfterAnInterruptThereIsNoOther) {
  Record record = ended(RunStatus::Halted, 30);
  int runs = 0;
  const auto halted =
      run_at_ends(nominal(), ends_of(1, 5), record, [&runs](const isa::Profile&) -> Expected {
        ++runs;
        return ended(RunStatus::Interrupted, 3);
      });
  EXPECT_FALSE(halted.value());
  EXPECT_EQ(runs, 1);
}

TEST(IntervalRuns, AnErrorEndsThem) {
  Record record = ended(RunStatus::Halted, 30);
  const auto failed =
      run_at_ends(nominal(), ends_of(1, 5), record,
                  [](const isa::Profile&) -> Expected { return std::unexpected("no memory"); });
  EXPECT_EQ(failed.error(), "no memory");
  EXPECT_FALSE(record.cycles_low);
}

TEST(IntervalRuns, BeginWithTheWordsOfBefore) {
  const std::string text =
      ".grid 2, 1\n.program p\n  .i32 v[2] exported = 10 * x + i\n  task main:\n"
      "    mov32 v[1], 7\n.place p at (0..1, 0)\n";
  const auto has_run = test_support::simulate(text, {.arrays = {{"v", {1, 2, 3, 4}}}});
  auto machine = *Machine::create(has_run.machine->image(), has_run.machine->profile());
  ASSERT_TRUE(
      machine->write_array("v", *machine->array("v"), std::vector<std::uint32_t>{5, 6, 8, 9}));
  const auto first = FirstWords::of(*machine, {"v"});
  ASSERT_TRUE(first) << first.error();
  machine->run({});
  auto again = *Machine::create(machine->image(), machine->profile());
  ASSERT_TRUE(first->put_into(*again));
  EXPECT_EQ(*again->read_array("v"), (std::vector<std::uint32_t>{5, 6, 8, 9}));
  again->run({});
  EXPECT_EQ(*again->read_array("v"), (std::vector<std::uint32_t>{5, 7, 8, 7}));
  EXPECT_FALSE(FirstWords::of(*machine, {"w"}));
}

}  // namespace
}  // namespace wse::vm
