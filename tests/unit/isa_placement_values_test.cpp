// Parameter slots and initial data of one PE after the other.
#include "isa/placement_values.h"

#include <gtest/gtest.h>

#include "tests/unit/isa_image_samples.h"

namespace wse::isa {
namespace {

std::vector<std::uint32_t> slots_at(const Image& image, std::uint32_t x, std::uint32_t y) {
  PlacementValues values(image, image.placements[0]);
  const Status status = values.move_to(x, y);
  EXPECT_TRUE(status) << status.error();
  return {values.slots().begin(), values.slots().end()};
}

TEST(IsaPlacementValues, SlotsStandInOrder) {
  // x, y, width, height, count = x, scale = 0.5, red = x % 2 ? 2 : 0, mask = bits,
  // count + 1, n * 3
  EXPECT_EQ(slots_at(rich_image(), 3, 0),
            (std::vector<std::uint32_t>{3, 0, 4, 2, 3, 0x3f000000, 2, 7, 4, 0xfffffff7}));
  EXPECT_EQ(slots_at(rich_image(), 0, 0),
            (std::vector<std::uint32_t>{0, 0, 4, 2, 0, 0x3f000000, 0, 7, 1, 0xfffffff7}));
}

TEST(IsaPlacementValues, OneObjectServesManyPes) {
  const Image image = rich_image();
  PlacementValues values(image, image.placements[0]);
  for (const std::uint32_t x : {3u, 1u, 0u, 2u}) {
    ASSERT_TRUE(values.move_to(x, 0));
    EXPECT_EQ((std::vector<std::uint32_t>{values.slots().begin(), values.slots().end()}),
              slots_at(image, x, 0));
  }
}

TEST(IsaPlacementValues, InitialValuesAreFormulasOfTheElement) {
  const Image image = rich_image();
  PlacementValues values(image, image.placements[0]);
  ASSERT_TRUE(values.move_to(1, 0));
  const Program& program = image.programs[0];
  EXPECT_EQ(values.initial(program.symbols[0], 0), 0u);
  EXPECT_EQ(values.initial(program.symbols[1], 0), 0u);
  EXPECT_EQ(values.initial(program.symbols[1], 3), 0x40c00000u);
}

TEST(IsaPlacementValues, ParametersHaveTheirType) {
  Image image = rich_image();
  image.placements[0].arguments[1] = Formula::of(Number::of(0.1));
  FormulaNode scale;
  scale.op = FormulaOp::Parameter;
  scale.index = 1;
  image.programs[0].symbols[1].initial = Formula{{scale}};
  PlacementValues values(image, image.placements[0]);
  ASSERT_TRUE(values.move_to(0, 0));
  EXPECT_EQ(values.slots()[5], 0x3dcccccdu);
  EXPECT_EQ(values.initial(image.programs[0].symbols[1], 0), 0x3dcccccdu);
}

TEST(IsaPlacementValues, ErrorsNameWhatFailed) {
  Image image = rich_image();
  image.placements[0].arguments[0] = Formula::of(Number::of(std::int64_t{1} << 40));
  PlacementValues values(image, image.placements[0]);
  EXPECT_EQ(values.move_to(2, 0).error(),
            "count of program rich at (2, 0): 1099511627776 does not fit into i32");
  image = rich_image();
  image.placements[0].arguments[2] = Formula::of(Number::of(std::int64_t{-1}));
  PlacementValues colours(image, image.placements[0]);
  EXPECT_EQ(colours.move_to(0, 0).error(),
            "red of program rich at (0, 0): -1 does not fit into colour");
  image = rich_image();
  image.programs[0].symbols[1].type = Type::I32;
  image.programs[0].symbols[1].initial = Formula::of(Number::of(0.5));
  PlacementValues initial(image, image.placements[0]);
  ASSERT_TRUE(initial.move_to(1, 0));
  EXPECT_EQ(initial.initial(image.programs[0].symbols[1], 4).error(),
            "initial value of v[4] at (1, 0): 0.5 is a float, but i32 is needed; int(...) "
            "converts");
}

TEST(IsaPlacementValues, DerivedValuesCanFailToo) {
  Image image = rich_image();
  image.parameters[1].value = Number::of(std::int64_t{2'000'000'000});
  PlacementValues values(image, image.placements[0]);
  EXPECT_EQ(values.move_to(0, 0).error(),
            "a value of program rich at (0, 0): 6000000000 does not fit into i32");
}

}  // namespace
}  // namespace wse::isa
