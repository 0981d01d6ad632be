// wsevm.h: machines, arrays, symbols and runs, with every error.
#include <array>
#include <thread>

#include "tests/library/wsevm_support.h"

namespace wse::test_library {
namespace {

using Floats = std::array<float, 12>;

Floats counted() {
  Floats x{};
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k);
  return x;
}

TEST(LibraryArrays, AreDescribed) {
  const TestMachine machine(kRow);
  wsevm_array array{};
  ASSERT_EQ(wsevm_array_info(machine.handle(), "table", &array), WSEVM_OK);
  EXPECT_STREQ(array.type, "i32");
  EXPECT_STREQ(array.dtype, "<i4");
  EXPECT_EQ(array.element_bytes, 4u);
  EXPECT_EQ(array.place.width, 4u);
  EXPECT_EQ(array.place.height, 1u);
  EXPECT_EQ(array.count, 6u);
  ASSERT_EQ(array.dimensions, 2u);
  EXPECT_EQ(array.extents[0], 2u);
  EXPECT_EQ(array.extents[1], 3u);
  ASSERT_EQ(wsevm_array_info(machine.handle(), "total", &array), WSEVM_OK);
  EXPECT_EQ(array.dimensions, 0u);
  EXPECT_EQ(array.count, 1u);
  expect_error(wsevm_array_info(machine.handle(), "hidden", &array), WSEVM_BAD_INPUT,
               "write 'exported' after its name");
  expect_error(wsevm_array_info(machine.handle(), nullptr, &array), WSEVM_BAD_INPUT,
               "name is NULL");
  expect_error(wsevm_array_info(machine.handle(), "total", nullptr), WSEVM_BAD_INPUT,
               "array is NULL");
}

TEST(LibraryArrays, GoInAndComeOut) {
  const TestMachine machine(kRow);
  const Floats x = counted();
  ASSERT_EQ(wsevm_write(machine.handle(), "x_in", nullptr, nullptr, x.data(), sizeof x), WSEVM_OK);
  int status = -1;
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, &status), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(status, WSEVM_HALTED);
  Floats y{};
  ASSERT_EQ(wsevm_read(machine.handle(), "y_out", nullptr, nullptr, y.data(), sizeof y), WSEVM_OK);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(y[k], 2 * x[k] + 1) << k;
  std::uint64_t cycles = 0;
  ASSERT_EQ(wsevm_cycle(machine.handle(), &cycles), WSEVM_OK);
  EXPECT_GT(cycles, 3u);
}

TEST(LibraryArrays, PartsOfThem) {
  const TestMachine machine(kRow);
  const wsevm_rectangle two = {1, 0, 2, 1};
  const wsevm_elements last = {1, 2};
  const std::array<float, 4> part = {10, 11, 20, 21};
  ASSERT_EQ(wsevm_write(machine.handle(), "x_in", &two, &last, part.data(), sizeof part), WSEVM_OK)
      << wsevm_error_text();
  Floats x{};
  ASSERT_EQ(wsevm_read(machine.handle(), "x_in", nullptr, nullptr, x.data(), sizeof x), WSEVM_OK);
  EXPECT_EQ(x, (Floats{0, 0, 0, 0, 10, 11, 0, 20, 21, 0, 0, 0}));
  std::array<std::int16_t, 4> small{};
  ASSERT_EQ(wsevm_read(machine.handle(), "small", &two, nullptr, small.data(), sizeof small),
            WSEVM_OK);
  EXPECT_EQ(small, (std::array<std::int16_t, 4>{10, 11, 20, 21}));
}

