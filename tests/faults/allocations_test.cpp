// The k-th allocation fails: in assembling, loading, running and reporting each way out is
// std::bad_alloc or a refusal that speaks of memory, and nothing is lost on the way. This
// executable has an operator new of its own for that.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "asm/assembler.h"
#include "tests/faults/faults.h"
#include "vm/cli/reports.h"
#include "vm/numpy/npy.h"
#include "vm/run/machine.h"
#include "vm/run/memory_need.h"

namespace {

// Of this thread; operator new can only reach static storage.
struct Failing {
  long until_failure = -1;  // allocations that succeed before the one that fails; negative: all do
  long count = 0;           // since it was set to zero
  unsigned long bytes = 0;
};
thread_local Failing failing;

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++failing.count;
  failing.bytes += bytes;
  if (failing.until_failure >= 0 && failing.until_failure-- == 0) throw std::bad_alloc();
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

namespace wse::faults {
namespace {

enum class End : std::uint8_t { Whole, BadAlloc, SaysMemory, Other };

// Assembles, writes and reads the image, loads, runs with a trace, reports.
End do_everything(const std::string& text, const isa::Profile& profile) {
  assembler::Output output =
      assembler::assemble({"p.wsa", text}, {.overrides = {}, .profile = profile});
  if (!output.image) return End::Other;
  isa::Result<isa::Image> image = isa::read_image(isa::write_image(*output.image));
  if (!image) return End::Other;
  auto machine = vm::Machine::create(std::move(*image), profile);
  if (!machine) return machine.error().exhausted ? End::SaysMemory : End::Other;
  std::size_t traced = 0;
  vm::RunOptions options;
  vm::TraceLines lines([&traced](std::string_view line) { traced += line.size(); });
  options.trace = &lines;
  const vm::Record record = (*machine)->run(options);
  // Not the JSON: destructors of its library allocate, so wsevm keeps memory for it.
  const std::string report = cli::record_text(record) + (*machine)->waits_as_dot(record);
  return traced > 0 && !report.empty() ? End::Whole : End::Other;
}

End do_with_failure(const std::string& text, const isa::Profile& profile, long failure) {
  failing.until_failure = failure;
  End end = End::Other;
  try {
    end = do_everything(text, profile);
  } catch (const std::bad_alloc&) {
    end = End::BadAlloc;
  }
  failing.until_failure = -1;
  return end;
}

// Fails 200 allocations, spread evenly over all that the program takes.
void fail_everywhere(const std::string& text, const std::string& profile_name) {
  constexpr long kFailures = 200;
  const isa::Profile profile = *isa::find_profile(profile_name);
  ASSERT_EQ(do_everything(text, profile), End::Whole);  // what is made once is made now
  failing.count = 0;
  ASSERT_EQ(do_everything(text, profile), End::Whole);
  const long all = failing.count;
  ASSERT_GT(all, kFailures);
  for (long k = 0; k < kFailures; ++k) {
    const End end = do_with_failure(text, profile, k * all / kFailures);
    EXPECT_TRUE(end == End::BadAlloc || end == End::SaysMemory)
        << "allocation " << k * all / kFailures << " of " << all << ": " << static_cast<int>(end);
  }
  EXPECT_EQ(do_with_failure(text, profile, all + 1000), End::Whole);
}

std::string program(const std::string& name) {
  return test_support::read_text(fs::path(WSE_SOURCE_DIR) / "programs" / name / (name + ".wsa"));
}

TEST(Allocations, OfARunThatHalts) { fail_everywhere(program("hello"), "wse2"); }

TEST(Allocations, OfTasksAndFifos) { fail_everywhere(program("pipeline-fifo"), "model"); }

TEST(Allocations, OfADeadlockAndItsExplanation) {
  fail_everywhere(
      ".grid 2, 1\n.colour red\n.program p\n  .i32 v[4]\n  task main:\n"
      "    mov32 v, fabin(red)\n.place p at (0..1, 0)\n"
      ".route red at (0, 0): ramp -> east\n.route red at (1, 0): west -> ramp\n",
      "wse2");
}

TEST(Allocations, OfDiagnostics) {
  const std::string text = ".grid 1, 1\n.program p\n  task main:\n    fly r1\n    mov32 q, 2\n";
  const isa::Profile profile = *isa::find_profile("wse2");
  for (long k = 0; k < 300; ++k) {
    failing.until_failure = k;
    try {
      const assembler::Output output =
          assembler::assemble({"p.wsa", text}, {.overrides = {}, .profile = profile});
      EXPECT_FALSE(output.image);
    } catch (const std::bad_alloc&) {
    }
    failing.until_failure = -1;
  }
}

TEST(Allocations, OfArrays) {
  const numpy::NpyArray array{"<i4", {4}, std::vector<std::byte>(16)};
  const auto bytes = numpy::format_npy(array);
  ASSERT_TRUE(bytes);
  for (long k = 0; k < 40; ++k) {
    failing.until_failure = k;
    try {
      const auto again = numpy::parse_npy(*bytes);
      EXPECT_TRUE(again);
    } catch (const std::bad_alloc&) {
    }
    failing.until_failure = -1;
  }
}

// Allocations while the program runs, with such a value.
long allocations_of_a_run(const std::string& name, const std::string& key, int value) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Options options{.overrides = {{key, std::to_string(value)}}, .profile = profile};
  if (name == "heat") {
    options.overrides.insert(options.overrides.end(), {{"W", "5"}, {"H", "4"}});
  }
  assembler::Output output = assembler::assemble({name + ".wsa", program(name)}, options);
  EXPECT_TRUE(output.image);
  auto machine = vm::Machine::create(std::move(*output.image), profile);
  EXPECT_TRUE(machine);
  failing.count = 0;
  const vm::Record record = (*machine)->run({});
  EXPECT_EQ(record.status, vm::RunStatus::Halted);
  return failing.count;
}

// Microthreads and wavelets, tasks, FIFOs and positions that move on: thousands of instructions
// more may make a table grow once or twice, not more.
TEST(Allocations, NoneOfAnOperationOnceItIsWarm) {
  struct Case {
    std::string program;
    std::string key;
    int few;
    int many;
  };
  for (const auto& [program, key, few, many] :
       {Case{"heat", "steps", 8, 200}, Case{"life", "T", 24, 480},
        Case{"pipeline-fifo", "BURSTS", 6, 60}}) {
    const long short_run = allocations_of_a_run(program, key, few);
    const long long_run = allocations_of_a_run(program, key, many);
    EXPECT_LE(long_run, short_run + 4) << program;
  }
}

// What is refused for lack of memory must really need it; and an estimate far below the truth would
// let the host run out.
TEST(Allocations, TheEstimateIsBelowTheTruthAndNear) {
  struct Case {
    std::string at;
    std::uint32_t depth;
  };
  for (const auto& [at, depth] :
       {Case{"(0, 0)", 2}, Case{"(0..255, 0..255)", 2}, Case{"(0, 0)", 100}}) {
    isa::Profile profile = *isa::find_profile("wse2");
    profile.router_depth = depth;
    auto output = assembler::assemble(
        {"p.wsa", ".grid 256, 256\n.colour red\n.program p\n  task main:\n    halt\n.place p at " +
                      at +
                      "\n.route red at (0, 0..255): ramp -> east\n"
                      ".route red at (1..254, 0..255): west -> ramp, east\n"
                      ".route red at (255, 0..255): west -> ramp\n"},
        {.overrides = {}, .profile = profile});
    ASSERT_TRUE(output.image);
    const vm::MemoryNeed need = vm::memory_need(*output.image, profile);
    const std::uint64_t estimate = need.load_bytes + need.queue_bytes;
    failing.bytes = 0;
    const auto machine = vm::Machine::create(std::move(*output.image), profile);
    ASSERT_TRUE(machine);
    EXPECT_LT(estimate, failing.bytes) << at;
    EXPECT_GT(4 * estimate, failing.bytes) << at;
  }
}

}  // namespace
}  // namespace wse::faults
