// Mapped vector instructions: one start and drain, the issues of all, a gap between two scalars.
#include <fmt/format.h>

#include "tests/laws/law.h"

namespace wse::test_laws::mapping {
namespace {

using isa::Profile;
using test_support::Settings;
using test_support::simulate;
using test_support::Simulation;

// Three columns of eight f16 take the column `a` times b. Its bank is that of c, or two further.
Simulation columns(const std::string& profile, bool apart, const Settings& settings = {}) {
  const std::string text = fmt::format(R"(.grid 1, 1
.program p
  .f16 c[24] address=0 = i
  .f16 a[8] address={} = i
  .f16 b[3] address=200 = i + 1
  .dsr into, column, row
  task main:
    setd into, save(c[0:8])
    setd column, a
    setd row, b
    mark begin
    map into, fmach, into, column, row
    mark end
.place p at (0, 0)
.expect c at (0, 0) == i + i % 8 * ((i - i % 8) / 8 + 1)
)",
                                       apart ? 100 : 96);
  return simulate(text, {.profile = profile, .settings = settings});
}

std::uint64_t span(const Simulation& s) {
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  return first(s, "end") - first(s, "begin");
}

// Eight elements are two issues of four.
TEST(MapTiming, IsOneInstructionOfManyIssues) {
  EXPECT_EQ(span(columns("model", true)), 3u * 2);
  EXPECT_EQ(span(columns("model", false)), 3u * 2 * 2);
  EXPECT_EQ(span(columns("wse2", true)), 2u + 3 * 2 + 2 + 4);
  EXPECT_EQ(span(columns("wse2", false)), 2u + 3 * 2 * 2 + 2 + 4);
  EXPECT_EQ(columns("model", true).record.counters.elements, 24u);
}

TEST(MapTiming, AGapLiesBetweenScalars) {
  const Settings gap = {{&Profile::map_gap_cycles, 5}};
  EXPECT_EQ(span(columns("model", true, gap)), 3u * 2 + 2 * 5);
  EXPECT_EQ(span(columns("model", false, gap)), 3u * 2 * 2 + 2 * 5);
  EXPECT_EQ(span(columns("wse2", true, gap)), 2u + 3 * 2 + 2 * 5 + 4);
}

TEST(MapTiming, WhatIsNotSavedBeginsAgain) {
  const Simulation s = simulate(R"(.grid 1, 1
.program p
  .f32 y[2] = i
  .f32 w[6] = 100 * i
  .f32 s[3] = i + 1
  .f32 sum
  task main:
    map y, fmacs, y, w[0:2], s
    mov32 r1, 0
    map r1, fmacs, r1, w[1:3], s
    fmovs sum, r1
.place p at (0, 0)
.expect y at (0, 0) == i + 600 * i
.expect sum at (0, 0) == 1800
)",
                                {.profile = "model"});
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  EXPECT_EQ(s.record.status, vm::RunStatus::Halted);
}

// Lengths in a register, against operands with one that is known and one that is not.
Simulation mapped_function(int n, int m) {
  return simulate(fmt::format(R"(.grid 1, 1
.program p
  .i32 v[8] = i
  .i32 w[9]
  .reg n, m, e, result, k
  task main:
    mov32 n, {}
    mov32 m, {}
    map w[1 :+ m], f, v[0 :+ n], index=k
    map w[0:7], f, v[0 :+ n]
  function f (e) -> result link r9:
    add32 result, e, k
.place p at (0, 0)
.expect w[8] at (0, 0) == 0
)",
                              n, m),
                  {.profile = "model"});
}

TEST(MapLengths, MoreElementsThanAnOperandHasAreATrap) {
  EXPECT_EQ(mapped_function(0, 0).record.status, vm::RunStatus::Halted);
  EXPECT_EQ(mapped_function(7, 8).record.status, vm::RunStatus::Halted);
  for (const auto& [n, m] : {std::pair{5, 4}, {-1, 8}, {8, 8}}) {
    const Simulation s = mapped_function(n, m);
    ASSERT_EQ(s.record.status, vm::RunStatus::Trap) << n << " " << m;
    EXPECT_EQ(s.record.trap->kind, isa::Trap::Assertion);
  }
}

}  // namespace
}  // namespace wse::test_laws::mapping
