// What descriptors cost, and how many elements per cycle they let through: dimensions, rings,
// saved positions, packed wavelets.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::descriptor_timing {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;

Simulation on_one_pe(const std::string& body, const std::string& profile,
                     const test_support::Settings& settings = {}) {
  return simulate(R"(
.grid 1, 1
.program one
  .f32 m[8, 4, 4, 16] = i
  .f32 pad
  .f32 c[64]
  task main:
)" + body + "\n.place one at (0, 0)\n",
                  {.profile = profile, .settings = settings});
}

std::uint64_t model_cycles(const std::string& body, const test_support::Settings& settings = {}) {
  const Simulation s = on_one_pe(body, "model", settings);
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s.record.cycles;
}

// From `mark begin` to `mark end` on wse2-before, where a load takes 10 cycles.
std::uint64_t price(const std::string& before, const std::string& body,
                    const test_support::Settings& settings = {}) {
  const Simulation s = on_one_pe(before + "\n    mark begin\n    " + body + "\n    mark end",
                                 "wse2-before", settings);
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  return s.record.marks.at("end").last - s.record.marks.at("begin").first;
}

TEST(DescriptorTiming, EveryFurtherDimensionCostsThreeCycles) {
  EXPECT_EQ(price("", "setd d0, m[0, 0, 0, :]"), 10u);
  EXPECT_EQ(price("", "setd d0, m"), 10u);  // one dimension in the end
  EXPECT_EQ(price("", "setd d0, m[0, 0, 0:2, 0:2]"), 13u);
  EXPECT_EQ(price("", "setd d0, m[0, 0:2, 0:2, 0:2]"), 16u);
  EXPECT_EQ(price("", "setd d0, m[0:2, 0:2, 0:2, 0:2]"), 19u);
  EXPECT_EQ(price("", "setd d0, save(circular(c[0:4], length=9))"), 10u);
  EXPECT_EQ(price("    setd d0, m[0, 0:2, 0:2, 0:2]", "std c[0], d0"), 16u);
  EXPECT_EQ(price("    setd d0, m[0, 0:2, 0:2, 0:2]\n    std c[0], d0", "ldd d1, c[0]"), 16u);
  EXPECT_EQ(price("    setd d0, m[0, 0:2, 0:2, 0:2]", "movd d1, d0"), 1u);
}

TEST(DescriptorTiming, TheInnermostStrideDecidesTheRate) {
  EXPECT_EQ(model_cycles("    fmovs c[0:32], m[:, 0, 0, 0:4]"), 16u);
  EXPECT_EQ(model_cycles("    fmovs c[0:16], m[:, 0, 0, ::8]"), 16u);  // 16 words: one bank
  EXPECT_EQ(model_cycles("    fmovs c[0:32], m[:, 0:4, 0, 3]"), 32u);
  EXPECT_EQ(model_cycles("    fmovs c[0:32], circular(m[0, 0, 0, :], length=32)"), 16u);
  EXPECT_EQ(model_cycles("    fmovs c[0:32], circular(m[0, 0, :, 3], length=32)"), 32u);
}

// Two elements of f32 issue, where they lie in eight bytes.
TEST(DescriptorTiming, ElementsOfOneIssueLieInALine) {
  const test_support::Settings line = {{&isa::Profile::stride_line_bytes, 8}};
  EXPECT_EQ(model_cycles("    fmovs c[0:8], m[0, 0, 0, ::2]"), 4u);
  EXPECT_EQ(model_cycles("    fmovs c[0:8], m[0, 0, 0, ::2]", line), 8u);
  EXPECT_EQ(model_cycles("    fmovs c[0:8], m[0, 0, 0, 0:8]", line), 4u);
  EXPECT_EQ(model_cycles("    fmovs c[0:8], m[0, 0, 0, ::-2]", line), 8u);
  EXPECT_EQ(model_cycles("    fmovs c[7:-1:-1], m[0, 0, 0, 0:8]", line), 4u);  // without gaps
  EXPECT_EQ(
      model_cycles("    fmovs c[0:8], m[0, 0, 0, ::2]", {{&isa::Profile::stride_line_bytes, 16}}),
      4u);
}

TEST(DescriptorTiming, AFetchHasAPriceOfItsOwn) {
  const test_support::Settings fetch = {{&isa::Profile::descriptor_fetch_cycles, 4}};
  EXPECT_EQ(price("", "setd d0, m[0, 0, 0, :]", fetch), 10u);
  const std::string plane = "    setd d0, m[0, 0, 0:2, 0:2]";
  EXPECT_EQ(price(plane, "std c[0], d0", fetch), 4u + 3);
  EXPECT_EQ(price(plane + "\n    std c[0], d0", "ldd d1, c[0]", fetch), 4u + 3);
}

// The bank of the element at the position counts, not that of element 0.
TEST(DescriptorTiming, PositionsMoveTheBank) {
  const std::string load = "    setd d0, save(c[0:15])\n";
  EXPECT_EQ(model_cycles(load + "    fadds m[0, 0, 0, 0:15], d0, c[32:47]"), 2u * 8);
  EXPECT_EQ(model_cycles(load + "    setdpos d0, 1\n    fadds m[0, 0, 0, 0:15], d0, c[32:47]"), 8u);
}

