// A machine as a library: assemble, run, read back; images that no assembler makes; two machines in
// one process.
#include <gtest/gtest.h>

#include <set>

#include "asm/assembler.h"
#include "isa/instruction/codec.h"
#include "tests/support/simulation.h"
#include "vm/pe/tsc_skew.h"

namespace {

using namespace wse;
using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

constexpr const char* kPair = R"(
.grid 2, 1
.colour red
.program sender
  .i32 v[3] exported = 10 * i + x
  task main:
    mov32 fabout(red), v
.program receiver
  .i32 v[3] exported
  task main:
    mov32 v, fabin(red)
    mark got
    print "got {v[0]} {v[1]} {v[2]}"
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";

isa::Image image_of(const std::string& text) {
  assembler::Output output = assembler::assemble(
      {"test.wsa", text}, {.overrides = {}, .profile = *isa::find_profile("model")});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(output.image).value();  // throws, so that the test fails with the text
}

vm::Record run(isa::Image image) {
  auto machine = vm::Machine::create(std::move(image), *isa::find_profile("model"));
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return {};
  }
  return (*machine)->run({});
}

std::string refusal(isa::Image image) {
  const auto machine = vm::Machine::create(std::move(image), *isa::find_profile("model"));
  return machine ? "" : machine.error().message;
}

// An image that was assembled for another machine: all that this one does not have, a line each.
TEST(Machine, RefusesWhatItDoesNotHave) {
  const isa::Image image = image_of(R"(
.grid 1, 1
.colour red, plain = 10
.program p
  .dsr wire
  task main:
    setd wire, fabout(red)
    setdcolour wire, 0
    end
  task early = 3:
    halt
.place p at (0, 0)
.route plain at (0, 0): [ramp -> ramp] [-> ramp]
)");
  const auto machine = vm::Machine::create(image, *isa::find_profile("wse3"));
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().message,
            "the route of colour plain at test.wsa:13 gives several switch positions to colour 10; "
            "on wse3 the colours with switches are 0..9, 12, 13, 16, 17, 20, 21\n"
            "task early of program p at test.wsa:11 has the id 3; on wse3 local tasks have ids "
            "from 8 on\n"
            "program p at test.wsa:8 gives a descriptor another colour; on wse3 a queue has one "
            "colour");
  EXPECT_TRUE(vm::Machine::create(image, *isa::find_profile("wse2")));
}

// Who makes a profile of his own cannot go round its check.
TEST(Machine, RefusesAProfileBeyondItsBounds) {
  const isa::Profile model = *isa::find_profile("model");
  const assembler::Output output = assembler::assemble(
      {"p.wsa", ".grid 1, 1\n.program p\n  task main:\n    halt\n.place p at (0, 0)\n"},
      {.overrides = {}, .profile = model});
  ASSERT_TRUE(output.image);
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    for (const std::uint32_t value : {parameter.least - 1, parameter.most + 1, ~0u}) {
      isa::Profile profile = model;
      profile.*parameter.member = value;
      const auto machine = vm::Machine::create(*output.image, profile);
      ASSERT_FALSE(machine) << parameter.name;
      EXPECT_EQ(machine.error().message, isa::check(profile).error());
      EXPECT_TRUE(machine.error().message.contains(std::string(parameter.name) + " "));
    }
  }
}

TEST(Machine, AssemblesRunsAndReadsBack) {
  const Simulation s = simulate(kPair);
  EXPECT_EQ(s.record.status, RunStatus::Halted);
  EXPECT_EQ(s.words(1, 0, "v"), (std::vector<std::uint32_t>{0, 10, 20}));
  EXPECT_EQ(s.printed, (std::vector<std::string>{"@9 PE(1,0): got 0 10 20"}));
  EXPECT_EQ(s.record.marks.at("got").first, 9u);
  EXPECT_EQ(s.record.counters.wavelets, 3u);
  EXPECT_EQ(s.record.counters.hops, 3u);
  EXPECT_EQ(s.record.counters.elements, 6u);
  EXPECT_EQ(s.record.max_ramp_wavelets, 3u);
  EXPECT_EQ(s.record.links_used, 1u);
}

