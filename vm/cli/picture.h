// Pictures of a two-dimensional array of floats: shaded text for a terminal, and PNG.
// Row 0 is on top; NaN is shown as such ('?', grey) and never counts in a range or an average.
// Must never depend on a terminal, a locale or a clock: equal values give equal bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/support/atomic_file.h"

namespace wse::cli {

// values: height rows of width values, row by row.
struct FieldView {
  std::span<const float> values;
  uint64_t width = 0;
  uint64_t height = 0;
};

struct ValueRange {
  float low = 0;
  float high = 0;
};

struct Rgb {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  bool operator==(const Rgb&) const = default;
};

struct TextStyle {
  uint64_t max_columns = 64;
  uint64_t max_rows = 32;
  bool colour = false;  // ANSI escapes with 24-bit colours
};

// Smallest and largest finite value; {0, 0} if there is none.
ValueRange range_of(const FieldView& field);

// The colour of a position in a range, 0 dark to 1 bright; perceptually even.
Rgb colour_of(float position);

// Whether to colour what goes to this file descriptor: a terminal, and NO_COLOR unset or empty.
bool wants_colour(int descriptor);

// Lines of text that fit `style`, and one line below that names both ends of the range.
// A small field takes two characters per value; a large one is averaged in blocks twice as high as
// wide.
std::string shade_text(const FieldView& field, std::optional<ValueRange> range,
                       const TextStyle& style = {});

// A PNG whose longer side has at least 512 pixels: every value becomes a square of whole pixels.
std::expected<std::vector<std::byte>, std::string> encode_png(const FieldView& field,
                                                              std::optional<ValueRange> range);

// path "-": stdout. The file is replaced whole or not at all.
std::expected<void, isa::FileError> write_png(const std::string& path, isa::InputList& inputs,
                                              const FieldView& field,
                                              std::optional<ValueRange> range);

}  // namespace wse::cli
