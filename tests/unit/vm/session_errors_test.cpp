// Sessions: what they refuse, open streams, and launches beside instructions without an end.
#include "tests/unit/vm/session_support.h"

namespace wse::test_sessions {
namespace {

TEST(SessionErrors, NothingActsBeforeAllIsChecked) {
  const auto session = session_of(kCells);
  const auto error = [&session](std::string_view task, std::span<const Number> arguments,
                                std::optional<vm::PeRect> region = {}) {
    const isa::Status status = session->launch(task, arguments, region);
    return status ? "none" : status.error();
  };
  EXPECT_EQ(
      error("sacle", {}),
      "no program on the grid exports a task 'sacle'; launches are: crash, free, halve, hold, "
      "lose, pass, scale, spin, stamp, starve, stop");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "exports a task 'main'", error("main", {}));
  EXPECT_EQ(error("scale", {}), "task 'scale' takes 2 arguments, 0 are given");
  const std::array wrong = {Number::of(0.5), Number::of(0.5)};
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "argument 1 of task 'scale'", error("scale", wrong));
  const std::array large = {Number::of(std::int64_t{1} << 40), Number::of(0.5)};
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "argument 1 of task 'scale'", error("scale", large));
  EXPECT_EQ(session->state(), State::New);
  for (const vm::PeRect& region :
       {vm::PeRect{0, 0, 0, 1}, vm::PeRect{0, 0, 5, 1}, vm::PeRect{4, 0, 1, 1},
        vm::PeRect{~0u, 0, 2, 1}, vm::PeRect{0, 1, 1, ~0u}}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "leaves the grid of 4 x 1 PEs",
                        error("scale", kArguments, region));
  }
  EXPECT_EQ(session->state(), State::Quiet);
  ASSERT_TRUE(session->launch("stop", {}, vm::PeRect{2, 0, 1, 1}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "PE(2, 0) executed `halt`", error("scale", kArguments));
  ASSERT_TRUE(session->launch("scale", kArguments, vm::PeRect{0, 0, 2, 1}));
  EXPECT_EQ(calls(*session, 1), 105);
}

TEST(SessionErrors, ArraysAreCheckedBeforeTheyAreTouched) {
  const auto session = session_of(kCells);
  std::vector<float> row(4 * 6);
  std::iota(row.begin(), row.end(), 1.0f);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(row));
  ASSERT_TRUE(session->write("x", {}, bytes));
  EXPECT_EQ(floats(*session, "x"), row);
  const vm::ArrayPart part{vm::PeRect{1, 0, 2, 1}, vm::ElementRange{4, 6}};
  EXPECT_EQ(floats(*session, "x", part), (std::vector<float>{11, 12, 17, 18}));
  ASSERT_TRUE(session->write("x", part, bytes.first(16)));
  EXPECT_EQ(floats(*session, "x", part), (std::vector<float>{1, 2, 3, 4}));
  const auto error = [&session](std::string_view name, const vm::ArrayPart& of) {
    const auto shape = session->shape(name, of);
    return shape ? "none" : shape.error();
  };
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "no program on the grid exports 'z'", error("z", {}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "no part of array 'x'",
                      error("x", {vm::PeRect{2, 0, 3, 1}, {}}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "no part of array 'x'",
                      error("x", {vm::PeRect{~0u, 0, 2, 1}, {}}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "no part of array 'x'",
                      error("x", {vm::PeRect{0, 0, 1, 0}, {}}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "elements 3..6",
                      error("x", {{}, vm::ElementRange{3, 7}}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "elements 3..2",
                      error("x", {{}, vm::ElementRange{3, 3}}));
  EXPECT_EQ(session->write("x", part, bytes.first(12)).error(),
            "this part of array 'x' has 16 bytes, not 12");
  EXPECT_EQ(floats(*session, "x", part), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "outside the grid",
                      session->set_symbol(9, 0, "calls", {}).error());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has 1 elements",
                      session->set_symbol(1, 0, "calls", {}).error());
  const std::array<std::uint32_t, 1> seven = {7};
  ASSERT_TRUE(session->set_symbol(1, 0, "calls", seven));
  EXPECT_EQ(calls(*session, 1), 7);
}

// The assembler refuses such programs; an image may come from elsewhere.
TEST(SessionErrors, ProgramsOfAnImageThatDisagreeAreNotLaunched) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output = assembler::assemble({"session.wsa", R"(
.grid 2, 1
.program a
  task main:
  task step exported (r1: i32):
.program b
  task main:
  task other exported (r1: f32):
.place a at (0, 0)
.place b at (1, 0)
)"},
                                                 {.overrides = {}, .profile = profile});
  ASSERT_TRUE(output.image);
  output.image->programs[1].tasks[1].name = "step";
  const auto session =
      Session::of(std::move(*vm::Machine::create(std::move(*output.image), profile)), {});
  const std::array one = {Number::of(std::int64_t{1})};
  EXPECT_EQ(session->launch("step", one).error(),
            "programs export task 'step' as step(i32) and as step(f32)");
  EXPECT_TRUE(session->launch("step", one, vm::PeRect{0, 0, 1, 1}));
}

TEST(SessionErrors, TheLimitOfCyclesStopsIt) {
  const auto session = session_of(kCells, {}, {.max_cycles = 500});
  ASSERT_TRUE(session->launch("spin"));
  EXPECT_EQ(session->state(), State::Stopped);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "limit of 500 cycles", session->problem());
  EXPECT_EQ(session->cycle(), 500u);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "not quiet", session->launch("spin").error());
}

