// wsevm.h: records, profiles, pages and runs in one call, with every error.
#include <array>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/library/wsevm_support.h"
#include "tests/support/files.h"

namespace wse::test_library {
namespace {

using Json = nlohmann::json;

std::string record_of(wsevm_machine machine) {
  char* json = nullptr;
  EXPECT_EQ(wsevm_record_json(machine, &json), WSEVM_OK) << wsevm_error_text();
  return taken(json);
}

TEST(LibraryRecords, AreThoseOfTheCommandLine) {
  const TestMachine machine(kRow);
  char* json = nullptr;
  expect_error(wsevm_record_json(machine.handle(), &json), WSEVM_BAD_STATE, "nothing has run");
  expect_error(wsevm_record_json(machine.handle(), nullptr), WSEVM_BAD_INPUT, "json is NULL");
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  const Json record = Json::parse(record_of(machine.handle()));
  EXPECT_EQ(record["status"], "halted");
  EXPECT_EQ(record["machine"], "wse2");
  EXPECT_EQ(record["grid"], (Json{4, 1}));
  EXPECT_EQ(record["marks"]["end"]["count"], 4);
  std::uint64_t cycles = 0;
  ASSERT_EQ(wsevm_cycle(machine.handle(), &cycles), WSEVM_OK);
  EXPECT_GE(cycles, record["cycles"].get<std::uint64_t>());
}

TEST(LibraryRecords, SayWhichExpectationsFail) {
  const std::string text = std::string(kRow) + ".expect total at (0, 0) == 5\n";
  const TestMachine machine(text.c_str(), {"expect=1"});
  expect_error(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_ENDED_BADLY,
               "total");
  EXPECT_EQ(Json::parse(record_of(machine.handle()))["status"], "halted");
}

TEST(LibraryProfiles, HaveTheArraysOfTheFile) {
  const TestMachine machine(kRow, {"profile=1"});
  char* names = nullptr;
  expect_error(wsevm_profile_names(machine.handle(), &names), WSEVM_BAD_STATE, "nothing has run");
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  ASSERT_EQ(wsevm_profile_names(machine.handle(), &names), WSEVM_OK) << wsevm_error_text();
  EXPECT_NE(taken(names).find("busy\n"), std::string::npos);
  wsevm_numbers numbers{};
  ASSERT_EQ(wsevm_profile_array(machine.handle(), "busy", &numbers, nullptr, 0), WSEVM_OK);
  EXPECT_STREQ(numbers.dtype, "<u4");
  ASSERT_EQ(numbers.dimensions, 2u);
  EXPECT_EQ(numbers.extents[0], 1u);
  EXPECT_EQ(numbers.extents[1], 4u);
  std::array<std::uint32_t, 4> busy{};
  ASSERT_EQ(numbers.bytes, sizeof busy);
  ASSERT_EQ(wsevm_profile_array(machine.handle(), "busy", nullptr, busy.data(), sizeof busy),
            WSEVM_OK);
  const Json record = Json::parse(record_of(machine.handle()));
  EXPECT_EQ(record["pe_cycles"]["busy"], std::uint64_t{busy[0]} + busy[1] + busy[2] + busy[3]);
  expect_error(wsevm_profile_array(machine.handle(), "busy", nullptr, busy.data(), 8),
               WSEVM_BAD_INPUT, "8 bytes are given, 16 are wanted");
  expect_error(wsevm_profile_array(machine.handle(), "lazy", &numbers, nullptr, 0), WSEVM_BAD_INPUT,
               "the profile has no array 'lazy'; it has");
  expect_error(wsevm_profile_array(machine.handle(), "busy", nullptr, nullptr, 0), WSEVM_BAD_INPUT,
               "numbers is NULL");
  expect_error(wsevm_profile_array(machine.handle(), nullptr, &numbers, nullptr, 0),
               WSEVM_BAD_INPUT, "name is NULL");
  expect_error(wsevm_profile_names(machine.handle(), nullptr), WSEVM_BAD_INPUT, "names is NULL");
}

TEST(LibraryProfiles, AreKeptWhereTheyAreWanted) {
  const TestMachine machine(kRow);
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  char* names = nullptr;
  expect_error(wsevm_profile_names(machine.handle(), &names), WSEVM_BAD_STATE,
               "make it with profile=1");
}

TEST(LibraryProfiles, GoIntoFilesAndPages) {
  const test_support::ScratchFolder scratch;
  const std::string profile = scratch.path() / "a.npz";
  const std::string page = scratch.path() / "r.html";
  const TestMachine first(kRow, {"profile=1"});
  const TestMachine second(kRow, {"profile=1", "machine=wse3"});
  for (const TestMachine* machine : {&first, &second}) {
    ASSERT_EQ(wsevm_run_until(machine->handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  }
  ASSERT_EQ(wsevm_profile_write(first.handle(), profile.c_str()), WSEVM_OK) << wsevm_error_text();
  EXPECT_TRUE(test_support::read_text(profile).starts_with("PK"));
  const wsevm_machine machines[] = {first.handle(), second.handle()};
  const char* const names[] = {"one", "two"};
  ASSERT_EQ(wsevm_report_write(machines, 2, names, "both", page.c_str()), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_NE(test_support::read_text(page).find("both"), std::string::npos);
  ASSERT_EQ(wsevm_report_write(machines, 1, nullptr, nullptr, page.c_str()), WSEVM_OK);
  const wsevm_machine twice[] = {first.handle(), first.handle()};
  expect_error(wsevm_report_write(twice, 2, nullptr, nullptr, page.c_str()), WSEVM_BUSY,
               "another call uses the machine");
  expect_error(wsevm_report_write(machines, 0, nullptr, nullptr, page.c_str()), WSEVM_BAD_INPUT,
               "count is 0");
  expect_error(wsevm_report_write(nullptr, 1, nullptr, nullptr, page.c_str()), WSEVM_BAD_INPUT,
               "machines is NULL");
  expect_error(wsevm_report_write(machines, 1, nullptr, nullptr, nullptr), WSEVM_BAD_INPUT,
               "file is NULL");
  expect_error(wsevm_report_write(machines, 1, nullptr, nullptr, "/no/such/r.html"),
               WSEVM_BAD_INPUT, "/no/such/r.html");
  expect_error(wsevm_profile_write(first.handle(), nullptr), WSEVM_BAD_INPUT, "file is NULL");
  expect_error(wsevm_profile_write(first.handle(), "/no/such/a.npz"), WSEVM_BAD_INPUT, "/no/such");
}

class RunFile : public testing::Test {
 protected:
  RunFile() {
    use_data_of_checkout();
    test_support::write_text(path("row.wsa"), kRow);
    test_support::write_text(path("dead.wsa"), kDeadlock);
    test_support::write_text(path("row.lua"), std::string("local wse = require \"wse\"\n") +
                                                  "print('hello')\nlocal r = wse.run{text = [[" +
                                                  kRow + "]]}\nwse.user{twice = 2 * r.cycles}\n");
    test_support::write_text(path("endless.wsa"), kEndless);
    test_support::write_text(path("endless.lua"), "while true do end\n");
    test_support::write_text(path("wrong.lua"), "error('so not')\n");
  }
  std::string path(const std::string& name) const { return scratch_.path() / name; }

  // Runs the file; `record_` and `printed_` are what came out.
  int run(const std::string& name, std::vector<const char*> options = {}) {
    options.push_back(nullptr);
    printed_.clear();
    char* json = nullptr;
    const int code = wsevm_run_file(
        path(name).c_str(), nullptr, options.data(),
        [](void* user, const char* line) {
          *static_cast<std::string*>(user) += std::string(line) + "|";
        },
        &printed_, &running_, &json);
    record_ = json == nullptr ? Json() : Json::parse(taken(json));
    return code;
  }

  Json record_;
  std::string printed_;
  std::uint64_t running_ = 0;

 private:
  test_support::ScratchFolder scratch_;
};

TEST_F(RunFile, RunsPrograms) {
  ASSERT_EQ(run("row.wsa", {"machine=wse3", "engine=interp"}), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(record_["status"], "halted");
  EXPECT_EQ(record_["machine"], "wse3");
  EXPECT_NE(printed_.find("PE(0,0): done|"), std::string::npos);
  expect_error(run("dead.wsa"), WSEVM_ENDED_BADLY, "received 0 of 4 words");
  EXPECT_EQ(record_["status"], "deadlock");
}

TEST_F(RunFile, RunsScripts) {
  ASSERT_EQ(run("row.lua"), WSEVM_OK) << wsevm_error_text();
  EXPECT_TRUE(printed_.starts_with("hello|")) << printed_;
  EXPECT_EQ(record_["user"]["twice"], 2 * record_["cycles"].get<int>());
  expect_error(run("wrong.lua"), WSEVM_BAD_INPUT, "so not");
  EXPECT_EQ(record_["status"], "error");
}

TEST_F(RunFile, IsInterrupted) {
  for (const char* const name : {"endless.wsa", "endless.lua"}) {
    std::thread other([&] {
      int code = WSEVM_BAD_HANDLE;
      while (code != WSEVM_OK) code = wsevm_interrupt(running_);
    });
    EXPECT_EQ(run(name), WSEVM_INTERRUPTED) << wsevm_error_text();
    other.join();
    EXPECT_EQ(record_["status"], "interrupted");
    expect_error(wsevm_interrupt(running_), WSEVM_BAD_HANDLE, "names no machine");
  }
}

TEST_F(RunFile, LeavesARecordOfWhatCouldNotRun) {
  expect_error(run("none.wsa"), WSEVM_BAD_INPUT, "none.wsa");
  EXPECT_EQ(record_["status"], "error");
  EXPECT_NE(record_["message"].get<std::string>().find("none.wsa"), std::string::npos);
  expect_error(run("row.wsa", {"engine=fast"}), WSEVM_BAD_INPUT, "option engine is 'fast'");
  EXPECT_TRUE(record_.is_null());
  expect_error(wsevm_run_file(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
               WSEVM_BAD_INPUT, "file is NULL");
  EXPECT_EQ(
      wsevm_run_file(path("row.wsa").c_str(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
      WSEVM_OK);
}

}  // namespace
}  // namespace wse::test_library
