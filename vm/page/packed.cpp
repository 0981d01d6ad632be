// zlib, and six bits a letter.
#include "vm/page/packed.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

namespace wse::vm {
namespace {

constexpr int kLevel = 6;
constexpr int kRawWindowBits = -15;  // negative: neither header nor checksum
constexpr int kMemoryLevel = 8;

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  z_stream stream{};
  const int begun =
      deflateInit2(&stream, kLevel, Z_DEFLATED, kRawWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY);
  if (begun != Z_OK) throw std::bad_alloc();
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  std::vector<std::byte> out;
  // zlib takes pointers to bytes that it does not change.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  std::size_t left = bytes.size();
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t most = std::numeric_limits<uInt>::max() / 2;
    if (stream.avail_in == 0 && left > 0) {
      stream.avail_in = static_cast<uInt>(std::min(left, most));
      left -= stream.avail_in;
    }
    const std::size_t before = out.size();
    out.resize(before + kPiece);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(kPiece);
    state = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
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
