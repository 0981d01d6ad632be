// Vector instructions over dimensions, rings and saved positions, and descriptors that programs
// change, on a whole machine; values against loops written here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/support/random.h"
#include "tests/support/simulation.h"

namespace {

using wse::test_support::Random;
using wse::test_support::simulate;
using wse::test_support::Simulation;
using wse::vm::RunStatus;

constexpr int kA = 3;
constexpr int kB = 4;
constexpr int kC = 5;

// A random slice along one dimension: its text and the indices that NumPy takes.
struct Cut {
  std::string text;
  std::vector<int> indices;
  bool drops = false;
};

Cut random_cut(Random& random, int extent) {
  const int kind = static_cast<int>(random.below(4));
  const int first = static_cast<int>(random.below(static_cast<unsigned>(extent)));
  Cut cut;
  if (kind == 0) return {std::to_string(first), {first}, true};
  if (kind == 1) {
    cut.text = ":";
    for (int k = 0; k < extent; ++k) cut.indices.push_back(k);
    return cut;
  }
  const int step = 1 + static_cast<int>(random.below(3));
  if (kind == 2) {
    const int end =
        first + 1 + static_cast<int>(random.below(static_cast<unsigned>(extent - first)));
    cut.text = fmt::format("{}:{}:{}", first, end, step);
    for (int k = first; k < end; k += step) cut.indices.push_back(k);
    return cut;
  }
  cut.text = fmt::format("{}::-{}", first, step);
  for (int k = first; k >= 0; k -= step) cut.indices.push_back(k);
  return cut;
}

TEST(VmDescriptor, SlicesTakeTheElementsOfNumPy) {
  Random random(5);
  int several = 0;
  for (int round = 0; round < 300; ++round) {
    const Cut cuts[] = {random_cut(random, kA), random_cut(random, kB), random_cut(random, kC)};
    std::vector<std::uint32_t> expected;
    for (const int i : cuts[0].indices) {
      for (const int j : cuts[1].indices) {
        for (const int k : cuts[2].indices) {
          expected.push_back(static_cast<std::uint32_t>((i * kB + j) * kC + k));
        }
      }
    }
    if (cuts[0].drops && cuts[1].drops && cuts[2].drops) continue;
    several += expected.size() > 5 ? 1 : 0;
    const std::size_t n = expected.size();
    const std::string slice =
        fmt::format("a[{}, {}, {}]", cuts[0].text, cuts[1].text, cuts[2].text);
    // The slice as source, then as destination.
    const Simulation s = simulate(fmt::format(R"(
.grid 1, 1
.program p
  .i32 a[{}, {}, {}] = i
  .i32 out[{}]
  task main:
    mov32 out, {}
    add32 {}, {}, 1000
.place p at (0, 0)
)",
                                              kA, kB, kC, n, slice, slice, slice));
    ASSERT_EQ(s.record.status, RunStatus::Halted) << slice << ": " << s.record.message;
    ASSERT_EQ(s.words(0, 0, "out"), expected) << slice;
    std::vector<std::uint32_t> changed(kA * kB * kC);
    for (std::uint32_t k = 0; k < changed.size(); ++k) changed[k] = k;
    for (const std::uint32_t k : expected) changed[k] += 1000;
    ASSERT_EQ(s.words(0, 0, "a"), changed) << slice;
  }
  EXPECT_GT(several, 50);
}

// A window of 5 goes over a ring of 7 and a matrix by columns, saved both, in random lengths.
TEST(VmDescriptor, SavedPositionsGoOnWhereTheLastInstructionEnded) {
  Random random(6);
  std::string body;
  std::vector<std::uint32_t> ring(7);
  std::uint32_t place = 3;
  std::uint32_t element = 0;
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t n = random.below(6);
    body += fmt::format("    setdlen to, {0}\n    setdlen from, {0}\n    mov32 to, from\n", n);
    for (std::uint32_t k = 0; k < n; ++k, ++element, place = (place + 1) % 7) {
      ring[place] = element % 4 * 60 + element / 4;  // column by column
    }
  }
  const Simulation s = simulate(R"(
.grid 1, 1
.program p
  .i32 a[4, 60] = i
  .i32 ring[7]
  .dsr to, from
  .reg k
  task main:
    setd to, save(circular(ring, length=0, start=3))
    setd from, save(mem(0, length=[1, 4], stride=[1, 60]))
)" + body + R"(
    getdpos k, from
    print "{k}"
    getdpos k, to
    print "{k}"
.place p at (0, 0)
)");
  ASSERT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  EXPECT_EQ(s.words(0, 0, "ring"), ring);
  EXPECT_EQ(s.printed.at(0), fmt::format("@{} PE(0,0): {}", s.record.cycles, element));
  EXPECT_EQ(s.printed.at(1), fmt::format("@{} PE(0,0): {}", s.record.cycles, place));
}

