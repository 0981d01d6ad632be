// Critical paths on the profile `model`: the terms of the closed forms, each as the steps of its
// kinds, to the cycle; and paths to other events than the last.
#include "tests/laws/law.h"
#include "vm/path/critical_path.h"
#include "vm/path/segments.h"

namespace wse::test_laws::paths {
namespace {

using test_support::simulate;
using test_support::simulate_program;
using test_support::Simulation;
using vm::CriticalPath;
using vm::StepKind;

constexpr std::uint64_t kPes[] = {2, 3, 8, 64, 200};
constexpr std::uint64_t kWords[] = {1, 2, 16, 255};
constexpr vm::Cycle kDepth = 5;  // 2 T_R + 1 of the profile

vm::Cycle cycles_of(const CriticalPath& path, std::initializer_list<StepKind> kinds) {
  vm::Cycle sum = 0;
  for (const StepKind kind : kinds) sum += path.by_kind[static_cast<std::size_t>(kind)];
  return sum;
}
vm::Cycle contention(const CriticalPath& path) {
  return cycles_of(
      path, {StepKind::Issue, StepKind::Queue, StepKind::Room, StepKind::Slot, StepKind::Bank});
}
vm::Cycle distance(const CriticalPath& path) { return cycles_of(path, {StepKind::Link}); }
vm::Cycle depth(const CriticalPath& path) {
  return cycles_of(path, {StepKind::Ramp, StepKind::SetUp, StepKind::Drain, StepKind::Scalar,
                          StepKind::Task, StepKind::Switch});
}

CriticalPath path_of(const Simulation& simulation) {
  const auto path = vm::critical_path(*simulation.machine, simulation.record.cycles);
  EXPECT_TRUE(path);
  if (!path) return {};
  EXPECT_EQ(path->unexplained, 0u);
  return *path;
}

// Calls check(path, P, B) for runs of a program of programs/ in many sizes.
template <class Check>
void for_all_sizes(const std::string& program, Check check) {
  for (const std::uint64_t p : kPes) {
    for (const std::uint64_t b : kWords) {
      SCOPED_TRACE(program + " P=" + std::to_string(p) + " B=" + std::to_string(b));
      const Simulation simulation =
          simulate_program(program, {.values = {{"P", std::to_string(p)}, {"B", std::to_string(b)}},
                                     .path = vm::PathTarget()});
      const CriticalPath path = path_of(simulation);
      EXPECT_EQ(path.cycles, simulation.record.cycles);
      EXPECT_EQ(contention(path) + distance(path) + depth(path), path.cycles);
      check(path, p, b);
    }
  }
}

TEST(Paths, HaveTheTermsOfAMessage) {
  for (const char* const program : {"message", "broadcast"}) {
    for_all_sizes(program, [](const CriticalPath& path, vm::Cycle p, vm::Cycle b) {
      EXPECT_EQ(contention(path), b);
      EXPECT_EQ(distance(path), p - 1);
      EXPECT_EQ(depth(path), kDepth);
    });
  }
}

TEST(Paths, HaveTheTermsOfAChain) {
  for_all_sizes("reduce-chain", [](const CriticalPath& path, vm::Cycle p, vm::Cycle b) {
    EXPECT_EQ(contention(path), b);
    EXPECT_EQ(distance(path), p - 1);
    EXPECT_EQ(depth(path), kDepth * (p - 1));
  });
}

TEST(Paths, HaveTheTermsOfAStar) {
  for_all_sizes("reduce-star", [](const CriticalPath& path, vm::Cycle p, vm::Cycle b) {
    EXPECT_EQ(contention(path), b * (p - 1));
    EXPECT_EQ(distance(path), 1u);
    EXPECT_EQ(depth(path), kDepth);
  });
}

// A level is as long as its vector, or as the way of its first word, whichever is longer.
TEST(Paths, HaveTheTermsOfATree) {
  for (const vm::Cycle p : {2, 4, 16, 64, 512}) {
    for (const vm::Cycle b : kWords) {
      SCOPED_TRACE("P=" + std::to_string(p) + " B=" + std::to_string(b));
      const CriticalPath path = path_of(simulate_program(
          "reduce-tree", {.values = {{"P", std::to_string(p)}, {"B", std::to_string(b)}},
                          .path = vm::PathTarget()}));
      vm::Cycle words = b;
      vm::Cycle links = 1;
      vm::Cycle levels = 1;
      for (vm::Cycle hops = 2; hops < p; hops *= 2) {
        const bool is_long = b >= hops + kDepth;
        words += is_long ? b : 0;
        links += is_long ? 0 : hops;
        levels += is_long ? 0 : 1;
      }
      EXPECT_EQ(contention(path), words);
      EXPECT_EQ(distance(path), links);
      EXPECT_EQ(depth(path), kDepth * levels);
    }
  }
}

// Groups of S PEs, then a chain of their leaders: the same choice once, for the second leader.
TEST(Paths, HaveTheTermsOfTwoPhases) {
  for (const vm::Cycle p : {16, 64}) {
    for (const vm::Cycle s : {2, 4, 8}) {
      for (const vm::Cycle b : kWords) {
        SCOPED_TRACE("P=" + std::to_string(p) + " S=" + std::to_string(s) +
                     " B=" + std::to_string(b));
        const CriticalPath path =
            path_of(simulate_program("reduce-two-phase", {.values = {{"P", std::to_string(p)},
                                                                     {"S", std::to_string(s)},
                                                                     {"B", std::to_string(b)}},
                                                          .path = vm::PathTarget()}));
        const bool is_long = b >= s + kDepth;
        const vm::Cycle leaders = p / s - 2 + (is_long ? 0 : 1);  // that the path leads through
        EXPECT_EQ(contention(path), is_long ? 2 * b : b);
        EXPECT_EQ(distance(path), s - 1 + s * leaders);
        EXPECT_EQ(depth(path), kDepth * (s - 1 + leaders));
      }
    }
  }
}

// A chain to PE 0, then a broadcast from it, which begins once the root has its sum: each term is
// that of the chain and that of the broadcast, with a vector's words in each.
TEST(Paths, HaveTheTermsOfAnAllReduce) {
  for (const std::uint64_t p : kPes) {
    for (const std::uint64_t b : kWords) {
      SCOPED_TRACE("P=" + std::to_string(p) + " B=" + std::to_string(b));
      const Simulation simulation = simulate_program(
          "row-root",
          {.values = {{"W", std::to_string(p)}, {"B", std::to_string(b)}, {"root", "0"}},
           .path = vm::PathTarget()});
      const CriticalPath path = path_of(simulation);
      EXPECT_EQ(path.cycles, simulation.record.cycles);
      EXPECT_EQ(contention(path), b + b);
      EXPECT_EQ(distance(path), (p - 1) + (p - 1));
      EXPECT_EQ(depth(path), kDepth * (p - 1) + kDepth);
      EXPECT_EQ(contention(path) + distance(path) + depth(path), path.cycles);
    }
  }
}

// A word waits in the FIFO for the pop of the microthread beside it, for a cycle; where the FIFO is
// full, the push waits for the pop. Neither is a wait for the issue slot, although both threads
// have it in these cycles.
TEST(Paths, LeadThroughAFifo) {
  for (const vm::Cycle work : {1, 3}) {
    for (const vm::Cycle b : {1, 8, 32}) {
      SCOPED_TRACE("WORK=" + std::to_string(work) + " B=" + std::to_string(b));
      const auto path_to = [&](vm::Cycle places, const vm::PathTarget& target) {
        return path_of(
            simulate_program("pipeline-fifo", {.values = {{"BURSTS", "2"},
                                                          {"B", std::to_string(b)},
                                                          {"M", std::to_string(places)},
                                                          {"WORK", std::to_string(work)}},
                                               .path = target}));
      };
      const CriticalPath to_end = path_to(2 * b, {});
      EXPECT_EQ(to_end.cycles, 2 * b * (work + 1) + 13);
      EXPECT_EQ(cycles_of(to_end, {StepKind::Queue}), 1u);
      EXPECT_EQ(cycles_of(to_end, {StepKind::Slot}), 0u);
      const CriticalPath to_sent = path_to(2, {.mark = 1});  // of begin, sent, end
      EXPECT_EQ(cycles_of(to_sent, {StepKind::Slot}), 0u);
      EXPECT_EQ(cycles_of(to_sent, {StepKind::Room}) > 0, b == 32);
    }
  }
}

TEST(Paths, TellOnceWhatRepeats) {
  const Simulation simulation =
      simulate_program("message", {.values = {{"P", "64"}, {"B", "16"}}, .path = vm::PathTarget()});
  const CriticalPath path = path_of(simulation);
  const auto segments = vm::segments_of(path.steps, simulation.machine->image().topology());
  ASSERT_EQ(segments.size(), 4u);     // between them the ramps
  EXPECT_EQ(segments[1].times, 63u);  // links
  EXPECT_EQ(segments[1].cycles(), 63u);
  ASSERT_EQ(segments[3].steps.size(), 1u);
  EXPECT_EQ(segments[3].cycles(), 16u);  // issues of the receiver
}

constexpr const char* kTwoMarks = R"(
.grid 4, 1
.colour red
.program sender
  .f32 x[8]
  task main:
    mark first
    fmovs fabout(red), x
    mark second
    halt
.program receiver
  .f32 y[8]
  task main:
    fmovs y, fabin(red)
    halt
.place sender at (0, 0)
.place receiver at (3, 0)
.route red at (0, 0): ramp -> east
.route red at (1..2, 0): west -> east
.route red at (3, 0): west -> ramp
)";

TEST(Paths, LeadToAMark) {
  const vm::PathTarget to_second{.mark = 1};
  const Simulation simulation = simulate(kTwoMarks, {.path = to_second});
  const CriticalPath path = path_of(simulation);
  EXPECT_EQ(path.cycles, first(simulation, "second"));
  EXPECT_EQ(path.steps.back().pe, 0u);
}

TEST(Paths, LeadToAnEventOfAPe) {
  const Simulation simulation = simulate(kTwoMarks, {.path = vm::PathTarget{.pe = 1, .until = 6}});
  const CriticalPath path = path_of(simulation);
  EXPECT_LE(path.cycles, 6u);
  EXPECT_EQ(path.steps.back().pe, 1u);
  EXPECT_EQ(path.steps.back().kind, StepKind::Link);
  EXPECT_EQ(cycles_of(path, {StepKind::Issue}) + cycles_of(path, {StepKind::Ramp}) + distance(path),
            path.cycles);
}

TEST(Paths, AreNoneWhereNothingHappens) {
  const Simulation simulation = simulate(kTwoMarks, {.path = vm::PathTarget{.pe = 1, .until = 0}});
  EXPECT_FALSE(vm::critical_path(*simulation.machine, simulation.record.cycles));
}

}  // namespace
}  // namespace wse::test_laws::paths
