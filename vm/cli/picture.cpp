// Draws fields: blocks of values become characters, values become squares of palette pixels.
// Must never divide by an empty range: a constant field is drawn with the lowest shade.
#include "vm/cli/picture.h"

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace wse::cli {
namespace {

constexpr std::string_view kRamp = " .:-=+*#%@";
constexpr uint64_t kMinPngPixels = 512;      // of the longer side
constexpr uint64_t kMaxPngPixels = 1000000;  // of the longer side; libpng's own default limit
constexpr unsigned kPaletteSize = 256;       // entry 0 is NaN
constexpr Rgb kNanColour = {128, 128, 128};

// The inferno colour map (matplotlib, public domain) at nine even positions.
constexpr std::array<Rgb, 9> kAnchors = {{{0, 0, 4},
                                          {31, 12, 72},
                                          {85, 15, 109},
                                          {136, 34, 106},
                                          {188, 55, 84},
                                          {227, 89, 51},
                                          {249, 142, 9},
                                          {249, 201, 50},
                                          {252, 255, 164}}};

// 0..1, infinities at the ends, NaN stays NaN.
float position_of(float value, const ValueRange& range) {
  if (std::isnan(value)) return value;
  const double span = static_cast<double>(range.high) - static_cast<double>(range.low);
  if (!(span > 0)) return value > range.high ? 1.0F : 0.0F;
  const double position = (static_cast<double>(value) - static_cast<double>(range.low)) / span;
  return static_cast<float>(std::clamp(position, 0.0, 1.0));
}

// How values map to characters: blocks of `columns` x `rows` values become `repeat` characters.
struct Blocks {
  uint64_t columns = 1;
  uint64_t rows = 1;
  uint64_t repeat = 1;
};

constexpr uint64_t divide_up(uint64_t number, uint64_t divisor) {
  return number / divisor + (number % divisor != 0);
}

// A character is about twice as high as wide; blocks keep that shape.
Blocks choose_blocks(const FieldView& field, const TextStyle& style) {
  const uint64_t max_columns = std::max<uint64_t>(style.max_columns, 1);
  const uint64_t max_rows = std::max<uint64_t>(style.max_rows, 1);
  if (field.width <= max_columns / 2 && field.height <= max_rows) return {1, 1, 2};
  const uint64_t side = std::max({uint64_t{1}, divide_up(field.width, max_columns),
                                  divide_up(divide_up(field.height, 2), max_rows)});
  return {side, 2 * side, 1};
}

// The average position of a block's values; NaN if the block holds nothing else.
float block_position(const FieldView& field, const ValueRange& range, const Blocks& blocks,
                     uint64_t column, uint64_t row) {
  double sum = 0;
  uint64_t count = 0;
  const uint64_t end_x = std::min(field.width, (column + 1) * blocks.columns);
  const uint64_t end_y = std::min(field.height, (row + 1) * blocks.rows);
  for (uint64_t y = row * blocks.rows; y < end_y; ++y) {
    for (uint64_t x = column * blocks.columns; x < end_x; ++x) {
      const float position = position_of(field.values[y * field.width + x], range);
      if (std::isnan(position)) continue;
      sum += static_cast<double>(position);
      ++count;
    }
  }
  if (count == 0) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(sum / static_cast<double>(count));
}

char character_of(float position) {
  if (std::isnan(position)) return '?';
  const auto index = static_cast<size_t>(position * static_cast<float>(kRamp.size()));
  return kRamp[std::min(index, kRamp.size() - 1)];
}

std::string background(const Rgb& colour) {
  return fmt::format("\x1b[48;2;{};{};{}m", colour.red, colour.green, colour.blue);
}

std::string text_row(const FieldView& field, const ValueRange& range, const Blocks& blocks,
                     uint64_t row, bool colour) {
  std::string line;
  std::optional<Rgb> current;
  for (uint64_t column = 0; column < divide_up(field.width, blocks.columns); ++column) {
    const float position = block_position(field, range, blocks, column, row);
    if (colour && current != colour_of(position)) {
      current = colour_of(position);
      line += background(*current);
    }
    const char shade = colour && !std::isnan(position) ? ' ' : character_of(position);
    line.append(blocks.repeat, shade);
  }
  if (colour) return line + "\x1b[0m";
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string legend(const ValueRange& range, bool colour) {
  std::string ramp;
  for (size_t i = 0; i < kRamp.size(); ++i) {
    const float position = static_cast<float>(i) / static_cast<float>(kRamp.size() - 1);
    ramp += colour ? background(colour_of(position)) + ' ' : std::string(1, kRamp[i]);
  }
  return fmt::format("{:g} [{}{}] {:g}", range.low, ramp, colour ? "\x1b[0m" : "", range.high);
}

bool is_consistent(const FieldView& field) {
  uint64_t count = 0;
  return !__builtin_mul_overflow(field.width, field.height, &count) && count == field.values.size();
}

// One byte per pixel: 0 for NaN, else 1..255 along the colour map.
std::vector<uint8_t> draw_pixels(const FieldView& field, const ValueRange& range, uint64_t scale) {
  const uint64_t stride = field.width * scale;
  std::vector<uint8_t> pixels(stride * field.height * scale);
  for (uint64_t y = 0; y < field.height; ++y) {
    uint8_t* const first_row = pixels.data() + y * scale * stride;
    for (uint64_t x = 0; x < field.width; ++x) {
      const float position = position_of(field.values[y * field.width + x], range);
      const int index = std::isnan(position)
                            ? 0
                            : 1 + static_cast<int>(std::lround(position * (kPaletteSize - 2)));
      std::fill_n(first_row + x * scale, scale, static_cast<uint8_t>(index));
    }
    for (uint64_t copy = 1; copy < scale; ++copy) {
      std::copy_n(first_row, stride, first_row + copy * stride);
    }
  }
  return pixels;
}

std::array<uint8_t, 3 * kPaletteSize> make_palette() {
  std::array<uint8_t, 3 * kPaletteSize> palette{};
  for (unsigned i = 0; i < kPaletteSize; ++i) {
    const float position = static_cast<float>(i - 1) / static_cast<float>(kPaletteSize - 2);
    const Rgb colour = i == 0 ? kNanColour : colour_of(position);
    palette[3 * i] = colour.red;
    palette[3 * i + 1] = colour.green;
    palette[3 * i + 2] = colour.blue;
  }
  return palette;
}

}  // namespace

ValueRange range_of(const FieldView& field) {
  ValueRange range;
  bool found = false;
  for (const float value : field.values) {
    if (!std::isfinite(value)) continue;
    range.low = found ? std::min(range.low, value) : value;
    range.high = found ? std::max(range.high, value) : value;
    found = true;
  }
  return range;
}

Rgb colour_of(float position) {
  if (std::isnan(position)) return kNanColour;
  const float scaled = std::clamp(position, 0.0F, 1.0F) * static_cast<float>(kAnchors.size() - 1);
  const size_t index = std::min(static_cast<size_t>(scaled), kAnchors.size() - 2);
  const float weight = scaled - static_cast<float>(index);
  const auto mix = [weight](uint8_t from, uint8_t to) {
    const float value = static_cast<float>(from) * (1 - weight) + static_cast<float>(to) * weight;
    return static_cast<uint8_t>(std::lround(value));
  };
  const Rgb& from = kAnchors[index];
  const Rgb& to = kAnchors[index + 1];
  return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

bool wants_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && (refused == nullptr || *refused == '\0');
}

std::string shade_text(const FieldView& field, std::optional<ValueRange> range,
                       const TextStyle& style) {
  if (!is_consistent(field)) return "(no field)\n";
  const ValueRange shown = range.value_or(range_of(field));
  const Blocks blocks = choose_blocks(field, style);
  std::string text;
  for (uint64_t row = 0; row < divide_up(field.height, blocks.rows); ++row) {
    text += text_row(field, shown, blocks, row, style.colour) + '\n';
  }
  return text + legend(shown, style.colour) + '\n';
}

std::expected<std::vector<std::byte>, std::string> encode_png(const FieldView& field,
                                                              std::optional<ValueRange> range) {
  const uint64_t longer = std::max(field.width, field.height);
  if (!is_consistent(field) || field.values.empty() || longer > kMaxPngPixels) {
    return std::unexpected(
        fmt::format("cannot draw a field of {} x {} as PNG", field.width, field.height));
  }
  const uint64_t scale = divide_up(kMinPngPixels, std::min(longer, kMinPngPixels));
  const auto pixels = draw_pixels(field, range.value_or(range_of(field)), scale);
  const auto palette = make_palette();

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(field.width * scale);
  image.height = static_cast<png_uint_32>(field.height * scale);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = kPaletteSize;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, palette.data()) ==
      0) {
    return std::unexpected(fmt::format("cannot draw a PNG: {}", image.message));
  }
  bytes.resize(size);
  return bytes;
}

std::expected<void, isa::FileError> write_png(const std::string& path, isa::InputList& inputs,
                                              const FieldView& field,
                                              std::optional<ValueRange> range) {
  const auto bytes = encode_png(field, range);
  if (!bytes) return std::unexpected(isa::FileError{bytes.error(), false});
  return isa::write_whole_file(path, inputs, *bytes);
}

}  // namespace wse::cli
