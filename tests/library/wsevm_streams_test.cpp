// wsevm.h: streams, into which a host sends and from which it receives, with every error.
#include <array>
#include <numeric>

#include "tests/library/wsevm_support.h"

namespace wse::test_library {
namespace {

// Two PEs, each of which doubles what comes from the west and sends it east or west. 16-bit streams
// beside those of 32 bits.
constexpr const char* kStreams = R"(.grid 1, 2
.colour numbers, doubled, low, lower
.program twice
  .f32 v
  .i32 taken exported
  .reg k
  .microthread halves
  task main:
    mov32 fabout(lower), fabin(low, length=endless) async halves
  again:
    fmovs v, fabin(numbers)
    mov32 k, taken
    add32 k, k, 1
    mov32 taken, k
    fadds fabout(doubled), v, v
    jmp   again
  task count exported:
    mov32 taken, 0
.place twice at (0, 0..1)
.route numbers at (0, 0..1): west -> ramp
.route low at (0, 0..1): west -> ramp
.route doubled at (0, 0..1): ramp -> east
.route lower at (0, 0..1): ramp -> east
.stream numbers: f32 at (0, 0..1): west -> numbers
.stream doubled: f32 at (0, 0..1): doubled -> east
.stream low: i16 at (0, 0..1): west -> low
.stream lower: i16 at (0, 0..1): lower -> east
)";

class LibraryStreams : public testing::Test {
 protected:
  template <class T, std::size_t kCount>
  int send(const char* stream, const std::array<T, kCount>& values) const {
    return wsevm_send(machine_.handle(), stream, values.data(), sizeof values);
  }
  int run() const { return wsevm_run_until(machine_.handle(), WSEVM_TO_THE_END, nullptr); }
  std::size_t arrived(const char* stream) const {
    std::size_t count = 4711;
    EXPECT_EQ(wsevm_arrived(machine_.handle(), stream, &count), WSEVM_OK) << wsevm_error_text();
    return count;
  }

