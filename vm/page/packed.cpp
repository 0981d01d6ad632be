// Six bits a letter.
#include "vm/page/packed.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace wse::vm {
namespace {

constexpr int kLevel = 6;  // of deflate

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

PackedText::PackedText() : deflater_(kLevel) {}

std::string PackedText::finish() { return base64(deflater_.finish()); }

std::string packed_text(std::span<const std::byte> bytes) {
  PackedText text;
  text.add(bytes);
  return text.finish();
}

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[k + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kLetters[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

}  // namespace wse::vm
