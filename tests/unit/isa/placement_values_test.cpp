// Parameter slots and initial data of one PE after the other.
#include "isa/image/placement_values.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::isa {
namespace {

std::vector<std::uint32_t> slots_at(const Image& image, std::uint32_t x, std::uint32_t y) {
  PlacementValues values(image, image.placements[0]);
  const Status status = values.move_to(x, y);
  EXPECT_TRUE(status) << status.error();
  return {values.slots().begin(), values.slots().end()};
}

constexpr std::uint32_t kSide = 6;

// Parameters that depend on neither axis, on one and on both, the last of which has no value where
// x and y are 3; a derived value and a symbol of each.
Image image_of_axes() {
  const auto node = [](FormulaOp op, std::uint32_t index = 0) {
    return FormulaNode{.op = op, .index = index, .constant = {}};
  };
  const auto constant = [](std::int64_t value) { return Formula::of(Number::of(value)).nodes[0]; };
  const auto binary = [](FormulaOp op, std::uint32_t a, std::uint32_t b) {
    return FormulaNode{.op = op, .operand = {a, b}, .constant = {}};
  };
  Image image;
  image.width = kSide;
  image.height = kSide;
  Placement placement;
  placement.rect = {{0, kSide - 1, 1}, {0, kSide - 1, 1}};
  // 12 / (6 - x - y)
  const Formula both{{constant(12), constant(6), node(FormulaOp::X),
                      binary(FormulaOp::Subtract, 1, 2), node(FormulaOp::Y),
                      binary(FormulaOp::Subtract, 3, 4), binary(FormulaOp::Divide, 0, 5)}};
  placement.arguments = {Formula::of(Number::of(std::int64_t{5})),
                         {{node(FormulaOp::X)}},
                         {{node(FormulaOp::Y)}},
                         both};
  Program program;
  const char* const names[] = {"by none", "by column", "by row", "by both"};
  for (std::uint32_t k = 0; k < 4; ++k) {
    program.parameters.push_back({names[k], Type::I32});
    // parameter * i
    const Formula product{
        {node(FormulaOp::Parameter, k), node(FormulaOp::I), binary(FormulaOp::Multiply, 0, 1)}};
    program.derived.push_back({Type::I32, {{node(FormulaOp::Parameter, k)}}});
    program.symbols.push_back(
        {.name = names[k], .count = 5, .address = 20 * k, .initial = product, .where = {}});
  }
  image.programs.push_back(program);
  image.placements.push_back(placement);
  return image;
}

std::vector<std::byte> bytes_of(PlacementValues& values, const Symbol& symbol) {
  std::vector<std::byte> bytes(symbol.bytes());
  EXPECT_TRUE(values.fill(symbol, bytes.data()));
  return bytes;
}

TEST(IsaPlacementValues, ASeedIsAValueOfThePe) {
  Image image = rich_image();
  PlacementValues values(image, image.placements[0]);
  ASSERT_TRUE(values.move_to(3, 0));
  EXPECT_EQ(values.seed(), 5u);
  image.programs[0].seed.reset();
  EXPECT_EQ(values.seed(), 0xdeadbeefu);
}

// A generator without a one in its 23 bits makes zeros for ever.
TEST(IsaPlacementValues, ASeedThatMakesZerosAloneIsNone) {
  Image image = rich_image();
  const auto error_of = [&image](std::int64_t seed) {
    image.programs[0].seed->value = Formula::of(Number::of(seed));
    PlacementValues values(image, image.placements[0]);
    EXPECT_TRUE(values.move_to(2, 0));
    const Result<std::uint32_t> made = values.seed();
    return made ? "" : made.error();
  };
  EXPECT_EQ(error_of(1), "");
  EXPECT_EQ(error_of(0x400000), "");
  EXPECT_EQ(error_of(0xffffffff), "");
  EXPECT_EQ(
      error_of(0),
      "the seed of program rich at (2, 0): the lowest 23 bits of 0x0 are 0, so that every draw "
      "would be 0");
  EXPECT_EQ(error_of(0xff800000),
            "the seed of program rich at (2, 0): the lowest 23 bits of 0xff800000 are 0, so that "
            "every draw would be 0");
  EXPECT_EQ(error_of(-1), "the seed of program rich at (2, 0): -1 does not fit into u32");
  EXPECT_EQ(error_of(0x100000000),
            "the seed of program rich at (2, 0): 4294967296 does not fit into u32");
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

// What is kept from PE to PE must not show, in whatever order they are visited.
TEST(IsaPlacementValues, OneObjectGivesWhatANewOneGives) {
  const Image image = image_of_axes();
  PlacementValues values(image, image.placements[0]);
  test_support::Random random(3);
  for (int step = 0; step < 2000; ++step) {
    const std::uint32_t x = random.below(kSide);
    const std::uint32_t y = random.below(kSide);
    const Status status = values.move_to(x, y);
    PlacementValues fresh(image, image.placements[0]);
    const Status expected = fresh.move_to(x, y);
    ASSERT_EQ(status.has_value(), expected.has_value());
    if (!status) {
      ASSERT_EQ(status.error(), expected.error());
      continue;
    }
    ASSERT_TRUE(std::ranges::equal(values.slots(), fresh.slots()));
    for (const Symbol& symbol : image.programs[0].symbols) {
      ASSERT_EQ(bytes_of(values, symbol), bytes_of(fresh, symbol)) << symbol.name;
    }
  }
}

TEST(IsaPlacementValues, KnowsWhatIsTheSameAtAllPes) {
  const Image image = image_of_axes();
  const PlacementValues values(image, image.placements[0]);
  std::vector<std::string> same;
  for (const Symbol& symbol : image.programs[0].symbols) {
    if (values.is_same_at_all_pes(symbol)) same.push_back(symbol.name);
  }
  EXPECT_EQ(same, (std::vector<std::string>{"by none"}));
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

TEST(IsaPlacementValues, ListsHaveBitsAndFormulas) {
  const Image image = rich_image();
  PlacementValues values(image, image.placements[0]);
  ASSERT_TRUE(values.move_to(1, 0));
  const Symbol& listed = image.programs[0].symbols[2];
  EXPECT_EQ(
      bytes_of(values, listed),
      (std::vector<std::byte>{
          std::byte{5}, {}, std::byte{2}, {}, std::byte{0xf9}, std::byte{0xff}, {}, {}, {}, {}}));
  for (std::uint32_t i = 0; i < listed.count; ++i) {
    const std::uint32_t expected[] = {5, 2, 0xfff9, 0, 0};
    EXPECT_EQ(values.initial(listed, i), expected[i]);
  }
  EXPECT_FALSE(values.is_same_at_all_pes(listed));
  EXPECT_FALSE(values.is_same_in_a_row(listed));
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