TEST(LibraryArrays, WrongShapesAreErrors) {
  const TestMachine machine(kRow);
  Floats x{};
  const auto read = [&](const wsevm_rectangle* place, const wsevm_elements* elements,
                        std::size_t bytes) {
    return wsevm_read(machine.handle(), "x_in", place, elements, x.data(), bytes);
  };
  expect_error(read(nullptr, nullptr, 44), WSEVM_BAD_INPUT, "'x_in' has 48 bytes, not 44");
  const wsevm_rectangle outside = {3, 0, 2, 1};
  expect_error(read(&outside, nullptr, 24), WSEVM_BAD_INPUT, "'x_in'");
  const wsevm_rectangle huge = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  expect_error(read(&huge, nullptr, 24), WSEVM_BAD_INPUT, "'x_in'");
  const wsevm_rectangle empty = {0, 0, 0, 1};
  expect_error(read(&empty, nullptr, 0), WSEVM_BAD_INPUT, "'x_in'");
  const wsevm_elements beyond = {2, 2};
  expect_error(read(nullptr, &beyond, 32), WSEVM_BAD_INPUT, "'x_in'");
  const wsevm_elements wraps = {UINT32_MAX, 2};
  expect_error(read(nullptr, &wraps, 32), WSEVM_BAD_INPUT, "no array has so many");
  expect_error(wsevm_read(machine.handle(), "none", nullptr, nullptr, x.data(), sizeof x),
               WSEVM_BAD_INPUT, "no program on the grid exports 'none'");
  expect_error(wsevm_read(machine.handle(), nullptr, nullptr, nullptr, x.data(), sizeof x),
               WSEVM_BAD_INPUT, "name is NULL");
  expect_error(wsevm_read(machine.handle(), "x_in", nullptr, nullptr, nullptr, 48), WSEVM_BAD_INPUT,
               "data is NULL");
  expect_error(wsevm_write(machine.handle(), "x_in", nullptr, nullptr, nullptr, 48),
               WSEVM_BAD_INPUT, "data is NULL");
  expect_error(wsevm_write(machine.handle(), "x_in", &outside, nullptr, x.data(), 24),
               WSEVM_BAD_INPUT, "'x_in'");
}

TEST(LibraryArrays, SymbolsOfAPe) {
  const TestMachine machine(kRow);
  std::int32_t hidden = 0;
  const auto get = [&] {
    return wsevm_symbol_get(machine.handle(), 2, 0, "hidden", &hidden, sizeof hidden);
  };
  ASSERT_EQ(get(), WSEVM_OK);
  EXPECT_EQ(hidden, 7);
  const std::int32_t next = 40;
  ASSERT_EQ(wsevm_symbol_set(machine.handle(), 2, 0, "hidden", &next, sizeof next), WSEVM_OK);
  ASSERT_EQ(get(), WSEVM_OK);
  EXPECT_EQ(hidden, 40);
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  ASSERT_EQ(get(), WSEVM_OK);
  EXPECT_EQ(hidden, 9);
  expect_error(wsevm_symbol_get(machine.handle(), 4, 0, "hidden", &hidden, 4), WSEVM_BAD_INPUT,
               "PE(4, 0) lies outside the grid");
  expect_error(wsevm_symbol_get(machine.handle(), 0, 0, "secret", &hidden, 4), WSEVM_BAD_INPUT,
               "has no symbol 'secret'");
  expect_error(wsevm_symbol_get(machine.handle(), 0, 0, "hidden", &hidden, 2), WSEVM_BAD_INPUT,
               "2 bytes are given, 4 are wanted");
  expect_error(wsevm_symbol_set(machine.handle(), 0, 0, "hidden", &next, 2), WSEVM_BAD_INPUT,
               "2 bytes are given, 4 are wanted");
}

TEST(LibraryRuns, InSteps) {
  const TestMachine machine(kRow);
  int status = -1;
  std::uint64_t cycles = 7;
  ASSERT_EQ(wsevm_cycle(machine.handle(), &cycles), WSEVM_OK);
  EXPECT_EQ(cycles, 0u);
  ASSERT_EQ(wsevm_run_until(machine.handle(), 0, &status), WSEVM_OK);
  EXPECT_EQ(status, WSEVM_CYCLE_LIMIT);
  for (std::uint64_t cycle = 1; status == WSEVM_CYCLE_LIMIT; ++cycle) {
    ASSERT_LT(cycle, 1000u);
    ASSERT_EQ(wsevm_run_until(machine.handle(), cycle, &status), WSEVM_OK) << wsevm_error_text();
    ASSERT_EQ(wsevm_cycle(machine.handle(), &cycles), WSEVM_OK);
    if (status == WSEVM_CYCLE_LIMIT) {
      EXPECT_EQ(cycles, cycle);
    }
  }
  EXPECT_EQ(status, WSEVM_HALTED);
  const TestMachine whole(kRow);
  ASSERT_EQ(wsevm_run_until(whole.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  std::uint64_t at_once = 0;
  ASSERT_EQ(wsevm_cycle(whole.handle(), &at_once), WSEVM_OK);
  EXPECT_EQ(cycles, at_once);
  // It is quiet, and stays so.
  EXPECT_EQ(wsevm_run_until(whole.handle(), WSEVM_TO_THE_END, &status), WSEVM_OK);
  EXPECT_EQ(status, WSEVM_HALTED);
}

TEST(LibraryRuns, ThatEndBadlyCanBeRead) {
  const TestMachine machine(kDeadlock);
  int status = -1;
  expect_error(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, &status), WSEVM_ENDED_BADLY,
               "received 0 of 4 words of red");
  EXPECT_EQ(status, WSEVM_DEADLOCK);
  std::array<float, 4> v{};
  EXPECT_EQ(wsevm_read(machine.handle(), "v", nullptr, nullptr, v.data(), sizeof v), WSEVM_OK);
  char* json = nullptr;
  ASSERT_EQ(wsevm_record_json(machine.handle(), &json), WSEVM_OK);
  EXPECT_NE(taken(json).find("\"deadlock\""), std::string::npos);
}

TEST(LibraryRuns, EndAtTheirLimit) {
  const TestMachine machine(kEndless, {"max-cycles=100"});
  int status = -1;
  EXPECT_EQ(wsevm_run_until(machine.handle(), 50, &status), WSEVM_OK);
  expect_error(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, &status), WSEVM_ENDED_BADLY,
               "stopped at the limit of 100 cycles");
  EXPECT_EQ(status, WSEVM_CYCLE_LIMIT);
}

