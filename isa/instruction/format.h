// The formats of formats.def, parsed at compile time into fields with a word, a shift and a width.
//
// A format that is malformed (wrong length, a field cut in two, an unknown letter) does not
// compile.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wse::isa {

enum class Format : std::uint8_t {
#define FORMAT(name, operands, bits, meaning) name,
#include "isa/instruction/formats.def"
#undef FORMAT
};

inline constexpr char kFieldLetterArray[] = {
#define FIELD(letter, member, meaning) letter,
#include "isa/instruction/fields.def"
#undef FIELD
};
inline constexpr std::string_view kFieldLetters(kFieldLetterArray, sizeof kFieldLetterArray);

struct FieldBits {
  std::uint8_t field = 0;  // index into kFieldLetters
  std::uint8_t word = 0;
  std::uint8_t shift = 0;
  std::uint8_t width = 0;

  constexpr std::uint32_t mask() const { return width == 32 ? ~0u : (1u << width) - 1; }
};

struct FormatInfo {
  std::string_view name;
  std::string_view operands;
  std::string_view bits;
  std::string_view meaning;
  std::array<FieldBits, 16> fields{};
  std::uint8_t field_count = 0;
  std::uint8_t words = 0;
  std::array<std::uint32_t, 2> zero_mask{};  // bits that must be zero
};

inline constexpr unsigned kOpcodeShift = 24;

consteval FormatInfo parse_format(std::string_view name, std::string_view operands,
                                  std::string_view bits, std::string_view meaning) {
  FormatInfo info{.name = name, .operands = operands, .bits = bits, .meaning = meaning};
  if (bits.size() != 32 && bits.size() != 64) throw "a format has 32 or 64 bits";
  if (!bits.starts_with("oooooooo")) throw "a format begins with the 8 bits of the opcode";
  info.words = static_cast<std::uint8_t>(bits.size() / 32);
  for (std::size_t i = 8; i < bits.size(); ++i) {
    const auto word = static_cast<std::uint8_t>(i / 32);
    const auto shift = static_cast<std::uint8_t>(31 - i % 32);
    if (bits[i] == '-') {
      info.zero_mask[word] |= 1u << shift;
      continue;
    }
    const std::size_t letter = kFieldLetters.find(bits[i]);
    if (letter == std::string_view::npos) throw "a letter that fields.def does not have";
    const bool goes_on = bits[i - 1] == bits[i] && i % 32 != 0;
    if (goes_on) {
      FieldBits& last = info.fields[info.field_count - 1u];
      last.shift = shift;
      last.width = static_cast<std::uint8_t>(last.width + 1);
      continue;
    }
    for (std::uint8_t k = 0; k < info.field_count; ++k) {
      if (info.fields[k].field == letter) throw "a field lies in two pieces";
    }
    info.fields[info.field_count++] = {static_cast<std::uint8_t>(letter), word, shift, 1};
  }
  return info;
}

inline constexpr FormatInfo kFormats[] = {
#define FORMAT(name, operands, bits, meaning) parse_format(#name, operands, bits, meaning),
#include "isa/instruction/formats.def"
#undef FORMAT
};

constexpr const FormatInfo& info(Format format) { return kFormats[static_cast<int>(format)]; }

}  // namespace wse::isa
