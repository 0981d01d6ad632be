// The cycles of lines: by hand for a small program; for all programs that they add up, that the
// transport and cutting the run at any cycle change nothing, and that counting changes nothing.
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "tests/support/simulation.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

using Counts = std::vector<std::uint64_t>;  // of the rows of all programs

struct Counted {
  Record record;
  Counts counts;
  std::vector<LineRow> rows;       // of the first program
  std::vector<LineRow> last_rows;  // of the last one
};

Counted count(const std::string& text, const std::string& profile_name, TransportChoice transport,
              Cycle max_cycles = kNever) {
  const isa::Profile profile = *isa::find_profile(profile_name);
  assembler::Output output =
      assembler::assemble({"test.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine = Machine::create(
      std::move(*output.image), profile,
      {.threads = 1, .transport = transport, .engine = test_support::test_engine()});
  EXPECT_TRUE(machine && (*machine)->count_lines());
  Counted made{.record = (*machine)->run({.max_cycles = max_cycles}),
               .counts = {},
               .rows = {},
               .last_rows = {}};
  const std::vector<LineTable> tables = Books(**machine).line_tables();
  for (const LineTable& table : tables) {
    for (const LineRow& row : table.rows) made.counts.push_back(row.cycles);
  }
  made.rows = tables[0].rows;
  made.last_rows = tables.back().rows;
  return made;
}

std::uint64_t sum(const Counts& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t cycles : counts) all += cycles;
  return all;
}

// On wse2: a move 1, a taken branch 3, another 1; a send of 4 words 1 for its descriptors each, 2
// to start, 4 issues, and 4 to drain while the next line runs and its task ends.
constexpr const char* kSmall = R"(.grid 2, 1
.colour red
.program sender
  .i32 v[4]
  task main:
    mov32 r1, 2
  next:
    sub32 r1, r1, 1
    bgt r1, 0, next
    mov32 fabout(red), v
    activate last
  task last:
    mov32 r2, 1
    halt
.program receiver
  .i32 v[4]
  task main:
    mov32 v, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";

TEST(LineCycles, OfASmallProgram) {
  const Counted counted = count(kSmall, "wse2", TransportChoice::Stepper);
  ASSERT_EQ(counted.rows.size(), 9u);
  const std::uint64_t expected[] = {1, 2, 4, 8, 4, 1};
  const std::uint32_t lines[] = {6, 8, 9, 10, 11, 13};
  for (std::size_t k = 0; k < std::size(expected); ++k) {
    EXPECT_EQ(counted.rows[k].where.line, lines[k]);
    EXPECT_EQ(counted.rows[k].cycles, expected[k]) << "line " << lines[k];
    EXPECT_EQ(counted.rows[k].most, expected[k]);
  }
  EXPECT_EQ(sum(counted.counts), counted.record.cycles * 2);
}

LineCauses cycles_by_cause(std::initializer_list<std::pair<LineCause, std::uint64_t>> cycles) {
  LineCauses causes{};
  for (const auto& [cause, count] : cycles) causes[static_cast<std::size_t>(cause)] = count;
  return causes;
}

// The send of the program above: two descriptors, the set-up, four issues; after it the task ends
// when the send has drained. The other PE waits for the first word.
TEST(LineCycles, CausesOfASmallProgram) {
  for (const TransportChoice transport : {TransportChoice::Stepper, TransportChoice::Wafer}) {
    const Counted counted = count(kSmall, "wse2", transport);
    constexpr std::size_t kSend = 3;
    EXPECT_EQ(
        counted.rows[kSend].causes,
        cycles_by_cause({{LineCause::Scalar, 2}, {LineCause::SetUp, 2}, {LineCause::Issue, 4}}));
    for (const LineRow& row : counted.rows) {
      std::uint64_t all = 0;
      for (const std::uint64_t cycles : row.causes) all += cycles;
      EXPECT_EQ(all, row.cycles) << row.where.line;
    }
  }
}