TEST(LibraryRuns, AreInterrupted) {
  const TestMachine machine(kEndless);
  int status = -1;
  std::thread other([&] {
    std::uint64_t cycles = 0;
    // Until the run has the machine.
    while (wsevm_cycle(machine.handle(), &cycles) != WSEVM_BUSY) std::this_thread::yield();
    expect_error(wsevm_read(machine.handle(), "n", nullptr, nullptr, &cycles, 4), WSEVM_BUSY,
                 "another call uses the machine");
    EXPECT_EQ(wsevm_interrupt(machine.handle()), WSEVM_OK);
  });
  expect_error(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, &status), WSEVM_INTERRUPTED,
               "interrupted in cycle");
  other.join();
  EXPECT_EQ(status, WSEVM_STOPPED);
  std::uint64_t before = 0;
  ASSERT_EQ(wsevm_cycle(machine.handle(), &before), WSEVM_OK);
  EXPECT_EQ(wsevm_run_until(machine.handle(), before + 100, &status), WSEVM_OK);
  EXPECT_EQ(status, WSEVM_CYCLE_LIMIT);
  // Without a run the next one stops at once.
  EXPECT_EQ(wsevm_interrupt(machine.handle()), WSEVM_OK);
  EXPECT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, &status), WSEVM_INTERRUPTED);
}

TEST(LibraryRuns, AreFreedByOthers) {
  wsevm_program program = 0;
  ASSERT_EQ(wsevm_program_load(nullptr, kEndless, nullptr, nullptr, &program), WSEVM_OK);
  wsevm_machine machine = 0;
  ASSERT_EQ(wsevm_machine_new(program, nullptr, &machine), WSEVM_OK);
  std::thread other([&] {
    std::uint64_t cycles = 0;
    while (wsevm_cycle(machine, &cycles) != WSEVM_BUSY) std::this_thread::yield();
    EXPECT_EQ(wsevm_machine_free(machine), WSEVM_OK);
  });
  EXPECT_EQ(wsevm_run_until(machine, WSEVM_TO_THE_END, nullptr), WSEVM_INTERRUPTED);
  other.join();
  EXPECT_EQ(wsevm_program_free(program), WSEVM_OK);
}

