// Sessions that are written down and taken up: quiet ones, stopped ones, and with launches or
// elements that wait.
#include <gtest/gtest.h>

#include <array>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "vm/checkpoint/checkpoint.h"
#include "vm/profile/record_json.h"

namespace wse {
namespace {

constexpr const char* kProgram = R"(.grid 2, 1
.colour in, out
.program cell
  .i32 sum exported
  .i32 own = x
  .reg n, k
  task main:
    mov32 own, 5
  task step exported (n: i32):
    mov32 k, 0
  again:
    add32 sum, sum, n
    add32 k, k, 1
    blt   k, 4, again
  task double exported (n: i32):
    mul32 fabout(out), fabin(in, length=2), n
.place cell at (0..1, 0)
.route in at (0, 0): west -> ramp
.route in at (1, 0): east -> ramp
.route out at (0, 0): ramp -> west
.route out at (1, 0): ramp -> east
.stream numbers: i32 at (0, 0): west -> in
.stream others: i32 at (1, 0): east -> in
.stream doubled: i32 at (0, 0): out -> west
.stream more: i32 at (1, 0): out -> east
)";

class SessionCheckpoints : public testing::Test {
 protected:
  static std::unique_ptr<vm::Session> session() {
    const isa::Profile profile = *isa::find_profile("wse2");
    assembler::Output output =
        assembler::assemble({"cell.wsa", kProgram}, {.overrides = {}, .profile = profile});
    EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
    auto machine = *vm::Machine::create(std::move(*output.image), profile,
                                        {.threads = 1,
                                         .transport = vm::TransportChoice::Stepper,
                                         .engine = test_support::test_engine()});
    vm::RunOptions options;
    options.profile = true;
    return vm::Session::of(std::move(machine), options);
  }
  // Another session that continues where this one is.
  static std::unique_ptr<vm::Session> moved(vm::Session& from) {
    const auto file = vm::checkpoint_of(from);
    EXPECT_TRUE(file) << file.error().message;
    auto to = session();
    const auto done = vm::restore(*to, *file);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(to->state(), from.state());
    EXPECT_EQ(to->cycle(), from.cycle());
    EXPECT_EQ(to->is_prepared(), from.is_prepared());
    return to;
  }
  static std::string told(vm::Session& session) {
    std::string text = vm::lasting_record_object(session.record()).dump();
    for (const char* const name : {"busy", "instructions", "halted_at"}) {
      const auto numbers = session.machine().profile_array(name);
      for (const std::uint64_t number : *numbers) {
        text += " " + std::to_string(number);
      }
    }
    for (const std::uint32_t x : {0u, 1u}) {
      text += " " + std::to_string(session.symbol(x, 0, "sum")->words[0]);
    }
    return text;
  }
  static void launch(vm::Session& session, const char* task, std::int64_t n) {
    const isa::Status done = session.launch(task, std::array{isa::Number::of(n)});
    EXPECT_TRUE(done) << done.error();
  }
};

TEST_F(SessionCheckpoints, ContinueBetweenLaunches) {
  const auto first = session();
  moved(*first);
  launch(*first, "step", 3);
  const auto second = moved(*first);
  EXPECT_EQ(told(*second), told(*first));
  for (vm::Session* const each : {first.get(), second.get()}) launch(*each, "step", 2);
  EXPECT_EQ(told(*second), told(*first));
}

TEST_F(SessionCheckpoints, ContinueWithinALaunchAndBeforeIt) {
  const auto first = session();
  ASSERT_TRUE(first->run());
  ASSERT_TRUE(first->prepare("step", std::array{isa::Number::of(std::int64_t{3})}));
  const auto second = moved(*first);
  ASSERT_TRUE(second->is_prepared()) << "another launch may come";
  for (vm::Session* const each : {first.get(), second.get()}) {
    ASSERT_TRUE(each->run(each->cycle() + 9));
    ASSERT_EQ(each->state(), vm::Session::State::Stopped);
  }
  const auto third = moved(*second);
  for (vm::Session* const each : {first.get(), second.get(), third.get()}) {
    ASSERT_TRUE(each->run());
  }
  EXPECT_EQ(told(*second), told(*first));
  EXPECT_EQ(told(*third), told(*first));
}

TEST_F(SessionCheckpoints, HaveTheElementsOfTheirStreams) {
  const auto first = session();
  const std::array<std::uint32_t, 2> some = {1, 2};
  const std::array<std::uint32_t, 2> more = {3, 4};
  for (const char* const stream : {"numbers", "others"}) ASSERT_TRUE(first->send(stream, some));
  launch(*first, "double", 2);
  for (const char* const stream : {"numbers", "others"}) ASSERT_TRUE(first->send(stream, more));
  const auto second = moved(*first);
  for (vm::Session* const each : {first.get(), second.get()}) launch(*each, "double", 10);
  EXPECT_EQ(told(*second), told(*first));
  const std::vector<std::uint32_t> wanted = {2, 4, 30, 40};
  const auto received = [](vm::Session& session, std::string_view stream) {
    return session.receive(stream, 4).value_or(std::vector<std::uint32_t>());
  };
  EXPECT_EQ(received(*second, "doubled"), wanted);
  const auto third = moved(*second);
  EXPECT_EQ(received(*third, "more"), wanted);
  EXPECT_EQ(third->arrived("doubled").value_or(1), 0u);
}

TEST_F(SessionCheckpoints, ARefusedFileChangesNothing) {
  const auto first = session();
  auto file = *vm::checkpoint_of(*first);
  file[file.size() / 2] ^= std::byte{1};
  EXPECT_FALSE(vm::restore(*first, file));
  EXPECT_EQ(first->state(), vm::Session::State::New);
  launch(*first, "step", 1);
  EXPECT_FALSE(vm::restore(*first, *vm::checkpoint_of(*first))) << "a cycle was done";
  EXPECT_EQ(first->state(), vm::Session::State::Quiet);
}

}  // namespace
}  // namespace wse