// A destination that comes round writes again, element after element; the last value stays.
TEST(VmDescriptor, ADestinationMayWriteAWordSeveralTimes) {
  const Simulation s = simulate(R"(
.grid 1, 1
.program p
  .i32 a[11] = i
  .i32 ring[4]
  .i32 one[2]
  .i32 sums[2] = 0
  task main:
    mov32 circular(ring, length=11), a
    mov32 mem(60, length=11, stride=0), a
    add32 circular(sums, length=11), circular(sums, length=11), a
.place p at (0, 0)
)");
  ASSERT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  EXPECT_EQ(s.words(0, 0, "ring"), (std::vector<std::uint32_t>{8, 9, 10, 7}));
  EXPECT_EQ(s.words(0, 0, "one"), (std::vector<std::uint32_t>{10, 0}));
  EXPECT_EQ(s.words(0, 0, "sums"), (std::vector<std::uint32_t>{30, 25}));
}

TEST(VmDescriptor, ARunningProgramChangesItsDescriptors) {
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red, blue
.program p
  .i32 a[12] = i
  .i32 b[12]
  .u32 stack[14]
  .dsr from, to, wire
  .reg k
  task main:
    setd from, a
    setd to, b
    setdlen from, 3
    setdstride from, 2
    setdpos from, 1
    getdbase k, to
    add32 k, k, 8
    setdbase to, k
    mov32 to, from
    std stack[0], from
    setdlen from, 12
    ldd to, stack[0]
    getdlen k, to
    print "{k}"
    setd wire, fabout(red)
    getdcolour k, wire
    add32 k, k, 1
    setdcolour wire, k
    mov32 wire, a async 0
    mov32 b[8:12], fabin(blue)
.place p at (0, 0)
.route blue at (0, 0): ramp -> ramp
)");
  ASSERT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  EXPECT_EQ(s.words(0, 0, "b"), (std::vector<std::uint32_t>{0, 0, 2, 4, 6, 0, 0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(s.printed.at(0), "@2 PE(0,0): 3");
}

TEST(VmDescriptor, IndexStandsAboveTheData) {
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red
.program first(at: i32)
  .i16 v[70] = -i
  task main:
    mov16 fabout(red, index=at + 1), v
    add16 fabout(red, index=0xffff), v[0:2], 5
.program second
  .u32 all[72]
  task main:
    mov32 all, fabin(red)
.place first at (0, 0) with at = 0x1233
.place second at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.expect all[0:1] at (1, 0) == 0x12340000
.expect all[1:70] at (1, 0) == 0x12340000 + 0x10000 - i
.expect all[70] at (1, 0) == 0xffff0005
.expect all[71] at (1, 0) == 0xffff0004
)");
  EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
  for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
}

// A reduction reads both halves of a wavelet.
TEST(VmDescriptor, APackedSourceCanBeReduced) {
  for (const unsigned n : {1u, 2u, 5u, 64u, 65u, 129u}) {
    const Simulation s = simulate(fmt::format(R"(
.grid 1, 1
.colour red
.program p
  .i16 v[{0}] = i + 1
  .i16 sum
  task main:
    mov16 fabout(red, packed), v async 0
    add16 sum, sum, fabin(red, length={0}, packed)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
)",
                                              n));
    ASSERT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
    EXPECT_EQ(s.words(0, 0, "sum"), (std::vector<std::uint32_t>{n * (n + 1) / 2})) << n;
  }
}

// A packed and an unpacked source in step; the sum leaves packed.
TEST(VmDescriptor, PackedAndUnpackedSourcesGoInStep) {
  for (const unsigned n : {1u, 2u, 7u, 64u, 65u, 130u}) {
    const Simulation s = simulate(fmt::format(R"(
.const n = {}
.grid 1, 1
.colour red, blue, green
.program p
  .i16 a[n] = 3 * i
  .i16 b[n] = 100 - i
  .i16 c[n]
  task main:
    mov16 fabout(red, packed), a async 0
    mov16 fabout(blue), b async 1
    add16 fabout(green, packed), fabin(red, length=n, packed), fabin(blue) async 2
    mov16 c, fabin(green, packed)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
.route blue at (0, 0): ramp -> ramp
.route green at (0, 0): ramp -> ramp
.expect c at (0, 0) == 100 + 2 * i
)",
                                              n));
    EXPECT_EQ(s.record.status, RunStatus::Halted) << s.record.message;
    for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  }
}

}  // namespace