TEST(SessionErrors, ATaskThatCannotBeginIsNotQuiet) {
  const auto session = session_of(R"(
.grid 2, 1
.colour red
.program waits
  .i32 got[4]
  .passive
  task main:
    mov32 got, fabin(red)
  task step exported:
    mov32 got, 1
.program idle
  task main:
.place waits at (1, 0)
.place idle at (0, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)");
  ASSERT_TRUE(session->run());
  const isa::Status status = session->launch("step");
  ASSERT_FALSE(status);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "task 'step' of PE(1, 0) is ready and never begins",
                      status.error());
}

// A microthread that receives for ever may stay where the machine is quiet, and continues.
TEST(Launches, AnEndlessReceiverServesAllOfThem) {
  for (const auto transport : {vm::TransportChoice::Stepper, vm::TransportChoice::Wafer}) {
    const auto session = session_of(R"(
.grid 2, 1
.colour red
.program sends
  .i32 x[4] exported = i
  task main:
  task step exported:
    mov32 fabout(red), x
.program sums
  .i32 got[4] exported
  .microthread taking
  .dsd ring = circular(got, length=4)
  task main:
    mov32 ring, fabin(red, length=endless) async taking
  task nothing exported:
.place sends at (0, 0)
.place sums at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                    {.profile = "wse2", .transport = transport});
    for (std::uint32_t k = 1; k <= 3; ++k) {
      const std::array<std::uint32_t, 4> words = {k, 2 * k, 3 * k, 4 * k};
      ASSERT_TRUE(session->write("x", {}, std::as_bytes(std::span(words))));
      ASSERT_TRUE(session->launch("step")) << session->problem();
      EXPECT_EQ(session->symbol(1, 0, "got")->words[3], 4 * k);
      EXPECT_EQ(session->record().counters.elements, 8u);
      EXPECT_EQ(session->record().counters.hops, 4u);
    }
  }
}

constexpr const char* kStreams = R"(
.grid 2, 2
.colour numbers, doubled
.program twice
  .i32 v
  .i32 taken exported
  .reg k
  task main:
  again:
    mov32 v, fabin(numbers)
    mov32 k, taken
    add32 k, k, 1
    mov32 taken, k
    add32 fabout(doubled), v, v
    jmp   again
.place twice at (0..1, 0..1)
.route numbers at (0, 0..1): west -> ramp
.route numbers at (1, 0..1): east -> ramp
.route doubled at (0..1, 0): ramp -> north
.route doubled at (0..1, 1): ramp -> south
.stream left: i32[2] at (0, 0..1): west -> numbers
.stream right: i32[2] at (1, 0..1): east -> numbers
.stream up: i32[2] at (0..1, 0): doubled -> north
.stream down: i32[2] at (0..1, 1): doubled -> south
)";

