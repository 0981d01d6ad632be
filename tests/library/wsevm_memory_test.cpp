// The k-th allocation fails in every function of wsevm.h: each says that memory has run out, or
// succeeds; nothing ends the process, nothing is lost. This executable has an operator new of its
// own for that. Records are left out: destructors of the JSON library allocate.
#include <cstdlib>
#include <functional>
#include <new>

#include "tests/library/wsevm_support.h"

namespace {

// Allocations of this thread that succeed before the one that fails; negative: all do.
thread_local long until_failure = -1;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  const std::size_t unit = alignment == 0 ? alignof(std::max_align_t) : alignment;
  void* const block = std::aligned_alloc(unit, (bytes + unit) / unit * unit);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes) { return allocate(bytes, 0); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return allocate(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace wse::test_library {
namespace {

// Calls the function with each of its allocations failing in turn, up to `most`; returns how many
// calls failed. They must be the first ones.
int failures_of(const std::function<int()>& function, int most) {
  for (int k = 0; k < most; ++k) {
    until_failure = k;
    const int code = function();
    const bool failed = until_failure < 0;
    until_failure = -1;
    if (!failed) return k;
    if (code != WSEVM_OK) {
      EXPECT_EQ(code, WSEVM_EXHAUSTED) << "allocation " << k << ": " << wsevm_error_text();
      EXPECT_NE(std::string(wsevm_error_text()).find("memory"), std::string::npos)
          << wsevm_error_text();
    }
  }
  return most;
}

TEST(LibraryMemory, RunsOutWhileAProgramIsLoaded) {
  wsevm_program program = 0;
  const int failed = failures_of(
      [&] {
        if (program != 0) wsevm_program_free(program);
        program = 0;
        return wsevm_program_load("row.wsa", kRow, nullptr, nullptr, &program);
      },
      600);
  EXPECT_GT(failed, 100);
  if (program != 0) wsevm_program_free(program);
}

TEST(LibraryMemory, RunsOutWhileAMachineIsMadeAndUsed) {
  const TestProgram program(kRow);
  const char* const options[] = {"engine=interp", "threads=1", "profile=1", nullptr};
  wsevm_machine machine = 0;
  const int made = failures_of(
      [&] {
        if (machine != 0) wsevm_machine_free(machine);
        machine = 0;
        return wsevm_machine_new(program.handle(), options, &machine);
      },
      600);
  EXPECT_GT(made, 50);
  wsevm_machine_free(machine);
  const TestMachine whole(kRow, {"engine=interp"});
  float x[12] = {};
  failures_of([&] { return wsevm_write(whole.handle(), "x_in", nullptr, nullptr, x, sizeof x); },
              50);
  failures_of([&] { return wsevm_read(whole.handle(), "x_in", nullptr, nullptr, x, sizeof x); },
              50);
  failures_of([&] { return wsevm_read(whole.handle(), "none", nullptr, nullptr, x, 1); }, 0);
  char* names = nullptr;
  failures_of(
      [&] {
        wsevm_free(names);
        names = nullptr;
        return wsevm_profiles(&names);
      },
      100);
  wsevm_free(names);
}

// Two PEs double what comes.
constexpr const char* kStreams = R"(.grid 1, 2
.colour numbers, doubled
.program twice
  .f32 v
  task main:
  again:
    fmovs v, fabin(numbers)
    fadds fabout(doubled), v, v
    jmp   again
.place twice at (0, 0..1)
.route numbers at (0, 0..1): west -> ramp
.route doubled at (0, 0..1): ramp -> east
.stream numbers: f32 at (0, 0..1): west -> numbers
.stream doubled: f32 at (0, 0..1): doubled -> east
)";

TEST(LibraryMemory, RunsOutWhereElementsAreSentOrReceived) {
  const std::vector<float> values(2000, 1.0F);
  int failed = 0;
  for (int k = 0;; ++k) {
    const TestMachine machine(kStreams, {"engine=interp"});
    const auto run = [&] { return wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr); };
    ASSERT_EQ(run(), WSEVM_OK) << wsevm_error_text();
    until_failure = k;
    const int code =
        wsevm_send(machine.handle(), "numbers", values.data(), values.size() * sizeof(float));
    until_failure = -1;
    ASSERT_EQ(run(), WSEVM_OK) << wsevm_error_text();
    std::size_t count = 0;
    ASSERT_EQ(wsevm_arrived(machine.handle(), "doubled", &count), WSEVM_OK);
    if (code == WSEVM_OK) {
      EXPECT_EQ(count, 1000u);
      float out[2000] = {};
      const int calls = failures_of(
          [&] { return wsevm_receive(machine.handle(), "doubled", out, sizeof out); }, 50);
      EXPECT_GT(calls, 0);
      EXPECT_EQ(out[1999], 2);
      break;
    }
    ++failed;
    EXPECT_EQ(code, WSEVM_EXHAUSTED) << wsevm_error_text();
    EXPECT_EQ(count, 0u) << "allocation " << k;
  }
  EXPECT_GT(failed, 1);
}

TEST(LibraryMemory, RunsOutInARun) {
  for (int k = 0; k < 60; ++k) {
    const TestMachine machine(kRow, {"engine=interp"});
    until_failure = k;
    const int code = wsevm_run_until(machine.handle(), WSEVM_TO_THE_END, nullptr);
    until_failure = -1;
    if (code != WSEVM_OK) {
      EXPECT_EQ(code, WSEVM_EXHAUSTED) << wsevm_error_text();
      std::uint64_t cycles = 0;
      EXPECT_EQ(wsevm_cycle(machine.handle(), &cycles), WSEVM_OK);
    }
  }
}

}  // namespace
}  // namespace wse::test_library