TEST(Machine, ArraysOverRectangles) {
  auto machine = *vm::Machine::create(image_of(kPair), *isa::find_profile("model"));
  const auto array = machine->array("v");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->width, 2u);
  EXPECT_EQ(array->height, 1u);
  EXPECT_EQ(array->count, 3u);
  ASSERT_TRUE(machine->write_array("v", *array, std::vector<std::uint32_t>{4, 5, 6, 0, 0, 0}));
  machine->run({});
  EXPECT_EQ(*machine->read_array("v"), (std::vector<std::uint32_t>{4, 5, 6, 4, 5, 6}));
  EXPECT_FALSE(machine->array("w"));
  EXPECT_FALSE(machine->read_symbol(2, 0, "v"));
  EXPECT_FALSE(machine->write_array("v", *array, std::vector<std::uint32_t>(5)));
}

TEST(Machine, AnArrayIsWrittenByPe) {
  auto machine = *vm::Machine::create(image_of(kPair), *isa::find_profile("model"));
  vm::ArrayInfo place = *machine->array("v");
  const std::vector<std::uint32_t> list = {1, 2, 3, 4};
  const auto words_of = [&](std::uint32_t x, std::uint32_t y) {
    EXPECT_EQ(y, 0u);
    return std::span(list).subspan(x, place.count);
  };
  ASSERT_TRUE(machine->write_array_by_pe("v", place, words_of));
  EXPECT_EQ(*machine->read_array("v"), (std::vector<std::uint32_t>{1, 2, 3, 2, 3, 4}));
  place.x0 = 1;
  place.width = 1;
  ASSERT_TRUE(machine->write_array("v", place, std::vector<std::uint32_t>{7, 8, 9}));
  EXPECT_EQ(*machine->read_array("v"), (std::vector<std::uint32_t>{1, 2, 3, 7, 8, 9}));
}