// Two arrays in one bank: every other cycle of an addition in place is a stall, wherever it is cut.
TEST(LineCycles, StallsAreABankCause) {
  const std::string text = R"(.grid 1, 1
.program adder
  .f32 v[8] = i
  .f32 w[8] = i
  task main:
    fadds v, v, w
    halt
.place adder at (0, 0)
)";
  for (const Cycle cut : {kNever, Cycle{7}, Cycle{6}, Cycle{5}}) {
    const Counted counted = count(text, "wse2", TransportChoice::Stepper, cut);
    const std::uint64_t moved = cut == kNever ? 8 : counted.record.cycles - 4;
    EXPECT_EQ(counted.rows[0].causes, cycles_by_cause({{LineCause::Scalar, 2},
                                                       {LineCause::SetUp, 2},
                                                       {LineCause::Issue, moved - moved / 2},
                                                       {LineCause::Bank, moved / 2}}))
        << cut;
  }
}

// A program of many lines leaves few bits for stalls: those that are too many are kept elsewhere.
TEST(LineCycles, StallsMayBeMany) {
  const auto text = [](int lines) {
    std::string long_program = ".program long\n  task main:\n    halt\n";
    for (int k = 0; k < lines; ++k) long_program += "    mov32 r1, 1\n";
    return long_program + R"(
.grid 2, 1
.program adder
  .f32 v[4096] = i
  .f32 w[4096] = i
  task main:
    fadds v, v, w
    fadds w, w, v
    halt
.place long at (0, 0)
.place adder at (1, 0)
)";
  };
  for (const Cycle cut : {kNever, Cycle{3000}, Cycle{9000}}) {
    const Counted few = count(text(10), "wse2", TransportChoice::Stepper, cut);
    const Counted many = count(text(3000), "wse2", TransportChoice::Stepper, cut);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(many.last_rows[k].causes, few.last_rows[k].causes) << k << " " << cut;
    }
    EXPECT_GT(few.last_rows[0].causes[static_cast<std::size_t>(LineCause::Bank)], 1023u) << cut;
  }
}

// Cycles after the last finish of a machine do not count: here those in which a receive waits.
TEST(LineCycles, NothingOpenCounts) {
  const std::string text = R"(.grid 1, 1
.colour red
.program waiter
  .f32 v[8] exported = 0
  task main:
    mov32 v, fabin(red)
.place waiter at (0, 0)
)";
  const Counted counted = count(text, "wse2", TransportChoice::Stepper);
  EXPECT_EQ(counted.record.status, RunStatus::Deadlock);
  EXPECT_EQ(sum(counted.counts), counted.record.cycles);
}

class CountedProgram : public testing::TestWithParam<std::string> {};

TEST_P(CountedProgram, AddsUpOnBothTransportsAndChangesNothing) {
  const std::string text = test_support::program_text(GetParam());
  for (const std::string profile : {"model", "wse2"}) {
    SCOPED_TRACE(profile);
    const Counted stepped = count(text, profile, TransportChoice::Stepper);
    const Counted on_wafer = count(text, profile, TransportChoice::Wafer);
    const auto plain = test_support::simulate(text, {.profile = profile}, GetParam() + ".wsa");
    EXPECT_EQ(stepped.record.cycles, plain.record.cycles);
    EXPECT_EQ(stepped.record.counters.pe_cycles, plain.record.counters.pe_cycles);
    EXPECT_EQ(stepped.record.counters.instructions, plain.record.counters.instructions);
    EXPECT_EQ(sum(stepped.counts), stepped.record.cycles * stepped.record.placed_pes);
    EXPECT_EQ(stepped.counts, on_wafer.counts);
  }
}

// One cycle more is one more for each PE, and none is taken back.
TEST_P(CountedProgram, EveryCycleIsExact) {
  const std::string text = test_support::program_text(GetParam());
  const Counted whole = count(text, "wse2", TransportChoice::Stepper);
  const Cycle most = std::min<Cycle>(whole.record.cycles, 400);
  Counts before(whole.counts.size());
  for (Cycle cycles = 1; cycles <= most; ++cycles) {
    const Counted cut = count(text, "wse2", TransportChoice::Stepper, cycles);
    ASSERT_EQ(sum(cut.counts), cut.record.cycles * cut.record.placed_pes) << cycles;
    for (std::size_t k = 0; k < before.size(); ++k) ASSERT_GE(cut.counts[k], before[k]) << cycles;
    before = cut.counts;
  }
  if (most == whole.record.cycles) {
    EXPECT_EQ(before, whole.counts);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, CountedProgram,
                         testing::Values("gemv-one-pe", "reduce-chain", "reduce-tree", "sentinel",
                                         "localized-broadcast", "pipeline-fifo", "histogram",
                                         "one-colour-allreduce", "overlap", "barrier", "vectors"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace wse::vm