TEST(SessionStreams, TakeWhatIsSentAndKeepWhatLeaves) {
  for (const std::uint32_t threads : {1u, 2u}) {
    const auto session = session_of(kStreams, {.threads = threads});
    ASSERT_TRUE(session->run()) << session->problem();
    EXPECT_EQ(session->state(), State::Quiet);
    const std::array<std::uint32_t, 6> words = {1, 2, 3, 10, 20, 30};
    ASSERT_TRUE(session->send("left", words));
    EXPECT_EQ(session->state(), State::Stopped);
    ASSERT_TRUE(session->send("right", std::span(words).first(2)));
    EXPECT_EQ(*session->arrived("up"), 0u);
    ASSERT_TRUE(session->run()) << session->problem();
    EXPECT_EQ(session->record().counters.elements, 16u);
    EXPECT_EQ(session->symbol(0, 1, "taken")->words[0], 3u);
    EXPECT_EQ(*session->arrived("up"), 1u);
    EXPECT_EQ(*session->receive("up", 1), (std::vector<std::uint32_t>{2, 2}));
    const auto early = session->receive("up", 1);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error(), "of stream 'up' 0 elements have left at PE(1, 0), not 1");
    EXPECT_EQ(*session->receive("down", 1), (std::vector<std::uint32_t>{20, 4}));
    for (int k = 0; k < 100; ++k) {
      ASSERT_TRUE(session->send("right", words));
      ASSERT_TRUE(session->run());
    }
    EXPECT_EQ(*session->arrived("down"), 2u);
    EXPECT_EQ(session->symbol(1, 0, "taken")->words[0], 301u);
    EXPECT_EQ(session->receive("down", 2)->at(0), 40u);
  }
}

TEST(SessionStreams, AreWrittenBeforeTheStartAndRefuseTheWrongWay) {
  const auto session = session_of(kStreams);
  const std::array<std::uint32_t, 4> words = {5, 6, 7, 8};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
  ASSERT_TRUE(session->write("left", {}, bytes));
  ASSERT_TRUE(session->run());
  EXPECT_EQ(session->symbol(0, 0, "taken")->words[0], 2u);
  EXPECT_EQ(session->symbol(1, 0, "taken")->words[0], 0u);
  std::array<std::uint32_t, 4> out = {};
  ASSERT_TRUE(session->read("up", {}, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(out, (std::array<std::uint32_t, 4>{10, 12, 0, 0}));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "has begun", session->write("left", {}, bytes).error());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "it is only read",
                      session->write("up", {}, bytes).error());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "read and written as a whole",
                      session->shape("up", {{}, vm::ElementRange{0, 1}}).error());
  EXPECT_EQ(session->send("up", words).error(), "stream 'up' leaves the grid: receive from it");
  EXPECT_EQ(session->receive("left", 1).error(), "stream 'left' enters the grid: send to it");
  EXPECT_EQ(session->send("none", words).error(), "there is no stream 'none'");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "are not as many for each",
                      session->send("left", std::span(words).first(3)).error());
  EXPECT_EQ(session->state(), State::Quiet);
}

TEST(Launches, LaunchesWithoutASessionAreNeverAndTheRunEndsWell) {
  const auto session = session_of(kCells);
  EXPECT_EQ(session->launches().size(), 11u);
  EXPECT_EQ(session->launches()[6].name, "scale");
  EXPECT_EQ(session->launches()[6].arguments, (std::vector{isa::Type::I32, isa::Type::F32}));
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output = assembler::assemble({"session.wsa", std::string(kCells)},
                                                 {.overrides = {}, .profile = profile});
  const auto machine = std::move(*vm::Machine::create(std::move(*output.image), profile));
  const vm::Record record = machine->run({});
  EXPECT_EQ(record.status, vm::RunStatus::Halted);
  EXPECT_EQ(record.message, "");
}

// A trace makes a machine look at every cycle, and runs nothing ahead.
TEST(Launches, ATraceChangesNothing) {
  for (const std::string profile : {"model", "wse2", "wse3"}) {
    std::size_t lines = 0;
    const auto session = session_of(kCells, {.profile = profile});
    vm::TraceLines writer([&lines](std::string_view) { ++lines; });
    const auto traced = session_of(kCells, {.profile = profile}, {.trace = &writer});
    for (const auto& each : {&session, &traced}) {
      ASSERT_TRUE((*each)->launch("scale", kArguments));
      ASSERT_TRUE((*each)->launch("pass"));
    }
    EXPECT_EQ(session->cycle(), traced->cycle());
    EXPECT_EQ(session->record().cycles, traced->record().cycles);
    EXPECT_EQ(session->record().counters.pe_cycles, traced->record().counters.pe_cycles);
    EXPECT_GT(lines, 20u);
  }
}

}  // namespace
}  // namespace wse::test_sessions
