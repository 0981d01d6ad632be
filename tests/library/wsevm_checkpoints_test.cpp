// wsevm.h: machines that are written to files and taken up by others.
#include <array>

#include "tests/library/wsevm_support.h"
#include "tests/support/files.h"

namespace wse::test_library {
namespace {

// Returns what a machine has in its array, and in its record but for what depends on the host and
// the transport.
std::string told_by(wsevm_machine machine) {
  std::array<float, 2> sums{};
  EXPECT_EQ(wsevm_read(machine, "sum", nullptr, nullptr, sums.data(), sizeof sums), WSEVM_OK);
  char* json = nullptr;
  EXPECT_EQ(wsevm_record_json(machine, &json), WSEVM_OK) << wsevm_error_text();
  std::string text = taken(json);
  for (const float sum : sums) text += " " + std::to_string(sum);
  for (const char* const field : {"\"wall_seconds\"", "\"transport\""}) {
    const std::size_t at = text.find(field);
    text.erase(at, text.find(',', at) - at);
  }
  return text;
}

TEST(LibraryCheckpoints, ContinueInAnotherMachine) {
  const test_support::ScratchFolder folder;
  const std::string file = (folder.path() / "machine.checkpoint").string();
  const TestMachine first(kLaunched, {"profile=1", "transport=wafer"});
  const std::array arguments = {3.0, 0.5};
  ASSERT_EQ(wsevm_launch(first.handle(), "step", arguments.data(), 2, nullptr, nullptr), WSEVM_OK)
      << wsevm_error_text();
  ASSERT_EQ(wsevm_checkpoint_write(first.handle(), file.c_str()), WSEVM_OK) << wsevm_error_text();
  const TestMachine second(kLaunched, {"profile=1", "transport=wafer", "threads=2"});
  ASSERT_EQ(wsevm_restore(second.handle(), file.c_str()), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(told_by(first.handle()), told_by(second.handle()));
  for (const TestMachine* const machine : {&first, &second}) {
    ASSERT_EQ(wsevm_launch(machine->handle(), "step", arguments.data(), 2, nullptr, nullptr),
              WSEVM_OK);
  }
  EXPECT_EQ(told_by(first.handle()), told_by(second.handle()));
  // A file that was taken up is no input: the next state may replace it.
  EXPECT_EQ(wsevm_checkpoint_write(second.handle(), file.c_str()), WSEVM_OK) << wsevm_error_text();
}

TEST(LibraryCheckpoints, AreRefusedWithReason) {
  const test_support::ScratchFolder folder;
  const std::string file = (folder.path() / "machine.checkpoint").string();
  const TestMachine first(kLaunched, {"transport=stepper"});
  expect_error(wsevm_checkpoint_write(first.handle(), nullptr), WSEVM_BAD_INPUT, "file is NULL");
  ASSERT_EQ(wsevm_checkpoint_write(first.handle(), file.c_str()), WSEVM_OK) << wsevm_error_text();
  ASSERT_EQ(wsevm_run_until(first.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  expect_error(wsevm_restore(first.handle(), file.c_str()), WSEVM_BAD_STATE, "has run");
  const TestMachine profiled(kLaunched, {"profile=1", "transport=stepper"});
  expect_error(wsevm_restore(profiled.handle(), file.c_str()), WSEVM_BAD_INPUT,
               "profile kept: false there, true here");
  expect_error(wsevm_restore(profiled.handle(), (file + "x").c_str()), WSEVM_BAD_INPUT,
               "machine.checkpointx");
  ASSERT_EQ(wsevm_run_until(profiled.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK)
      << "what was refused has changed nothing";
  const TestMachine stuck(kDeadlock, {"transport=stepper"});
  ASSERT_EQ(wsevm_run_until(stuck.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_ENDED_BADLY);
  expect_error(wsevm_checkpoint_write(stuck.handle(), file.c_str()), WSEVM_ENDED_BADLY,
               "no checkpoint: ");
}

}  // namespace
}  // namespace wse::test_library