  const TestMachine machine_{kStreams, {"transport=wafer"}};
};

TEST_F(LibraryStreams, TakeWhatIsSentAndGiveWhatHasLeft) {
  ASSERT_EQ(send("numbers", std::array<float, 6>{1, 2, 3, 10, 20, 30}), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(arrived("doubled"), 0u);
  ASSERT_EQ(run(), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(arrived("doubled"), 3u);
  std::array<float, 4> out{};
  ASSERT_EQ(wsevm_receive(machine_.handle(), "doubled", out.data(), sizeof out), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(out, (std::array<float, 4>{2, 4, 20, 40}));
  ASSERT_EQ(send("numbers", std::array<float, 2>{4, 40}), WSEVM_OK);
  ASSERT_EQ(run(), WSEVM_OK);
  ASSERT_EQ(wsevm_receive(machine_.handle(), "doubled", out.data(), sizeof out), WSEVM_OK);
  EXPECT_EQ(out, (std::array<float, 4>{6, 8, 60, 80}));
  EXPECT_EQ(arrived("doubled"), 0u);
  std::array<std::int32_t, 2> taken{};
  ASSERT_EQ(wsevm_read(machine_.handle(), "taken", nullptr, nullptr, taken.data(), sizeof taken),
            WSEVM_OK);
  EXPECT_EQ(taken, (std::array<std::int32_t, 2>{4, 4}));
}

TEST_F(LibraryStreams, HaveElementsOf16Bits) {
  ASSERT_EQ(send("low", std::array<std::int16_t, 4>{1, -2, 300, -400}), WSEVM_OK);
  ASSERT_EQ(run(), WSEVM_OK) << wsevm_error_text();
  std::array<std::int16_t, 4> out{};
  ASSERT_EQ(wsevm_receive(machine_.handle(), "lower", out.data(), sizeof out), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(out, (std::array<std::int16_t, 4>{1, -2, 300, -400}));
}

// A machine of planes could not take them: the record names the stepper.
TEST_F(LibraryStreams, AreTheSteppers) {
  ASSERT_EQ(run(), WSEVM_OK);
  char* json = nullptr;
  ASSERT_EQ(wsevm_record_json(machine_.handle(), &json), WSEVM_OK);
  EXPECT_NE(taken(json).find(R"("transport": "stepper")"), std::string::npos);
}

TEST_F(LibraryStreams, AreListed) {
  const TestProgram program(kStreams);
  char* json = nullptr;
  ASSERT_EQ(wsevm_program_symbols(program.handle(), &json), WSEVM_OK);
  EXPECT_NE(taken(json).find(R"({"name":"low","type":"i16","dtype":"<i2","enters":true})"),
            std::string::npos);
  wsevm_array array{};
  ASSERT_EQ(wsevm_array_info(machine_.handle(), "numbers", &array), WSEVM_OK);
  EXPECT_EQ(array.place.height, 2u);
  EXPECT_EQ(array.element_bytes, 4u);
}

TEST_F(LibraryStreams, RefuseTheWrongWayAndWrongNumbers) {
  std::array<float, 2> values{};
  std::size_t count = 0;
  const wsevm_machine machine = machine_.handle();
  const auto receive = [&](const char* stream, std::size_t bytes) {
    return wsevm_receive(machine, stream, values.data(), bytes);
  };
  expect_error(send("doubled", values), WSEVM_BAD_INPUT, "leaves the grid: receive from it");
  expect_error(receive("numbers", 8), WSEVM_BAD_INPUT, "enters the grid: send to it");
  expect_error(receive("doubled", 8), WSEVM_BAD_INPUT,
               "of stream 'doubled' 0 elements have left at PE(0, 0), not 1");
  expect_error(send("none", values), WSEVM_BAD_INPUT, "there is no stream 'none'");
  expect_error(send("taken", values), WSEVM_BAD_INPUT, "there is no stream 'taken'");
  expect_error(receive("none", 8), WSEVM_BAD_INPUT, "there is no stream 'none'");
  expect_error(wsevm_arrived(machine, "none", &count), WSEVM_BAD_INPUT, "there is no stream");
  expect_error(wsevm_arrived(machine, "numbers", &count), WSEVM_BAD_INPUT, "enters the grid");
  expect_error(send("numbers", std::array<float, 3>{}), WSEVM_BAD_INPUT,
               "is at 2 PEs and has elements of 4 bytes: 12 bytes are not as many elements");
  expect_error(wsevm_send(machine, "low", values.data(), 2), WSEVM_BAD_INPUT,
               "is at 2 PEs and has elements of 2 bytes: 2 bytes are not as many elements");
  expect_error(receive("doubled", 7), WSEVM_BAD_INPUT, "7 bytes are not as many elements");
  expect_error(wsevm_send(machine, nullptr, nullptr, 0), WSEVM_BAD_INPUT, "stream is NULL");
  expect_error(wsevm_receive(machine, nullptr, nullptr, 0), WSEVM_BAD_INPUT, "stream is NULL");
  expect_error(wsevm_arrived(machine, nullptr, &count), WSEVM_BAD_INPUT, "stream is NULL");
  expect_error(wsevm_arrived(machine, "doubled", nullptr), WSEVM_BAD_INPUT, "count is NULL");
  expect_error(wsevm_send(machine, "numbers", nullptr, 8), WSEVM_BAD_INPUT, "data is NULL");
  expect_error(wsevm_receive(machine, "doubled", nullptr, 8), WSEVM_BAD_INPUT, "data is NULL");
  expect_error(wsevm_send(0, "numbers", nullptr, 0), WSEVM_BAD_HANDLE, "names no machine");
  EXPECT_EQ(wsevm_receive(machine, "doubled", nullptr, 0), WSEVM_OK) << wsevm_error_text();
}

// One element always waits to be received, while 10^5 go through.
TEST_F(LibraryStreams, KeepTheirOrderForEver) {
  constexpr int kMany = 5000;
  constexpr int kEach = 10;
  std::array<float, 2> first = {-1, -1};
  ASSERT_EQ(send("numbers", first), WSEVM_OK);
  float next = -2;
  for (int k = 0; k < kMany; ++k) {
    std::array<float, 2 * kEach> values{};
    std::iota(values.begin(), values.begin() + kEach, static_cast<float>(k * kEach));
    ASSERT_EQ(send("numbers", values), WSEVM_OK);
    ASSERT_EQ(run(), WSEVM_OK);
    ASSERT_EQ(wsevm_receive(machine_.handle(), "doubled", values.data(), sizeof values), WSEVM_OK);
    for (int n = 0; n < kEach; ++n) {
      ASSERT_EQ(values[n], next);
      next = static_cast<float>(2 * (k * kEach + n));
    }
  }
  EXPECT_EQ(arrived("doubled"), 1u);
}

// Elements for a machine whose main ends badly are refused with that end.
TEST(LibraryStreamsOfBadEnds, RefuseElements) {
  const TestMachine machine(R"(.grid 1, 1
.colour red, blue
.program p
  .i32 n
  task main:
    mov32 n, fabin(blue)
.place p at (0, 0)
.route red at (0, 0): west -> ramp
.route blue at (0, 0): east -> ramp
.stream numbers: i32 at (0, 0): west -> red
)");
  const std::int32_t one = 1;
  const auto send = [&] { return wsevm_send(machine.handle(), "numbers", &one, sizeof one); };
  expect_error(send(), WSEVM_ENDED_BADLY, "received 0 of 1 word of blue");
  expect_error(send(), WSEVM_ENDED_BADLY, "received 0 of 1 word of blue");
  char* json = nullptr;
  ASSERT_EQ(wsevm_record_json(machine.handle(), &json), WSEVM_OK);
  EXPECT_NE(taken(json).find("\"deadlock\""), std::string::npos);
}

}  // namespace
}  // namespace wse::test_library