TEST(Machine, AnArrayIsReadByPe) {
  auto machine = *vm::Machine::create(image_of(kPair), *isa::find_profile("model"));
  const vm::ArrayInfo place = *machine->array("v");
  ASSERT_TRUE(machine->write_array("v", place, std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> columns;
  const auto look = [&](std::uint32_t x, std::uint32_t y, std::span<const std::uint32_t> words) {
    EXPECT_EQ(y, 0u);
    columns.push_back(x);
    all.insert(all.end(), words.begin(), words.end());
    return true;
  };
  ASSERT_TRUE(machine->read_array_by_pe("v", look));
  EXPECT_EQ(columns, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(all, *machine->read_array("v"));
  EXPECT_FALSE(machine->read_array_by_pe("w", look));
  int looks = 0;  // who wants no more gets no more
  const auto look_once = [&looks](auto, auto, auto) { return ++looks == 0; };
  ASSERT_TRUE(machine->read_array_by_pe("v", look_once));
  EXPECT_EQ(looks, 1);
}

TEST(Machine, TwoInOneProcessDoNotMeet) {
  auto a = *vm::Machine::create(image_of(kPair), *isa::find_profile("model"));
  auto b = *vm::Machine::create(image_of(kPair), *isa::find_profile("wse2"));
  EXPECT_EQ(b->run({}).cycles, 2 * 1u + 2 + 9 + 4);  // two descriptor loads, start, law, drain
  EXPECT_EQ(a->run({}).cycles, 9u);
}

TEST(Machine, LeavingTheGridTraps) {
  isa::Image image = image_of(kPair);
  image.routes[1].routing.positions[0].tx = isa::bit(isa::Port::East);
  const vm::Record record = run(std::move(image));
  EXPECT_EQ(record.status, RunStatus::Trap);
  EXPECT_NE(record.message.find("off_grid in cycle 4 at PE(1, 0)"), std::string::npos)
      << record.message;
}

TEST(Machine, RefusesImagesThatCannotBeLoaded) {
  isa::Image two_programs = image_of(kPair);
  two_programs.placements.push_back(two_programs.placements[0]);
  EXPECT_NE(refusal(std::move(two_programs)).find("two programs at PE(0, 0)"), std::string::npos);

  isa::Image two_routes = image_of(kPair);
  two_routes.routes.push_back(two_routes.routes[0]);
  EXPECT_NE(refusal(std::move(two_routes)).find("two routes for colour red at PE(0, 0)"),
            std::string::npos);

  isa::Image too_large = image_of(kPair);
  too_large.programs[0].symbols[0].count = 20000;
  EXPECT_NE(refusal(std::move(too_large)).find("bytes of PE memory"), std::string::npos);

  isa::Image no_colour = image_of(kPair);
  no_colour.programs[0].descriptors[0].colour.value = 24;
  EXPECT_NE(refusal(std::move(no_colour)).find("colour 24"), std::string::npos);
}

TEST(Machine, TheFirstTrapIsTheOneOfTheSmallestPe) {
  const Simulation s = simulate(R"(
.grid 4, 1
.program late
  task main:
    mov32 r1, x
    assert r1 < 1
.place late at (0..3, 0)
)");
  EXPECT_EQ(s.record.status, RunStatus::Trap);
  EXPECT_NE(s.record.message.find("PE(1, 0)"), std::string::npos) << s.record.message;
}

TEST(Machine, ATrapFoundAheadOfTimeWaitsForItsCycle) {
  // PE 0 traps after three instructions, PE 1 after two: on wse2 the trap of PE 1 comes first.
  const Simulation s = simulate(R"(
.grid 2, 1
.program first
  task main:
    mov32 r1, 1
    mov32 r1, 1
    mov32 r1, 1
    assert r1 == 2
.program second
  task main:
    print "printed in cycle 0"
    mov32 r1, 1
    mov32 r1, 1
    assert r1 == 2
.place first at (0, 0)
.place second at (1, 0)
)",
                                {.profile = "wse2"});
  EXPECT_NE(s.record.message.find("in cycle 2 at PE(1, 0)"), std::string::npos) << s.record.message;
  EXPECT_EQ(s.printed.size(), 1u);
}

TEST(Machine, CycleLimitStopsBeforeTheLimit) {
  const Simulation s = simulate(kPair, {.max_cycles = 8});
  EXPECT_EQ(s.record.status, RunStatus::CycleLimit);
  EXPECT_EQ(s.record.cycles, 8u);
  EXPECT_TRUE(s.printed.empty());
  // The last word issues in cycle 8, so the run takes 9 cycles; the halt is seen in cycle 9.
  EXPECT_EQ(simulate(kPair, {.max_cycles = 9}).record.status, RunStatus::CycleLimit);
  EXPECT_EQ(simulate(kPair, {.max_cycles = 9}).record.cycles, 9u);
  EXPECT_EQ(simulate(kPair, {.max_cycles = 10}).record.status, RunStatus::Halted);
  EXPECT_EQ(simulate(kPair, {.max_cycles = 0}).record.cycles, 0u);
}

TEST(Machine, StatesOfARunAreWhatTheyAreAtItsEnd) {
  // Two of three words have arrived when the limit comes; memory shows exactly these.
  const Simulation s = simulate(kPair, {.max_cycles = 8});
  EXPECT_EQ(s.words(1, 0, "v"), (std::vector<std::uint32_t>{0, 10, 0}));
}

TEST(Machine, AnArrayMayHaveNoElements) {
  isa::Image image = image_of(kPair);
  for (isa::Program& program : image.programs) {
    isa::Symbol& symbol = program.symbols.emplace_back(program.symbols[0]);
    symbol.name = "none";
    symbol.address = program.symbols[0].address + 12;
    symbol.count = 0;
  }
  auto machine = vm::Machine::create(std::move(image), *isa::find_profile("model"));
  ASSERT_TRUE(machine) << machine.error().message;
  EXPECT_TRUE((*machine)->read_array("none")->empty());
  EXPECT_TRUE((*machine)->write_array("none", *(*machine)->array("none"), {}));
  EXPECT_TRUE((*machine)->read_symbol(1, 0, "none")->words.empty());
}

// Images that ask for endless work, but are refused or do nothing.
TEST(Machine, RangesAreVisitedOnlyAsFarAsNeeded) {
  const isa::StridedRect nowhere{{0, -1, 1}, {-2'000'000'000, 2'000'000'000, 1}};
  isa::Image empty = image_of(kPair);
  empty.placements.push_back(empty.placements[0]);
  empty.placements.back().rect = nowhere;
  empty.routes.push_back(empty.routes[0]);
  empty.routes.back().rect = nowhere;
  EXPECT_EQ(refusal(std::move(empty)), "");

  isa::Image large = image_of(kPair);
  large.width = large.height = 1024;
  large.placements.clear();
  large.routes[0].rect = {{0, 1023, 1}, {0, 1023, 1}};
  isa::Image routes = large;
  routes.routes.assign(100'000, large.routes[0]);
  EXPECT_EQ(refusal(std::move(routes)), "two routes for colour red at PE(0, 0)");
  isa::Image programs = large;
  programs.placements.resize(100'000);
  for (isa::Placement& placement : programs.placements) placement.rect = large.routes[0].rect;
  EXPECT_EQ(refusal(std::move(programs)), "two programs at PE(0, 0): sender and sender");
}

// A colour may be a parameter, so two tasks may have one id at some PEs only; a value for the run
// can bring that about.
TEST(Machine, TasksWithOneIdAreRefused) {
  isa::Image image = image_of(R"(
.grid 4, 1
.param offset: i32 = 4
.program p(c: colour)
  .passive
  task main:
  task fixed = 3:
  task moving on c:
.place p at (0..3, 0) with c = offset + x
)");
  EXPECT_EQ(refusal(image), "");
  image.parameters[0].value = isa::Number::of(std::int64_t{1});
  EXPECT_EQ(refusal(std::move(image)),
            "program p at PE(2, 0): tasks fixed and moving both have the id 3");
}

// A parameter of the run may give what no assembler has seen.
TEST(Machine, SeedsThatMakeZerosAloneAreRefused) {
  isa::Image image = image_of(R"(
.grid 4, 1
.param first: u32 = 2
.program p
  .seed first + 0x7fffff * (x % 2)
  task main:
    random16 r1
.place p at (0..3, 0)
)");
  EXPECT_EQ(refusal(image), "");
  EXPECT_TRUE(isa::set_parameter(image, "first", "1"));
  EXPECT_EQ(refusal(std::move(image)),
            "the seed of program p at (1, 0): the lowest 23 bits of 0x800000 are 0, so that every "
            "draw would be 0");
}

constexpr const char* kTwoReadings = R"(
.grid 40, 1
.program p
  .u32 low
  .u32 high
  .u32 apart
  task main:
    tsc r1
    tsch r2
    tsc r3
    mov32 low, r1
    mov32 high, r2
    sub32 r3, r3, r1
    mov32 apart, r3
.place p at (0..39, 0)
)";

TEST(TscSkew, StartsEveryCounterElsewhereAndChangesNothingElse) {
  const Simulation plain = simulate(kTwoReadings, {.profile = "wse2"});
  const Simulation skewed = simulate(kTwoReadings, {.profile = "wse2", .tsc_skew = 1});
  const Simulation again = simulate(kTwoReadings, {.profile = "wse2", .tsc_skew = 1});
  const Simulation other = simulate(kTwoReadings, {.profile = "wse2", .tsc_skew = 2});
  EXPECT_EQ(skewed.record.cycles, plain.record.cycles);
  std::set<std::uint32_t> lows;
  std::set<std::uint32_t> highs;
  for (std::uint32_t x = 0; x < 40; ++x) {
    EXPECT_EQ(plain.words(x, 0, "low"), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(plain.words(x, 0, "high"), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(skewed.words(x, 0, "apart"), plain.words(x, 0, "apart"));
    EXPECT_EQ(skewed.words(x, 0, "low"), again.words(x, 0, "low"));
    EXPECT_NE(skewed.words(x, 0, "low"), other.words(x, 0, "low"));
    lows.insert(skewed.words(x, 0, "low")[0]);
    highs.insert(skewed.words(x, 0, "high")[0]);
  }
  EXPECT_EQ(lows.size(), 40u);
  EXPECT_GT(highs.size(), 35u);  // all 48 bits are used, and no more
  EXPECT_LE(*highs.rbegin(), 0xffffu);
}

// By hand: SplitMix64 with seed 0 begins with 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4.
TEST(TscSkew, IsTheSameOnEveryHost) {
  EXPECT_EQ(vm::tsc_skew(0, 0), 0xe220a8397b1du);
  EXPECT_EQ(vm::tsc_skew(0, 1), 0x6e789e6aa1b9u);
}

// So many elements that several threads write them; each finds an error in its rows.
TEST(Machine, TheFirstPeWithoutInitialDataIsTheError) {
  isa::Image image = image_of(R"(
.param hole: i32 = -1
.grid 256, 64
.program data
  .i32 v[256] = i / (x + y - hole)
  task main:
    mov32 r1, v[0]
.place data at (0..255, 0..63)
)");
  ASSERT_TRUE(vm::Machine::create(image, *isa::find_profile("model")));
  image.parameters[0].value = isa::Number::of(std::int64_t{70});
  const auto machine = vm::Machine::create(image, *isa::find_profile("model"));
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().message, "initial value of v[0] at (70, 0): division by zero");
}

}  // namespace