// A row of three PEs: the first sends `n` elements, the second passes them on, the third keeps
// them; `sends`, `takes`, `passes` and `keeps` are the options of the four fabric operands.
Simulation relay(const std::string& n, const std::string& sends, const std::string& takes,
                 const std::string& passes, const std::string& keeps) {
  const std::string text = R"(
.const n = )" + n + R"(
.grid 3, 1
.colour red, blue
.program first
  .i16 v[n] = 1000 + i
  task main:
    mov16 fabout(red)" + sends +
                           R"(), v
.program second
  task main:
    add16 fabout(blue)" + passes +
                           "), fabin(red, length=n" + takes + R"(), 1
.program third
  .i16 v[n + 1] = -1
  task main:
    mov16 v[0:n], fabin(blue)" +
                           keeps + R"()
.place first at (0, 0)
.place second at (1, 0)
.place third at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (1, 0): ramp -> east
.route blue at (2, 0): west -> ramp
.expect v[0:n] at (2, 0) == 1001 + i
.expect v[n] at (2, 0) == -1
)";
  Simulation s = simulate(text);
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  return s;
}

constexpr const char* kPacked = ", packed";

// From issue to issue of neighbours 2 T + 2 = 6 cycles; the last element issues at the third PE.
TEST(DescriptorTiming, PackedWaveletsCarryTwoElementsPerCycle) {
  for (const unsigned n : {1u, 2u, 3u, 16u, 17u, 63u, 64u, 65u, 200u, 201u}) {
    const unsigned wavelets = (n + 1) / 2;
    const Simulation s = relay(std::to_string(n), kPacked, kPacked, kPacked, kPacked);
    EXPECT_EQ(s.record.cycles, wavelets + 12) << n;
    EXPECT_EQ(s.record.counters.wavelets, 2u * wavelets) << n;
    EXPECT_EQ(s.record.counters.elements, 3u * n);
  }
}

TEST(DescriptorTiming, OneUnpackedOperandMakesItOneElementPerCycle) {
  for (const unsigned n : {1u, 2u, 7u, 8u, 64u, 65u, 131u}) {
    const std::string text = std::to_string(n);
    const unsigned half = (n + 1) / 2;
    const Simulation unpacks = relay(text, kPacked, kPacked, "", "");
    EXPECT_EQ(unpacks.record.cycles, n + 12) << n;
    EXPECT_EQ(unpacks.record.counters.wavelets, half + n) << n;
    const Simulation packs = relay(text, "", "", kPacked, kPacked);
    EXPECT_EQ(packs.record.cycles, n + 12) << n;
    EXPECT_EQ(packs.record.counters.wavelets, n + half) << n;
  }
}

// Memory that gives one element per cycle fills a wavelet every other cycle.
TEST(DescriptorTiming, SlowMemoryFillsAWaveletEveryOtherCycle) {
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red
.program first
  .i16 v[80] = i
  task main:
    mov16 fabout(red, packed), v[0:72:8]
.program second
  .i16 v[80]
  task main:
    mov16 v[0:72:8], fabin(red, packed)
.place first at (0, 0)
.place second at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.expect v at (1, 0) == i % 8 == 0 && i < 72 ? i : 0
)");
  EXPECT_TRUE(s.failed_expectations.empty());
  EXPECT_EQ(s.record.counters.wavelets, 5u);
  // The first wavelet leaves with element 1, a cycle late; the ninth element is a wavelet alone.
  EXPECT_EQ(s.record.cycles, 9u + 6 + 1);
}

// Who uses a register that an instruction in flight saves waits for the finish, and nobody else.
TEST(DescriptorTiming, ASavedPositionIsWaitedFor) {
  const auto run = [](const std::string& line) {
    return simulate(R"(
.grid 2, 1
.colour red
.program first
  .f32 v[20] = i
  task main:
    fmovs fabout(red), v
.program second
  .f32 v[20]
  .f32 w[20]
  .dsr walk, other
  .reg k
  task main:
    setd walk, save(v[0:20])
    setd other, w
    fmovs walk, fabin(red) async 0
    )" + line + R"(
    mark here
    print "{k}"
.place first at (0, 0)
.place second at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)");
  };
  const auto cycle = [](const Simulation& s) { return s.record.marks.at("here").last; };
  const Simulation waits = run("getdpos k, walk");
  EXPECT_EQ(cycle(waits), 26u);
  EXPECT_EQ(waits.printed.at(0), "@26 PE(1,0): 20");
  EXPECT_EQ(cycle(run("setd walk, v")), 26u);  // else the position would be lost
  EXPECT_EQ(cycle(run("movd other, walk")), 26u);
  EXPECT_EQ(cycle(run("fmovs walk, 0.0")), 26u + 10);
  EXPECT_EQ(cycle(run("getdpos k, other")), 0u);
}

}  // namespace
}  // namespace wse::test_laws::descriptor_timing
