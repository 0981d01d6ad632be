// Do the sums of a record hold, however long a run lasts? Cycles of machines of any numbers are
// cheap.
#include <gtest/gtest.h>

#include <numeric>

#include "asm/assembler.h"
#include "vm/run/machine.h"

namespace {

using namespace wse;

constexpr std::uint64_t kPesOfLong = 256 * 256;
constexpr std::uint64_t kMostSum = ~std::uint64_t{0} >> 1;

// One PE divides for ever, in 2^24 cycles each; 65535 have halted.
constexpr const char* kLong = R"(
.grid 256, 256
.program divides
  task main:
    mov32 r1, 7
  again:
    fdivs r2, r1, r1
    fdivs r2, r1, r1
    fdivs r2, r1, r1
    fdivs r2, r1, r1
    jmp again
.program idle
  task main:
    halt
.place divides at (0, 0)
.place idle at (1..255, 0)
.place idle at (0..255, 1..255)
)";

vm::Record run_long(const vm::RunOptions& options) {
  isa::Profile profile = *isa::find_profile("wse2");
  profile.divide_cycles = 1U << 24;
  auto machine = vm::Machine::create(
      *assembler::assemble({"long.wsa", kLong}, {.overrides = {}, .profile = profile}).image,
      profile);
  return (*machine)->run(options);
}

std::uint64_t sum_of(const vm::Record& record) {
  const auto& cycles = record.counters.pe_cycles;
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

TEST(Sums, ARunEndsBeforeTheyWrap) {
  const vm::Record record = run_long({});
  EXPECT_EQ(record.status, vm::RunStatus::CycleLimit);
  EXPECT_EQ(record.cycles, kMostSum / kPesOfLong);
  EXPECT_TRUE(record.message.starts_with(
      "stopped at the limit of 140737488355327 cycles, since records add up at most "
      "9223372036854775807 cycles of 65536 PEs: "))
      << record.message;
  EXPECT_GE(record.counters.pe_cycles[static_cast<std::size_t>(vm::Activity::Busy)],
            record.cycles);  // those of the one
  EXPECT_EQ(sum_of(record), record.cycles * kPesOfLong);
}

TEST(Sums, ALimitOfTheUserComesFirst) {
  const vm::Record record = run_long({.max_cycles = 1'000'000'000'000});
  EXPECT_EQ(record.status, vm::RunStatus::CycleLimit);
  EXPECT_TRUE(record.message.starts_with("stopped at the limit of 1000000000000 cycles: "))
      << record.message;
  EXPECT_EQ(sum_of(record), record.cycles * kPesOfLong);
}

}  // namespace
