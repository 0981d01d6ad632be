// A wafer on several threads ends as one on one thread does, and as the stepper: words that cross
// borders, also in circles and before their sender has ended; traps, limits, traces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "tests/support/simulation.h"
#include "vm/run/machine.h"

namespace {

using namespace wse;
using vm::TransportChoice;

struct Ended {
  std::unique_ptr<vm::Machine> machine;
  vm::Record record;
};

isa::Image assembled(const std::string& text, const test_support::Values& values = {}) {
  assembler::Output output = assembler::assemble(
      {"threads.wsa", text}, {.overrides = values, .profile = *isa::find_profile("model")});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

Ended run(const isa::Image& image, TransportChoice transport, std::uint32_t threads,
          vm::Cycle max_cycles = vm::kNever, bool traced = false) {
  auto machine = vm::Machine::create(
      image, *isa::find_profile("model"),
      {.threads = threads, .transport = transport, .engine = test_support::test_engine()});
  EXPECT_TRUE(machine);
  vm::RunOptions options{.max_cycles = max_cycles};
  vm::TraceLines lines([](std::string_view) {});
  if (traced) options.trace = &lines;
  Ended ended{std::move(*machine), {}};
  ended.record = ended.machine->run(options);
  return ended;
}

void expect_same(const Ended& expected, const Ended& found, const std::string& symbol) {
  const vm::Record& a = expected.record;
  const vm::Record& b = found.record;
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.counters.hops, b.counters.hops);
  EXPECT_EQ(a.counters.elements, b.counters.elements);
  EXPECT_EQ(a.counters.instructions, b.counters.instructions);
  EXPECT_EQ(a.counters.pe_cycles, b.counters.pe_cycles);
  EXPECT_EQ(a.counters.max_distance, b.counters.max_distance);
  EXPECT_EQ(a.max_link_load, b.max_link_load);
  EXPECT_EQ(a.links_used, b.links_used);
  EXPECT_TRUE(*expected.machine->read_array(symbol) == *found.machine->read_array(symbol));
}

// On 1, 2 and 3 threads, to the end and to some cycles before.
void expect_same_on_threads(const isa::Image& image, const std::string& symbol,
                            vm::RunStatus status = vm::RunStatus::Halted) {
  const Ended whole = run(image, TransportChoice::Stepper, 1);
  EXPECT_EQ(whole.record.status, status) << whole.record.message;
  const vm::Cycle cycles = whole.record.cycles;
  const auto compare = [&](std::uint32_t threads, vm::Cycle limit) {
    SCOPED_TRACE(fmt::format("{} threads, limit {}", threads, limit));
    const Ended moved = run(image, TransportChoice::Wafer, threads, limit);
    EXPECT_EQ(moved.record.transport, "wafer");
    EXPECT_EQ(moved.record.threads, threads);
    expect_same(run(image, TransportChoice::Stepper, 1, limit), moved, symbol);
  };
  for (const std::uint32_t threads : {1, 2, 3}) compare(threads, vm::kNever);
  compare(2, cycles / 2);
  compare(2, cycles - 1);
}

// Every column passes words on from top to bottom, each PE adds to them; the last one takes them a
// few at a time, while those above still send.
TEST(WaferThreads, WordsThatAreTakenBeforeTheirSenderHasEnded) {
  expect_same_on_threads(assembled(R"(
.const W = 40
.const H = 40
.const B = 60
.grid W, H
.colour red, blue
.program head(tx: colour)
  .i32 v[B] = x + i
  task main:
    mov32 fabout(tx), v
.program relay(rx: colour, tx: colour)
  .i32 v[B] = x + y + i
  task main:
    add32 fabout(tx), v, fabin(rx)
.program last(rx: colour)
  .i32 sum[B] exported
  task main:
    mov32 sum[0:7], fabin(rx)
    mov32 sum[7:20], fabin(rx)
    add32 sum[20:B], fabin(rx), 5
.place head at (0..W - 1, 0) with tx = red
.place relay at (0..W - 1, 1..H - 2) with rx = y % 2 ? red : blue, tx = y % 2 ? blue : red
.place last at (0..W - 1, H - 1) with rx = red
.route red at (0..W - 1, 0..H - 2 step 2): ramp -> south
.route red at (0..W - 1, 1..H - 1 step 2): north -> ramp
.route blue at (0..W - 1, 1..H - 2 step 2): ramp -> south
.route blue at (0..W - 1, 2..H - 1 step 2): north -> ramp
)"),
                         "sum");
}

// The top sends on what the bottom sends, which sends on what the top sends: word n needs word
// n - 12, which lies on the other side of each border.
TEST(WaferThreads, WordsThatGoInCircles) {
  expect_same_on_threads(assembled(R"(
.const W = 40
.const H = 40
.const B = 48
.grid W, H
.colour down, up
.program top
  .i32 v[B] = x + i
  .i32 sum[B] exported
  task main:
    add32 fabout(down), v, fabin(up)
    mov32 sum[0:12], fabin(up)
.program bottom
  .i32 v[B] = 3 * i
  .i32 first[12] = 100 + i
  .i32 sum[B] exported
  task main:
    mov32 fabout(up), first
    add32 fabout(up), v, fabin(down)
.place top at (0..W - 1 step W - 1, 0)
.place bottom at (0..W - 1 step W - 1, H - 1)
.route down at (0..W - 1 step W - 1, 0): ramp -> south
.route down at (0..W - 1 step W - 1, 1..H - 2): north -> south
.route down at (0..W - 1 step W - 1, H - 1): north -> ramp
.route up at (0..W - 1 step W - 1, H - 1): ramp -> north
.route up at (0..W - 1 step W - 1, 1..H - 2): south -> north
.route up at (0..W - 1 step W - 1, 0): south -> ramp
)"),
                         "sum");
}

// A filter between two borders turns after every word, so that each is a run of its own behind it.
// A task beyond the second border takes one in the cycle after that in which who forwards them
// ends.
TEST(WaferThreads, RunsThatAreOverWhenTheirSenderEnds) {
  expect_same_on_threads(assembled(R"(
.const B = 60
.const W = 64
.const H = 24
.grid W, H
.colour down, red
.program top
  .i32 v[B] = i
  .i32 w[B] exported
  task main:
    mov32 fabout(red), v
.program relay
  .i32 w[B] exported = 7 * i
  task main:
    add32 fabout(down), w, fabin(red)
.program middle
  .i32 w[B] exported
  task main:
    mov32 w[0:B / 2], fabin(down)
.program bottom
  .passive
  .i32 w[B] exported
  .reg k, word
  task main:
    mov32 k, 0
  task got on down (word):
    mov32 w[k], word
    add32 k, k, 1
.place top at (0..W - 1 step W - 1, 0)
.place relay at (0..W - 1 step W - 1, 1)
.place middle at (0..W - 1 step W - 1, 12)
.place bottom at (0..W - 1 step W - 1, 16)
.program still
  .i32 w[B] exported
  task main:
    halt
.place still at (0..W - 1 step W - 1, H - 1)
.route red at (0..W - 1 step W - 1, 0): ramp -> south
.route red at (0..W - 1 step W - 1, 1): north -> ramp
.route down at (0..W - 1 step W - 1, 1): ramp -> south
.route down at (0..W - 1 step W - 1, 2..11): north -> south
.route down at (0..W - 1 step W - 1, 12): north -> ramp, south
.route down at (0..W - 1 step W - 1, 13..15): north -> south
.route down at (0..W - 1 step W - 1, 16): north -> ramp
.filter down at (0..W - 1 step W - 1, 12): counter max=0 limit=1 start=0 counts=data
)"),
                         "w");
}

// Tasks take words one by one; control wavelets cross borders with them.
TEST(WaferThreads, WordsThatStartTasks) {
  expect_same_on_threads(assembled(R"(
.const W = 33
.const H = 50
.const B = 20
.grid W, H
.colour down
.entry done
.program top
  .i32 v[B] = x + i
  .i32 sum exported
  .reg turn
  task main:
    mov32 fabout(down), v
    mov32 turn, control(done, nop)
    mov32 fabout(down, control), turn
    halt
.program other
  .i32 sum exported
  .reg s, word
  task main:
    mov32 s, 0
  task got on down (word):
    add32 s, s, word
  task finish control done:
    mov32 sum, s
    halt
.place top at (0..W - 1, 0)
.place other at (0..W - 1, 1..H - 1)
.route down at (0..W - 1, 0): ramp -> south
.route down at (0..W - 1, 1..H - 2): north -> south, ramp
.route down at (0..W - 1, H - 1): north -> ramp
)"),
                         "sum");
}

// Switches, teardown and control wavelets near borders, which lie between rows and in the middle of
// one.
TEST(WaferThreads, Programs) {
  const auto program = [](const std::string& name, const test_support::Values& values) {
    return assembled(test_support::program_text(name), values);
  };
  expect_same_on_threads(program("localized-broadcast", {{"P", "1300"}, {"B", "30"}}), "west");
  expect_same_on_threads(program("one-colour-allreduce", {{"W", "39"}, {"H", "40"}, {"B", "20"}}),
                         "y");
  expect_same_on_threads(program("halo", {{"W", "40"}, {"H", "30"}}), "u");
}

// Rows 20 and 57 trap in one cycle: that of the lower PE is told, whichever strip it is in.
TEST(WaferThreads, TrapsInSeveralStrips) {
  expect_same_on_threads(assembled(R"(
.const W = 40
.const H = 60
.const B = 30
.grid W, H
.colour down
.program top
  .i32 v[B] exported = i
  task main:
    mov32 fabout(down), v
.program other
  .i32 v[B] exported
  .f32 other[90]
  task main:
    mov32 v, fabin(down)
    fmuls other[0:(y == 57 ? 3 : y == 20 ? 40 : 90)], other[0:(y == 57 ? 3 : y == 20 ? 40 : 90)], 0.5
    mov32 r1, y == 20 || y == 57 ? 1 : 0
    assert r1 == 0
.place top at (0..W - 1, 0)
.place other at (0..W - 1, 1..H - 1)
.route down at (0..W - 1, 0): ramp -> south
.route down at (0..W - 1, 1..H - 2): north -> south, ramp
.route down at (0..W - 1, H - 1): north -> ramp
)"),
                         "v", vm::RunStatus::Trap);
}

TEST(WaferThreads, ATraceKeepsItsFilters) {
  const isa::Image image = assembled(R"(
.const W = 40
.const H = 30
.grid W, H
.colour down
.program top
  .i32 v[16] = i
  .i32 w[8] exported
  task main:
    mov32 fabout(down), v
.program other
  .i32 w[8] exported
  task main:
    mov32 w, fabin(down)
.place top at (0..W - 1, 0)
.place other at (0..W - 1, 1..H - 1)
.route down at (0..W - 1, 0): ramp -> south
.route down at (0..W - 1, 1..H - 2): north -> south, ramp
.route down at (0..W - 1, H - 1): north -> ramp
.filter down at (0..W - 1, 1..H - 1): counter max=0 limit=1 start=0 counts=data
)");
  const Ended stepped = run(image, TransportChoice::Stepper, 1);
  EXPECT_EQ(stepped.record.message, "");
  for (const bool traced : {false, true}) {
    for (const std::uint32_t threads : {1, 3}) {
      SCOPED_TRACE(fmt::format("{} threads{}", threads, traced ? ", traced" : ""));
      expect_same(stepped, run(image, TransportChoice::Wafer, threads, vm::kNever, traced), "w");
    }
  }
}

}  // namespace