TEST(LibraryRuns, OnThreadsOfTheirOwn) {
  const auto run = [] {
    const TestMachine machine(kRow);
    const Floats x = counted();
    EXPECT_EQ(wsevm_write(machine.handle(), "x_in", nullptr, nullptr, x.data(), sizeof x),
              WSEVM_OK);
    EXPECT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
    Floats y{};
    EXPECT_EQ(wsevm_read(machine.handle(), "y_out", nullptr, nullptr, y.data(), sizeof y),
              WSEVM_OK);
    EXPECT_EQ(y[11], 23);
    // The text of an error is the thread's own.
    EXPECT_EQ(wsevm_cycle(machine.handle(), nullptr), WSEVM_BAD_INPUT);
    EXPECT_STREQ(wsevm_error_text(), "cycles is NULL");
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) run();
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(LibraryRuns, TellWhatIsPrintedAndHowFarTheyAre) {
  const TestMachine machine(kRow, {"progress=1"});
  std::vector<std::string> lines;
  const wsevm_print print = [](void* user, const char* line) {
    static_cast<std::vector<std::string>*>(user)->push_back(line);
  };
  const wsevm_progress progress = [](void*, std::uint64_t, std::uint64_t, std::uint64_t) {};
  ASSERT_EQ(wsevm_on_print(machine.handle(), print, &lines), WSEVM_OK);
  ASSERT_EQ(wsevm_on_progress(machine.handle(), progress, nullptr), WSEVM_OK);
  ASSERT_EQ(wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr), WSEVM_OK);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[3].ends_with("PE(3,0): done")) << lines[3];
  EXPECT_EQ(wsevm_on_print(machine.handle(), nullptr, nullptr), WSEVM_OK);
  const TestMachine silent(kRow);
  expect_error(wsevm_on_progress(silent.handle(), progress, nullptr), WSEVM_BAD_STATE,
               "make it with progress=1");
}

TEST(LibraryRuns, CallBackNow) {
  const TestMachine machine(kEndless, {"progress=1"});
  const wsevm_progress progress = [](void* user, std::uint64_t, std::uint64_t busy,
                                     std::uint64_t placed) {
    EXPECT_EQ(busy, 1u);
    EXPECT_EQ(placed, 1u);
    wsevm_interrupt(*static_cast<wsevm_machine*>(user));
  };
  wsevm_machine handle = machine.handle();
  ASSERT_EQ(wsevm_on_progress(handle, progress, &handle), WSEVM_OK);
  EXPECT_EQ(wsevm_run_until(handle, WSEVM_TO_THE_END, nullptr), WSEVM_INTERRUPTED);
}

class LibraryLaunches : public testing::Test {
 protected:
  int launch(const char* task, std::vector<double> arguments,
             const wsevm_rectangle* place = nullptr) {
    return wsevm_launch(machine_.handle(), task, arguments.data(), arguments.size(), place,
                        &status_);
  }
  // Returns the sums of the two PEs.
  std::array<float, 2> sums() {
    std::array<float, 2> found{};
    EXPECT_EQ(wsevm_read(machine_.handle(), "sum", nullptr, nullptr, found.data(), sizeof found),
              WSEVM_OK);
    return found;
  }

  const TestMachine machine_{kLaunched, {"profile=1"}};
  int status_ = -1;
};

