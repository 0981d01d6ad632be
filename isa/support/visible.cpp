// Reads UTF-8 a character at a time.
#include "isa/support/visible.h"

#include <fmt/format.h>

#include <cstdint>

namespace wse::isa {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: this is no UTF-8
};

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Reads one of two bytes and more: no longer than need be, no surrogate, at most U+10FFFF.
Character long_character(std::string_view text) {
  const std::uint32_t first = byte_at(text, 0);
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    const std::uint32_t next = byte_at(text, k);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[bytes] || surrogate || code > 0x10ffff) return {};
  return {code, bytes};
}

Character first_character(std::string_view text) {
  const std::uint32_t first = byte_at(text, 0);
  return first < 0x80 ? Character{first, 1} : long_character(text);
}

bool is_harmful(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return (control && code != '\n' && code != '\t') || direction;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    if (next.bytes == 0 || (is_harmful(next.code) && bytes == 1)) {
      shown += fmt::format("\\x{:02x}", byte_at(text, 0));
    } else if (is_harmful(next.code)) {
      shown += fmt::format("\\u{:04x}", next.code);
    } else {
      shown.append(text.substr(0, bytes));
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

std::string visible_line(std::string_view text) {
  std::string line;
  for (const char c : visible(text)) {
    if (c == '\n') {
      line += "\\x0a";
    } else {
      line += c == '\t' ? ' ' : c;
    }
  }
  return line;
}

}  // namespace wse::isa
