// Many PEs in few words: rectangles hold each PE once, and regular patterns are few.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "vm/report/places.h"

namespace {

using namespace wse;
using vm::PeId;

constexpr std::uint32_t kWidth = 12;
const isa::Topology kMesh = isa::Topology::mesh(kWidth, 9);

std::vector<PeId> pes_where(const auto& holds) {
  std::vector<PeId> pes;
  for (PeId pe = 0; pe < kMesh.pes(); ++pe) {
    if (holds(kMesh.x_of(pe), kMesh.y_of(pe))) pes.push_back(pe);
  }
  return pes;
}

TEST(Places, RectanglesHoldEachPeOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto of = static_cast<std::uint32_t>(1 + random() % 5);
    const std::vector<PeId> pes = pes_where([&](auto, auto) { return random() % 6 < of; });
    std::vector<PeId> held;
    for (const isa::StridedRect& rect : vm::rectangles_of(kMesh, pes)) {
      isa::for_each(rect,
                    [&](std::uint32_t x, std::uint32_t y) { held.push_back(y * kWidth + x); });
    }
    std::ranges::sort(held);
    ASSERT_EQ(held, pes) << "round " << round;
  }
}

TEST(Places, RegularPatternsAreOneRectangle) {
  const auto text = [](const auto& holds) {
    const std::vector<PeId> pes = pes_where(holds);
    return vm::places_text(kMesh, pes);
  };
  EXPECT_EQ(text([](auto x, auto y) { return x == 3 && y == 4; }), "PE(3, 4)");
  EXPECT_EQ(text([](auto x, auto y) { return x > 0 && x < 11 && y > 0 && y < 8; }),
            "PE(1..10, 1..7)");
  EXPECT_EQ(text([](auto x, auto y) { return x % 3 == 1 && y % 2 == 0; }),
            "PE(1..10 step 3, 0..8 step 2)");
  EXPECT_EQ(text([](auto x, auto y) { return y == 2 && (x == 4 || x == 9); }),
            "PE(4, 2), PE(9, 2)");
}

TEST(Places, OfManyRectanglesTheFirstAreNamed) {
  const std::vector<PeId> pes = pes_where([](auto x, auto y) { return (x * x + y) % 5 == 0; });
  const std::string text = vm::places_text(kMesh, pes);
  EXPECT_TRUE(text.ends_with(" more PEs")) << text;
  EXPECT_EQ(std::ranges::count(text, '('), 3) << text;
}

TEST(Places, AWaferOfEqualPesIsOneRectangle) {
  const isa::Topology wafer = isa::Topology::mesh(755, 994);
  std::vector<PeId> pes(wafer.pes());
  for (PeId pe = 0; pe < wafer.pes(); ++pe) pes[pe] = pe;
  EXPECT_EQ(vm::places_text(wafer, pes), "PE(0..754, 0..993)");
}

}  // namespace