TEST_F(LibraryLaunches, RunOnAfterMain) {
  char* json = nullptr;
  ASSERT_EQ(wsevm_launches(machine_.handle(), &json), WSEVM_OK);
  EXPECT_EQ(taken(json), R"([{"name":"step","arguments":["i32","f32"]}])");
  ASSERT_EQ(launch("step", {3, 0.5}), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(status_, WSEVM_HALTED);
  EXPECT_EQ(sums(), (std::array<float, 2>{103.5, 103.5}));
  const wsevm_rectangle second = {1, 0, 1, 1};
  ASSERT_EQ(launch("step", {-1, 0}, &second), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(sums(), (std::array<float, 2>{103.5, 102.5}));
  const float next[] = {0, 7};
  ASSERT_EQ(wsevm_write(machine_.handle(), "sum", nullptr, nullptr, next, sizeof next), WSEVM_OK);
  ASSERT_EQ(wsevm_prepare(machine_.handle(), "step", std::array{1.0, 0.0}.data(), 2, nullptr),
            WSEVM_OK);
  ASSERT_EQ(wsevm_run_until(machine_.handle(), WSEVM_TO_THE_END, &status_), WSEVM_OK);
  EXPECT_EQ(sums(), (std::array<float, 2>{1, 8}));
}

TEST_F(LibraryLaunches, HaveRecordsOfTheirOwn) {
  ASSERT_EQ(launch("step", {3, 0.5}), WSEVM_OK);
  std::uint64_t before = 0;
  ASSERT_EQ(wsevm_cycle(machine_.handle(), &before), WSEVM_OK);
  ASSERT_EQ(launch("step", {3, 0.5}), WSEVM_OK);
  char* json = nullptr;
  ASSERT_EQ(wsevm_record_json(machine_.handle(), &json), WSEVM_OK);
  const std::string record = taken(json);
  EXPECT_NE(record.find("\"halted\""), std::string::npos);
  std::uint64_t after = 0;
  ASSERT_EQ(wsevm_cycle(machine_.handle(), &after), WSEVM_OK);
  EXPECT_GT(after, before);
  std::array<std::uint32_t, 2> tasks{};
  ASSERT_EQ(wsevm_profile_array(machine_.handle(), "tasks", nullptr, tasks.data(), sizeof tasks),
            WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(tasks, (std::array<std::uint32_t, 2>{1, 1}));
}

TEST_F(LibraryLaunches, ThatCannotBeAreErrors) {
  expect_error(launch("stop", {}), WSEVM_BAD_INPUT, "no program on the grid exports a task 'stop'");
  expect_error(launch("step", {1}), WSEVM_BAD_INPUT, "task 'step' takes 2 arguments, 1 is given");
  expect_error(launch("step", {0.5, 1}), WSEVM_BAD_INPUT, "argument 1 of task 'step'");
  expect_error(launch("step", {1e12, 1}), WSEVM_BAD_INPUT, "does not fit into i32");
  const wsevm_rectangle outside = {1, 0, 2, 1};
  expect_error(launch("step", {1, 1}, &outside), WSEVM_BAD_INPUT, "grid");
  expect_error(wsevm_launch(machine_.handle(), nullptr, nullptr, 0, nullptr, nullptr),
               WSEVM_BAD_INPUT, "task is NULL");
  expect_error(wsevm_launch(machine_.handle(), "step", nullptr, 2, nullptr, nullptr),
               WSEVM_BAD_INPUT, "arguments is NULL");
  expect_error(wsevm_prepare(machine_.handle(), "step", nullptr, 2, nullptr), WSEVM_BAD_INPUT,
               "arguments is NULL");
  expect_error(wsevm_launches(machine_.handle(), nullptr), WSEVM_BAD_INPUT, "json is NULL");
  // Refused calls have run main at most: the first launch finds the values as they were.
  EXPECT_EQ(launch("step", {0, 0}), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(sums(), (std::array<float, 2>{100, 100}));
}

TEST_F(LibraryLaunches, WaitForQuiet) {
  ASSERT_EQ(wsevm_run_until(machine_.handle(), 1, &status_), WSEVM_OK);
  ASSERT_EQ(status_, WSEVM_CYCLE_LIMIT);
  expect_error(launch("step", {1, 1}), WSEVM_BAD_STATE, "is not quiet");
}

TEST(LibraryOptions, AreChecked) {
  const TestProgram program(kRow);
  const auto make = [&](const char* option) {
    const char* const options[] = {option, nullptr};
    wsevm_machine machine = 0;
    const int code = wsevm_machine_new(program.handle(), options, &machine);
    if (code == WSEVM_OK) wsevm_machine_free(machine);
    return code;
  };
  for (const char* const good :
       {"engine=interp", "engine=auto", "transport=stepper", "transport=wafer", "threads=2",
        "machine=wse3", "max-cycles=0", "max-memory=1G", "tsc-skew=1", "jitter=1", "jitter=1:5",
        "profile=1", "profile=0", "progress=1", "expect=1", "strict=1"}) {
    EXPECT_EQ(make(good), WSEVM_OK) << good << ": " << wsevm_error_text();
  }
  for (const char* const bad : {"engine=fast", "transport=boat", "threads=0", "threads=1025",
                                "threads=x", "machine=", "max-cycles=-1", "max-memory=0",
                                "max-memory=9999999999G", "tsc-skew=", "jitter=1:9999999",
                                "jitter=", "profile=2", "progress=yes", "expect=yes", "strict="}) {
    expect_error(make(bad), WSEVM_BAD_INPUT, "it takes");
  }
  expect_error(make("colour=red"), WSEVM_BAD_INPUT, "there is no option 'colour'; the options are");
  expect_error(make("profile"), WSEVM_BAD_INPUT, "has not the form name=value");
  expect_error(make("machine=wse9"), WSEVM_BAD_INPUT, "there is no machine 'wse9'");
  expect_error(make("max-memory=1"), WSEVM_EXHAUSTED, "out of memory for a machine of 4 x 1 PEs");
  expect_error(wsevm_machine_new(program.handle(), nullptr, nullptr), WSEVM_BAD_INPUT,
               "machine is NULL");
}

}  // namespace
}  // namespace wse::test_library
