// Pictures: text of the right size and shades, PNG files whose pixels are the values.
// Must never compare compressed bytes: another zlib packs the same pixels differently.
#include "vm/cli/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/support/files.h"

namespace wse::cli {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> gradient(uint64_t width, uint64_t height) {
  std::vector<float> values(width * height);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return values;
}

struct Pixels {
  uint64_t width = 0;
  uint64_t height = 0;
  std::vector<uint8_t> rgb;

  Rgb at(uint64_t x, uint64_t y) const {
    const size_t i = 3 * (y * width + x);
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
};

Pixels decode(const std::vector<std::byte>& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0)
      << image.message;
  image.format = PNG_FORMAT_RGB;
  Pixels pixels{image.width, image.height, std::vector<uint8_t>(PNG_IMAGE_SIZE(image))};
  EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.rgb.data(), 0, nullptr), 0)
      << image.message;
  return pixels;
}

TEST(Range, SkipsWhatIsNotFinite) {
  const std::vector<float> values = {kNan, 2, -kInfinity, -3, kInfinity};
  const ValueRange range = range_of({values, 5, 1});
  EXPECT_EQ(range.low, -3);
  EXPECT_EQ(range.high, 2);
  const std::vector<float> none = {kNan, kNan};
  EXPECT_EQ(range_of({none, 2, 1}).high, 0);
}

TEST(ColourMap, GoesFromDarkToBright) {
  EXPECT_EQ(colour_of(0), (Rgb{0, 0, 4}));
  EXPECT_EQ(colour_of(0.5F), (Rgb{188, 55, 84}));
  EXPECT_EQ(colour_of(1), (Rgb{252, 255, 164}));
  double last = -1;
  for (int i = 0; i <= 100; ++i) {
    const Rgb colour = colour_of(static_cast<float>(i) / 100);
    const double brightness = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
    EXPECT_GT(brightness, last - 0.5) << i;
    last = brightness;
  }
}

TEST(ShadedText, DrawsSmallFieldsWithTwoCharactersPerValue) {
  const std::vector<float> values = {0, 1, 2, 3, 4, kNan, 9, -kInfinity, kInfinity};
  EXPECT_EQ(shade_text({values, 3, 3}, std::nullopt),
            "  ..::\n"
            "--==??\n"
            "@@  @@\n"
            "0 [ .:-=+*#%@] 9\n");
}

TEST(ShadedText, FitsTheTerminal) {
  for (const auto& [width, height] :
       {std::pair{64, 64}, {1000, 1}, {1, 1000}, {65, 3}, {200, 999}, {33, 33}}) {
    const auto values = gradient(static_cast<uint64_t>(width), static_cast<uint64_t>(height));
    const auto lines = test_support::split_lines(shade_text(
        {values, static_cast<uint64_t>(width), static_cast<uint64_t>(height)}, std::nullopt));
    EXPECT_LE(lines.size(), 33U) << width << " x " << height;
    for (const auto& line : lines) EXPECT_LE(line.size(), 64U);
  }
  const auto values = gradient(64, 64);
  const auto lines = test_support::split_lines(shade_text({values, 64, 64}, std::nullopt));
  EXPECT_EQ(lines.size(), 33U);
  EXPECT_EQ(lines[31], std::string(64, '@'));
}

TEST(ShadedText, TakesTheGivenRangeAndDrawsConstantFields) {
  const std::vector<float> values = {5, 5};
  EXPECT_EQ(shade_text({values, 2, 1}, ValueRange{0, 10}), "++++\n0 [ .:-=+*#%@] 10\n");
  EXPECT_EQ(shade_text({values, 2, 1}, std::nullopt), "\n5 [ .:-=+*#%@] 5\n");
  EXPECT_EQ(shade_text({values, 2, 2}, std::nullopt), "(no field)\n");
}

TEST(ShadedText, ColoursWithEscapesThatEndOnEachLine) {
  const std::vector<float> values = {0, 1};
  const auto text = shade_text({values, 2, 1}, std::nullopt, {.colour = true});
  EXPECT_TRUE(text.starts_with("\x1b[48;2;0;0;4m  \x1b[48;2;252;255;164m  \x1b[0m\n")) << text;
}

TEST(Png, DrawsSquaresOfWholePixels) {
  const std::vector<float> values = {0, 1, kNan, 0.5F};
  const auto bytes = encode_png({values, 2, 2}, std::nullopt);
  ASSERT_TRUE(bytes) << bytes.error();
  const Pixels pixels = decode(*bytes);
  ASSERT_EQ(pixels.width, 512U);
  ASSERT_EQ(pixels.height, 512U);
  EXPECT_EQ(pixels.at(0, 0), colour_of(0));
  EXPECT_EQ(pixels.at(255, 255), colour_of(0));
  EXPECT_EQ(pixels.at(256, 0), colour_of(1));
  EXPECT_EQ(pixels.at(0, 256), (Rgb{128, 128, 128}));
  EXPECT_EQ(pixels.at(511, 511), colour_of(0.5F));
}

TEST(Png, LeavesLargeFieldsAsTheyAre) {
  const auto values = gradient(600, 20);
  const auto bytes = encode_png({values, 600, 20}, std::nullopt);
  ASSERT_TRUE(bytes) << bytes.error();
  const Pixels pixels = decode(*bytes);
  EXPECT_EQ(pixels.width, 600U);
  EXPECT_EQ(pixels.height, 20U);
}

TEST(Png, RefusesWhatIsNoField) {
  const std::vector<float> values = {1, 2, 3};
  EXPECT_FALSE(encode_png({values, 2, 2}, std::nullopt));
  EXPECT_FALSE(encode_png({{}, 0, 0}, std::nullopt));
  EXPECT_FALSE(encode_png({values, uint64_t{1} << 63, 2}, std::nullopt));
}

TEST(Png, IsWrittenWhole) {
  isa::InputList inputs;
  const test_support::ScratchFolder scratch;
  const std::vector<float> values = {1, 2};
  ASSERT_TRUE(write_png(scratch.path() / "a.png", inputs, {values, 2, 1}, std::nullopt));
  EXPECT_TRUE(test_support::read_text(scratch.path() / "a.png").starts_with("\x89PNG"));
  EXPECT_FALSE(write_png(scratch.path() / "none" / "a.png", inputs, {values, 2, 1}, std::nullopt));
}

}  // namespace
}  // namespace wse::cli
