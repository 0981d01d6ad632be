// Which machines the wafer transport takes, what it leaves to the stepper, and that both end alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/simulation.h"
#include "vm/planes/refusal.h"

namespace {

using namespace wse;
using vm::TransportChoice;

const isa::Profile& model() {
  static const isa::Profile kModel = *isa::find_profile("model");
  return kModel;
}

isa::Image with_descriptor(isa::DescriptorKind kind, const isa::FabricOptions& options = {}) {
  isa::Image image;
  isa::DescriptorLiteral descriptor;
  descriptor.kind = kind;
  descriptor.options = options;
  image.programs.emplace_back().descriptors.push_back(descriptor);
  return image;
}

isa::Image program(const std::string& name, const test_support::Values& values) {
  assembler::Output output = assembler::assemble({name + ".wsa", test_support::program_text(name)},
                                                 {.overrides = values, .profile = model()});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

vm::Record run(const isa::Image& image, TransportChoice transport, bool traced,
               std::uint32_t threads) {
  auto machine = vm::Machine::create(image, model(), {.threads = threads, .transport = transport});
  EXPECT_TRUE(machine);
  vm::RunOptions options;
  vm::TraceLines lines([](std::string_view) {});
  if (traced) options.trace = &lines;
  return (*machine)->run(options);
}

TEST(WaferChoice, LeavesWhatItHasNotToTheStepper) {
  using wse::vm::wafer::refusal;
  EXPECT_EQ(refusal({}, model()), "");
  isa::Image image;
  isa::Filter& filter = image.filters.emplace_back();
  filter.shape.kind = isa::FilterKind::Counter;
  EXPECT_EQ(refusal(image, model()), "");
  const std::string others = "filters that look at words or at control wavelets";
  filter.shape.control_filtered = true;
  EXPECT_EQ(refusal(image, model()), others);
  filter.shape = {.kind = isa::FilterKind::Sparse, .counts = isa::FilterCounts::Both};
  EXPECT_EQ(refusal(image, model()), others);
  filter.shape = {.kind = isa::FilterKind::Range};
  EXPECT_EQ(refusal(image, model()), others);
  image = {};
  image.streams.emplace_back();
  EXPECT_EQ(refusal(image, model()), "streams");
  image = {};
  image.hypercube_dimensions = 3;
  EXPECT_EQ(refusal(image, model()), "a hypercube");
  image = {};
  isa::NamedFilter& written = image.programs.emplace_back().filters.emplace_back();
  EXPECT_EQ(refusal(image, model()), "");
  written.shape.kind = isa::FilterKind::Sparse;
  EXPECT_EQ(refusal(image, model()), "");
  written.shape.kind = isa::FilterKind::Range;
  EXPECT_EQ(refusal(image, model()), others);
  image = {};
  image.programs.emplace_back().fifos.emplace_back();
  using Kind = isa::DescriptorKind;
  EXPECT_EQ(refusal(with_descriptor(Kind::Memory), model()), "");
  EXPECT_EQ(refusal(with_descriptor(Kind::Indexed), model()), "");
  EXPECT_EQ(refusal(with_descriptor(Kind::FabricIn, {.packed = true}), model()), "");
  EXPECT_EQ(
      refusal(with_descriptor(Kind::FabricIn, {.on_control = isa::OnControl::Terminate}), model()),
      "");
}

TEST(WaferChoice, LeavesMachinesWithMorePlanesThanItHasToTheStepper) {
  const auto refused = [](std::uint32_t isa::Profile::* member, std::uint32_t value) {
    isa::Profile profile = model();
    profile.*member = value;
    return !vm::wafer::refusal({}, profile).empty();
  };
  EXPECT_FALSE(refused(&isa::Profile::hop_latency_cycles, 8));
  EXPECT_TRUE(refused(&isa::Profile::hop_latency_cycles, 9));
  EXPECT_FALSE(refused(&isa::Profile::ramp_latency_cycles, 8));
  EXPECT_TRUE(refused(&isa::Profile::ramp_latency_cycles, 9));
  EXPECT_FALSE(refused(&isa::Profile::router_depth, 16));
  EXPECT_TRUE(refused(&isa::Profile::router_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::up_ramp_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::down_ramp_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::link_interval_cycles, 2));
  EXPECT_FALSE(refused(&isa::Profile::bank_conflict_cycles, 2));
  EXPECT_TRUE(refused(&isa::Profile::bank_conflict_cycles, 3));
}

TEST(WaferChoice, IsToldInTheRecord) {
  const isa::Image image = program("reduce-chain", {{"P", "9"}, {"B", "20"}});
  const vm::Record stepped = run(image, TransportChoice::Stepper, false, 1);
  const vm::Record automatic = run(image, TransportChoice::Auto, false, 1);
  const vm::Record moved = run(image, TransportChoice::Wafer, false, 2);
  const vm::Record traced = run(image, TransportChoice::Wafer, true, 1);
  EXPECT_EQ(stepped.transport, "stepper");
  EXPECT_EQ(automatic.transport, "stepper");
  EXPECT_EQ(moved.transport, "wafer");
  EXPECT_EQ(moved.transport_reason, "");
  EXPECT_EQ(traced.transport, "stepper");
  EXPECT_EQ(traced.transport_reason, "a trace");
  for (const vm::Record* record : {&automatic, &moved, &traced}) {
    EXPECT_EQ(record->status, vm::RunStatus::Halted);
    EXPECT_EQ(record->cycles, stepped.cycles);
    EXPECT_EQ(record->counters.hops, stepped.counters.hops);
    EXPECT_EQ(record->counters.pe_cycles, stepped.counters.pe_cycles);
  }
}

TEST(WaferChoice, IsMadeForLongMessagesOfManyPes) {
  const auto automatic = [](const std::string& name, const test_support::Values& values) {
    return run(program(name, values), TransportChoice::Auto, false, 1);
  };
  const vm::Record chosen = automatic("reduce-chain", {{"P", "100"}, {"B", "100"}});
  EXPECT_EQ(chosen.transport, "wafer");
  EXPECT_EQ(chosen.transport_reason, "long messages of many PEs");
  EXPECT_EQ(automatic("reduce-chain", {{"P", "100"}, {"B", "32"}}).transport, "wafer");
  EXPECT_EQ(automatic("reduce-chain", {{"P", "100"}, {"B", "31"}}).transport, "stepper");
  const auto flood = [&](const char* columns, const char* words) {
    return automatic("broadcast-2d", {{"W", columns}, {"H", "64"}, {"B", words}}).transport;
  };
  EXPECT_EQ(flood("16", "1"), "wafer");  // where many PEs run once, any words are enough
  EXPECT_EQ(flood("15", "31"), "stepper");
  const vm::Record words = automatic("heat", {{"W", "10"}, {"H", "8"}});
  EXPECT_EQ(words.transport, "stepper");
  EXPECT_EQ(words.transport_reason, "messages of few words");
  const vm::Record small = automatic("reduce-chain", {{"P", "9"}, {"B", "1000"}});
  EXPECT_EQ(small.transport, "stepper");
  EXPECT_EQ(small.transport_reason, "");
}

// One receive of many messages: words of those that have passed are applied before it ends.
TEST(WaferChoice, AppliesMessagesBeforeALongReceiveEnds) {
  assembler::Output output = assembler::assemble({"messages.wsa", R"(
.grid 2, 1
.colour red
.program from
  .i32 v[100] = i
  .reg k
  task main:
    mov32 k, 0
  again:
    mov32 fabout(red), v
    add32 v, v, 100
    add32 k, k, 1
    bne   k, 40, again
.program to
  .i32 v[4000]
  task main:
    mov32 v, fabin(red)
.place from at (0, 0)
.place to at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)"},
                                                 {.overrides = {}, .profile = model()});
  ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const auto machine =
      vm::Machine::create(*output.image, model(), {.transport = TransportChoice::Wafer});
  ASSERT_TRUE(machine);
  const vm::Record record = (*machine)->run({});
  EXPECT_EQ(record.transport, "wafer");
  EXPECT_EQ(record.status, vm::RunStatus::Halted);
  const auto v = (*machine)->read_symbol(1, 0, "v");
  ASSERT_TRUE(v);
  ASSERT_EQ(v->words.size(), 4000u);
  for (std::uint32_t k = 0; k < 4000; ++k) EXPECT_EQ(v->words[k], k);
  EXPECT_EQ(record.cycles, run(*output.image, TransportChoice::Stepper, false, 1).cycles);
}

// A flood of all PEs of a rectangle; where it lies in its grid changes nothing.
isa::Image flood_at(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height,
                    std::uint32_t words = 9) {
  const std::string text = fmt::format(R"(
.const X = {}
.const Y = {}
.const W = 21
.const H = 30
.const B = {}
.grid {}, {}
.colour flood
.program root
  .i32 v[B] = i + 1
  task main:
    mov32 fabout(flood), v
.program other
  .i32 v[B] exported
  task main:
    mov32 v, fabin(flood)
.place root at (X, Y)
.place other at (X + 1..X + W - 1, Y)
.place other at (X..X + W - 1, Y + 1..Y + H - 1)
.route flood at (X, Y): ramp -> east, south
.route flood at (X + 1..X + W - 2, Y): west -> ramp, east, south
.route flood at (X + W - 1, Y): west -> ramp, south
.route flood at (X..X + W - 1, Y + 1..Y + H - 2): north -> ramp, south
.route flood at (X..X + W - 1, Y + H - 1): north -> ramp
)",
                                       x, y, words, width, height);
  assembler::Output output =
      assembler::assemble({"flood.wsa", text}, {.overrides = {}, .profile = model()});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

TEST(WaferChoice, IsMadeForTheBlocksInUseAlone) {
  const vm::Record corner = run(flood_at(7, 11, 300, 300, 100), TransportChoice::Auto, false, 1);
  EXPECT_EQ(corner.transport, "wafer");
  assembler::Output output = assembler::assemble({"column.wsa", R"(
.grid 600, 70
.colour south
.program root
  .i32 v[100] = i
  task main:
    mov32 fabout(south), v
.program other
  .i32 v[100]
  task main:
    mov32 v, fabin(south)
.program still
  task main:
    halt
.place root at (0, 0)
.place other at (0, 1..69)
.place still at (1..599, 0..69)
.route south at (0, 0): ramp -> south
.route south at (0, 1..68): north -> ramp, south
.route south at (0, 69): north -> ramp
)"},
                                                 {.overrides = {}, .profile = model()});
  ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const vm::Record column = run(*output.image, TransportChoice::Auto, false, 1);
  EXPECT_EQ(column.transport, "stepper");
  EXPECT_EQ(column.transport_reason, "few PEs that send much");
}

// One chain through all PEs, row by row there and back: one block of eight works at a time.
isa::Image snake_of(std::uint32_t words) {
  const std::string text = fmt::format(R"(
.const B = {}
.grid 64, 64
.colour red, blue
.program first
  .i32 v[B] = i
  task main:
    mov32 fabout(red), v
.program other(rx: colour, tx: colour)
  .i32 v[B] = i
  task main:
    add32 fabout(tx), fabin(rx), v
.program last
  .i32 v[B] = i
  task main:
    add32 v, fabin(red), v
.place first at (0, 0)
.place other at (2..62 step 2, 0..62 step 2) with rx = blue, tx = red
.place other at (0, 2..62 step 2) with rx = blue, tx = red
.place other at (1..63 step 2, 0..62 step 2) with rx = red, tx = blue
.place other at (1..63 step 2, 1..63 step 2) with rx = blue, tx = red
.place other at (2..62 step 2, 1..63 step 2) with rx = red, tx = blue
.place other at (0, 1..61 step 2) with rx = red, tx = blue
.place last at (0, 63)
.route red at (0..62 step 2, 0..62 step 2): ramp -> east
.route red at (1..63 step 2, 0..62 step 2): west -> ramp
.route red at (1..63 step 2, 1..63 step 2): ramp -> west
.route red at (0..62 step 2, 1..63 step 2): east -> ramp
.route blue at (1..61 step 2, 0..62 step 2): ramp -> east
.route blue at (63, 0..62 step 2): ramp -> south
.route blue at (2..62 step 2, 0..62 step 2): west -> ramp
.route blue at (0, 2..62 step 2): north -> ramp
.route blue at (63, 1..63 step 2): north -> ramp
.route blue at (2..62 step 2, 1..63 step 2): ramp -> west
.route blue at (0, 1..61 step 2): ramp -> south
.route blue at (1..61 step 2, 1..63 step 2): east -> ramp
)",
                                       words);
  assembler::Output output =
      assembler::assemble({"snake.wsa", text}, {.overrides = {}, .profile = model()});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

TEST(WaferChoice, WantsLongerMessagesInOneChainThroughManyBlocks) {
  const vm::Record few = run(snake_of(127), TransportChoice::Auto, false, 1);
  EXPECT_EQ(few.status, vm::RunStatus::Halted);
  EXPECT_EQ(few.transport, "stepper");
  EXPECT_EQ(few.transport_reason, "chains of messages of few words");
  const vm::Record many = run(snake_of(128), TransportChoice::Auto, false, 1);
  EXPECT_EQ(many.transport, "wafer");
  EXPECT_EQ(many.cycles, few.cycles + 1);
  const vm::Record moved = run(snake_of(127), TransportChoice::Wafer, false, 1);
  EXPECT_EQ(moved.cycles, few.cycles);
  EXPECT_EQ(moved.counters.pe_cycles, few.counters.pe_cycles);
}

TEST(WaferChoice, LooksAtTheBoxOfPesInUseAlone) {
  const vm::Record alone = run(flood_at(0, 0, 21, 30), TransportChoice::Stepper, false, 1);
  EXPECT_EQ(alone.status, vm::RunStatus::Halted);
  for (const auto& [x, y] : {std::pair{0u, 0u}, {1u, 0u}, {7u, 11u}, {79u, 30u}, {0u, 30u}}) {
    const vm::Record moved = run(flood_at(x, y, 100, 60), TransportChoice::Wafer, false, 1);
    EXPECT_EQ(moved.transport, "wafer");
    EXPECT_EQ(moved.status, vm::RunStatus::Halted);
    EXPECT_EQ(moved.cycles, alone.cycles);
    EXPECT_EQ(moved.counters.hops, alone.counters.hops);
    EXPECT_EQ(moved.counters.pe_cycles, alone.counters.pe_cycles);
    EXPECT_EQ(moved.links_used, alone.links_used);
  }
}

// Rows that begin in the middle of a word, and blocks that begin in the middle of a row.
TEST(WaferChoice, EndsAsTheStepperDoesOnMeshesOfSeveralBlocks) {
  for (const auto& [width, height] : {std::pair{"70", "40"}, {"600", "3"}, {"33", "33"}}) {
    const isa::Image image = program("broadcast-2d", {{"W", width}, {"H", height}, {"B", "37"}});
    const vm::Record stepped = run(image, TransportChoice::Stepper, false, 1);
    const vm::Record moved = run(image, TransportChoice::Wafer, false, 1);
    EXPECT_EQ(moved.transport, "wafer");
    EXPECT_EQ(moved.status, vm::RunStatus::Halted);
    EXPECT_EQ(moved.message, stepped.message);
    EXPECT_EQ(moved.cycles, stepped.cycles);
    EXPECT_EQ(moved.counters.hops, stepped.counters.hops);
    EXPECT_EQ(moved.counters.max_distance, stepped.counters.max_distance);
    EXPECT_EQ(moved.counters.pe_cycles, stepped.counters.pe_cycles);
    EXPECT_EQ(moved.max_link_load, stepped.max_link_load);
    EXPECT_EQ(moved.links_used, stepped.links_used);
  }
}

}  // namespace
