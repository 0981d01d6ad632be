// What the language promises of numbers that programs meet as they run: the random generator,
// and NaN and zeros in fmin and fmax, scalar, by element and as a reduction.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws::numbers {
namespace {

using test_support::simulate;
using test_support::Simulation;
using Words = std::vector<std::uint32_t>;

// The shift register by its definition: 23 bits, one step at a time.
class Register {
 public:
  explicit Register(std::uint32_t seed = 0xdeadbeef) : bits_(seed & 0x7fffff) {}
  std::uint32_t draw() {
    for (int step = 0; step < 128; ++step) {
      const std::uint32_t bit = (bits_ >> 22 ^ bits_ >> 17) & 1;
      bits_ = (bits_ << 1 | bit) & 0x7fffff;
    }
    return bits_ & 0xffff;
  }
  bool is_at_start() const { return bits_ == (0xdeadbeef & 0x7fffff); }

 private:
  std::uint32_t bits_;
};

TEST(Numbers, EveryPeDrawsTheSameRandomNumbers) {
  const Simulation s = simulate(R"(
.grid 2, 2
.program p
  .i32 drawn[50]
  .reg k, r
  task main:
    mov32 k, 0
  next:
    random16 r
    mov32 drawn[k], r
    add32 k, k, 1
    blt   k, 50, next
.place p at (0..1, 0..1)
)");
  Register generator;
  Words expected;
  for (int k = 0; k < 50; ++k) expected.push_back(generator.draw());
  for (const std::uint32_t x : {0u, 1u}) {
    for (const std::uint32_t y : {0u, 1u}) EXPECT_EQ(s.words(x, y, "drawn"), expected);
  }
}

// PE by PE, over coordinates, parameters of the placement and of the run.
TEST(Numbers, ASeedIsTheStateOfTheGenerator) {
  const Simulation s = simulate(R"(
.grid 3, 2
.param base: u32 = 1
.program own(step: i32)
  .seed base + step * x + 0x10000000 * y
  .u32 drawn[20]
  .reg k, r
  task main:
    mov32 k, 0
  next:
    random16 r
    mov32 drawn[k], r
    add32 k, k, 1
    blt   k, 20, next
.program common
  .u32 drawn
  task main:
    random16 r1
    mov32 drawn, r1
.place own at (0..1, 0..1) with step = 1000
.place common at (2, 0..1)
)",
                                {.values = {{"base", "77"}}});
  for (const std::uint32_t x : {0u, 1u}) {
    for (const std::uint32_t y : {0u, 1u}) {
      Register generator(77 + 1000 * x + 0x10000000 * y);
      Words expected;
      for (int k = 0; k < 20; ++k) expected.push_back(generator.draw());
      EXPECT_EQ(s.words(x, y, "drawn"), expected) << x << ", " << y;
    }
  }
  EXPECT_EQ(s.words(2, 1, "drawn"), Words{Register().draw()});
}

TEST(Numbers, RandomNumbersRepeatAfterAllStatesOfTheRegister) {
  Register generator;
  std::uint32_t draws = 0;
  do {
    generator.draw();
    ++draws;
  } while (!generator.is_at_start());
  EXPECT_EQ(draws, (1u << 23) - 1);
}

TEST(Numbers, MinimumAndMaximumPreferNumbersToNan) {
  constexpr std::uint32_t kNan = 0x7fc00000;
  constexpr std::uint32_t kMinusZero = 0x80000000;
  constexpr std::uint32_t kOne = 0x3f800000;
  const Simulation s = simulate(R"(
.grid 1, 1
.program p
  .f32 a[4] = i == 0 ? nan : i == 1 ? 1.0 : i == 2 ? nan : -0.0
  .f32 b[4] = i == 0 ? 1.0 : i < 3 ? nan : 0.0
  .f32 least[4]
  .f32 most[4]
  .f32 scalar[2]
  .f32 reduced[2]
  .reg r
  task main:
    fmins least, a, b
    fmaxs most, a, b
    mov32 r, a[0]
    fmins r, r, b[0]
    mov32 scalar[0], r
    mov32 r, a[3]
    fmaxs r, b[3], r
    mov32 scalar[1], r
    mov32 r, inf
    fmins r, r, a
    mov32 reduced[0], r
    mov32 r, nan
    fmaxs r, r, b[1:3]
    mov32 reduced[1], r
.place p at (0, 0)
)");
  EXPECT_EQ(s.words(0, 0, "least"), (Words{kOne, kOne, kNan, kMinusZero}));
  EXPECT_EQ(s.words(0, 0, "most"), (Words{kOne, kOne, kNan, 0}));
  EXPECT_EQ(s.words(0, 0, "scalar"), (Words{kOne, 0}));
  EXPECT_EQ(s.words(0, 0, "reduced"), (Words{kMinusZero, kNan}));
  const Simulation halves = simulate(R"(
.grid 1, 1
.program p
  .f16 a[4] = i == 0 ? nan : i == 1 ? 1.0 : i == 2 ? nan : -0.0
  .f16 b[4] = i == 0 ? 1.0 : i < 3 ? nan : 0.0
  .f16 least[4]
  .f16 most[4]
  task main:
    fminh least, a, b
    fmaxh most, a, b
.place p at (0, 0)
)");
  EXPECT_EQ(halves.words(0, 0, "least"), (Words{0x3c00, 0x3c00, 0x7e00, 0x8000}));
  EXPECT_EQ(halves.words(0, 0, "most"), (Words{0x3c00, 0x3c00, 0x7e00, 0}));
}

}  // namespace
}  // namespace wse::test_laws::numbers
