// Programs of which it is known how many PEs do the same.
#include "tests/cohorts/census.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"

namespace wse::cohorts {
namespace {

constexpr std::uint64_t kPes = 64;

// A program whose PEs start a task five times, after `first`, which it does once.
std::string text_of(const std::string& first, const std::string& places,
                    const std::string& data = "") {
  const auto program = [&](const std::string& name) {
    return fmt::format(R"(
.program {}(late: i32)
  .reg k, n
  {}
  task main:
    mov32 k, 0
    {}
    activate again
  task again:
    add32 k, k, 1
    bge   k, 5, done
    activate again
    end
  done:
    halt
)",
                       name, data, first);
  };
  return ".grid 8, 8\n" + program("one") + program("other") + places;
}

const std::string kAllOne = ".place one at (0..7, 0..7) with late = 0\n";

CensusCounts count(const std::string& text, vm::TransportChoice transport,
                   std::uint64_t every = 1) {
  const isa::Profile profile = *isa::find_profile("model");
  assembler::Output output =
      assembler::assemble({"cohorts.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  if (!output.image) return {};
  auto machine = vm::Machine::create(std::move(*output.image), profile,
                                     {.threads = 1, .transport = transport});
  EXPECT_TRUE(machine) << machine.error().message;
  if (!machine) return {};
  vm::SteppedRun run(**machine);
  CensusCounts counts = Census(run, every).count();
  EXPECT_EQ(run.trap(), "");
  return counts;
}

class Census_ : public testing::TestWithParam<vm::TransportChoice> {};

TEST_P(Census_, FindsOneStateWhereAllAreEqual) {
  const CensusCounts counts = count(text_of("", kAllOne), GetParam());
  EXPECT_EQ(counts.pes, kPes);
  EXPECT_EQ(counts.blocks, 1);
  EXPECT_EQ(counts.cycles, 6);  // main, and five tasks
  EXPECT_EQ(counts.visits.things, kPes * counts.cycles);
  EXPECT_EQ(counts.visits.sets, counts.cycles);
  EXPECT_EQ(counts.visits_by_instance.sets, counts.cycles);
  EXPECT_EQ(counts.visits_of_wafer, counts.cycles);
  EXPECT_EQ(counts.different_visits, 4);  // main, the task after it, after itself, and the last one
  EXPECT_EQ(counts.states.sets, counts.looks);
  EXPECT_EQ(counts.states_by_instance, counts.looks);
  EXPECT_EQ(counts.largest, kPes * counts.looks);
  EXPECT_EQ(counts.cohorts.visits, counts.cycles);
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{0, 0, 0}));
  EXPECT_EQ(counts.cohorts.joins, 0);
  EXPECT_EQ(counts.cohorts.lives, 1);
  EXPECT_EQ(counts.cohorts.pe_life_cycles, kPes * counts.last);
  EXPECT_GT(counts.changed_registers, 0);
  EXPECT_EQ(counts.equal_registers, counts.changed_registers);
}

TEST_P(Census_, FindsTwoStatesOfACheckerboard) {
  const std::string places = R"(
.place one at (0..7 step 2, 0..7 step 2) with late = 0
.place one at (1..7 step 2, 1..7 step 2) with late = 0
.place other at (0..7 step 2, 1..7 step 2) with late = 0
.place other at (1..7 step 2, 0..7 step 2) with late = 0
)";
  const CensusCounts counts = count(text_of("", places), GetParam());
  EXPECT_EQ(counts.cycles, 6);
  EXPECT_EQ(counts.visits.things, kPes * counts.cycles);
  EXPECT_EQ(counts.visits.sets, 2 * counts.cycles);
  EXPECT_EQ(counts.states.sets, 2 * counts.looks);
  EXPECT_EQ(counts.largest, kPes / 2 * counts.looks);
  EXPECT_EQ(counts.cohorts.visits, 2 * counts.cycles);
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{0, 0, 0}));
  EXPECT_EQ(counts.cohorts.lives, 2);
}

// Three columns of eight go another way, and come back to the others when a task starts: in time,
// for both ways take as long.
TEST_P(Census_, SplitsWhereDataDecide) {
  const std::string data = ".i32 left = x < 3";
  const std::string branch = R"(
    ld32 n, left
    bne  n, 0, aside
    activate again
    end
  aside:)";
  const CensusCounts counts = count(text_of(branch, kAllOne, data), GetParam());
  EXPECT_EQ(counts.visits.things % kPes, 0);
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{1, 0, 0}));
  EXPECT_EQ(counts.cohorts.joins, 1);
  EXPECT_EQ(counts.equal_registers, counts.changed_registers);  // in each part
  EXPECT_GT(counts.visits.sets, counts.cycles);
  EXPECT_EQ(counts.cohorts.visits, counts.visits.sets);
  EXPECT_EQ(counts.cohorts_at_visits.visits, counts.visits.sets);
}

// No task starts where the ways meet again.
TEST_P(Census_, JoinsAtVisitsAlone) {
  const std::string text = R"(
.grid 8, 8
.colour red
.program one
  .reg n, k
  .f32 v[4]
  .f32 w[4]
  .i32 left = x < 3
  .microthread out
  task main:
    ld32  n, left
    mov32 k, 0
    bne   n, 0, aside
    fmovs fabout(red), v async out
    fmovs w, fabin(red)
    jmp   met
  aside:
    fmovs fabout(red), w async out
    fmovs v, fabin(red)
    jmp   met
  met:
    fmovs fabout(red), v async out
    fmovs w, fabin(red)
    wait  out
    add32 k, k, 1
    blt   k, 4, met
    halt
.place one at (0..7, 0..7)
.route red at (0..7, 0..7): ramp -> ramp
)";
  const CensusCounts counts = count(text, GetParam());
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{1, 0, 0}));
  EXPECT_EQ(counts.cohorts.joins, 0);
  EXPECT_EQ(counts.cohorts_at_visits.joins, 1);
  EXPECT_LT(counts.cohorts_at_visits.visits, counts.cohorts.visits);
}

// Each column has a number of its own, of which no branch depends.
TEST_P(Census_, CountsRegistersThatAreNotEqual) {
  const std::string load = "ld32 n, left";
  const CensusCounts counts = count(text_of(load, kAllOne, ".i32 left = x + 1"), GetParam());
  EXPECT_EQ(counts.equal_registers + 1, counts.changed_registers);
  EXPECT_EQ(counts.visits.sets, counts.cycles);
}

// A parameter decides: no instance goes both ways.
TEST_P(Census_, SplitsWhereInstancesDiffer) {
  const std::string places = ".place one at (0..7, 0..7) with late = x < 3\n";
  const std::string branch = R"(
    mov32 n, late
    bne   n, 0, aside
    activate again
    end
  aside:)";
  const CensusCounts counts = count(text_of(branch, places), GetParam());
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{0, 0, 1}));
  EXPECT_GT(counts.visits_by_instance.sets, counts.visits.sets);
  EXPECT_EQ(counts.states_by_instance, 2 * counts.looks);
}

// A word goes along a row of PEs, which come to its end one after the other.
TEST_P(Census_, SplitsWhereArrivalsAreSkewed) {
  const std::string text = R"(
.grid 8, 8
.colour red
.program first
  .f32 v[2] = i
  task main:
    fmovs fabout(red), v
    halt
.program rest
  .f32 v[2]
  task main:
    fmovs v, fabin(red)
    halt
.place first at (0, 0..7)
.place rest at (1..7, 0..7)
.route red at (0, 0..7): ramp -> east
.route red at (1..6, 0..7): west -> east, ramp
.route red at (7, 0..7): west -> ramp
)";
  const CensusCounts counts = count(text, GetParam());
  EXPECT_EQ(counts.cohorts.splits, (std::array<std::uint64_t, kCauses>{0, 6, 0}));
  EXPECT_EQ(counts.shorts.things, 8);
  EXPECT_EQ(counts.shorts.sets, 1);
  EXPECT_EQ(counts.begun.things, kPes);
  EXPECT_EQ(counts.begun.sets, 2);
  EXPECT_EQ(counts.sends.things, 0);
}

TEST_P(Census_, LooksAtStatesNowAndThen) {
  const CensusCounts counts = count(text_of("", kAllOne), GetParam(), 4);
  EXPECT_EQ(counts.cycles, 6);
  EXPECT_EQ(counts.looks, 2);  // the first and the fifth
  EXPECT_EQ(counts.wafer_states.things, 2);
  EXPECT_EQ(counts.wafer_states.sets, 2);
}

INSTANTIATE_TEST_SUITE_P(Transports, Census_,
                         testing::Values(vm::TransportChoice::Stepper, vm::TransportChoice::Wafer));

}  // namespace
}  // namespace wse::cohorts
