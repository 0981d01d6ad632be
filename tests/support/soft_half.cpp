// Exact values as 128-bit integers times a power of two, then one rounding.
#include "tests/support/soft_half.h"

#include <algorithm>

namespace wse::test_support {
namespace {

using Word = std::uint32_t;
__extension__ typedef __int128 Exact;
__extension__ typedef unsigned __int128 Wide;

constexpr Word kSign = 0x8000u;
constexpr Word kInfinity = 0x7c00u;
constexpr Word kNan = 0x7e00u;
constexpr Word kSingleNan = 0x7fc00000u;
constexpr int kUnit = -24;  // exponent of the last bit of a subnormal

bool is_nan(Word a) { return (a & ~kSign) > kInfinity; }
bool is_infinite(Word a) { return (a & ~kSign) == kInfinity; }
bool is_zero(Word a) { return (a & ~kSign) == 0; }

// A finite f16 in units of 2^-24.
Exact units(Word a) {
  const Word exponent = a >> 10 & 31;
  const Word fraction = a & 0x3ff;
  const Exact magnitude =
      exponent == 0 ? Exact{fraction} : Exact{fraction + 1024} << (exponent - 1);
  return (a & kSign) != 0 ? -magnitude : magnitude;
}

int length(Wide value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

// magnitude * 2^exponent, a little more if sticky.
Word round(Word sign, Wide magnitude, int exponent, bool sticky = false) {
  if (magnitude == 0) return sign;
  int last = std::max(length(magnitude) + exponent - 11, kUnit);  // exponent of the last kept bit
  Wide kept = 0;
  if (last <= exponent) {
    kept = magnitude << (exponent - last);
  } else if (last - exponent < 128) {
    const int dropped = last - exponent;
    kept = magnitude >> dropped;
    const Wide rest = magnitude - (kept << dropped);
    const Wide half = Wide{1} << (dropped - 1);
    if (rest > half || (rest == half && (sticky || (kept & 1) != 0))) ++kept;
  }
  if (kept == 2048) {
    kept = 1024;
    ++last;
  }
  if (kept < 1024) return sign | static_cast<Word>(kept);
  const int biased = last - kUnit + 1;
  if (biased >= 31) return sign | kInfinity;
  return sign | static_cast<Word>(biased) << 10 | (static_cast<Word>(kept) - 1024);
}

Word round(Exact value, int exponent) {
  return value < 0 ? round(kSign, static_cast<Wide>(-value), exponent)
                   : round(0, static_cast<Wide>(value), exponent);
}

Wide magnitude(Word a) { return static_cast<Wide>(units(a & ~kSign)); }

bool less(Word a, Word b) {  // numbers; -0 below +0
  const auto place = [](Word x) {
    return (x & kSign) != 0 ? -static_cast<int>(x & ~kSign) - 1 : static_cast<int>(x);
  };
  return place(a) < place(b);
}

}  // namespace

std::uint32_t soft_half_add(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a)) return is_infinite(b) && a != b ? kNan : a;
  if (is_infinite(b)) return b;
  if (is_zero(a) && is_zero(b)) return a & b;
  return round(units(a) + units(b), kUnit);
}

std::uint32_t soft_half_subtract(std::uint32_t a, std::uint32_t b) {
  return soft_half_add(a, b ^ kSign);
}

std::uint32_t soft_half_multiply(std::uint32_t a, std::uint32_t b) {
  const Word sign = (a ^ b) & kSign;
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a) || is_infinite(b)) return is_zero(a) || is_zero(b) ? kNan : sign | kInfinity;
  return round(sign, magnitude(a) * magnitude(b), 2 * kUnit);
}

std::uint32_t soft_half_multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Word sign = (b ^ c) & kSign;
  if (is_nan(a) || is_nan(b) || is_nan(c)) return kNan;
  if (is_infinite(b) || is_infinite(c)) {
    const bool undefined = is_zero(b) || is_zero(c) || (is_infinite(a) && a != (sign | kInfinity));
    return undefined ? kNan : sign | kInfinity;
  }
  if (is_infinite(a)) return a;
  if (is_zero(a) && (is_zero(b) || is_zero(c))) return a & sign;
  return round(units(a) * (Exact{1} << 24) + units(b) * units(c), 2 * kUnit);
}

std::uint32_t soft_half_divide(std::uint32_t a, std::uint32_t b) {
  const Word sign = (a ^ b) & kSign;
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a)) return is_infinite(b) ? kNan : sign | kInfinity;
  if (is_infinite(b)) return sign;
  if (is_zero(b)) return is_zero(a) ? kNan : sign | kInfinity;
  const Wide dividend = magnitude(a) << 80;
  const Wide quotient = dividend / magnitude(b);
  return round(sign, quotient, -80, quotient * magnitude(b) != dividend);
}

std::uint32_t soft_half_square_root(std::uint32_t a) {
  if (is_nan(a)) return kNan;
  if (is_zero(a)) return a;
  if ((a & kSign) != 0) return kNan;
  if (is_infinite(a)) return a;
  const Wide square = magnitude(a) << 60;
  Wide root = 0;
  for (int bit = 60; bit >= 0; --bit) {
    const Wide trial = root | Wide{1} << bit;
    if (trial * trial <= square) root = trial;
  }
  return round(0, root, (kUnit - 60) / 2, root * root != square);
}

std::uint32_t soft_half_minimum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? kNan : b;
  return is_nan(b) || less(a, b) ? a : b;
}

std::uint32_t soft_half_maximum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? kNan : b;
  return is_nan(b) || less(b, a) ? a : b;
}

std::uint32_t soft_half_to_single(std::uint32_t a) {
  const Word sign = (a & kSign) << 16;
  if (is_nan(a)) return kSingleNan;
  if (is_infinite(a)) return sign | 0x7f800000u;
  const Wide exact = magnitude(a);
  if (exact == 0) return sign;
  const int bits = length(exact);
  const Word fraction = static_cast<Word>(bits <= 24 ? exact << (24 - bits) : exact >> (bits - 24));
  return sign | static_cast<Word>(127 + kUnit + bits - 1) << 23 | (fraction & 0x7fffffu);
}

std::uint32_t soft_half_from_single(std::uint32_t a) {
  const Word sign = a >> 16 & kSign;
  const Word exponent = a >> 23 & 255;
  const Word fraction = a & 0x7fffffu;
  if (exponent == 255) return fraction != 0 ? kNan : sign | kInfinity;
  if (exponent == 0) return sign;
  return round(sign, fraction | 0x800000u, static_cast<int>(exponent) - 150);
}

std::uint32_t soft_half_from_double(std::uint64_t a) {
  const Word sign = static_cast<Word>(a >> 48) & kSign;
  const auto exponent = static_cast<int>(a >> 52 & 2047);
  const std::uint64_t fraction = a & 0xfffffffffffffu;
  if (exponent == 2047) return fraction != 0 ? kNan : sign | kInfinity;
  if (exponent == 0) return sign;
  return round(sign, fraction | std::uint64_t{1} << 52, exponent - 1075);
}

std::uint32_t soft_half_from_int16(std::uint32_t a) {
  const Word low = a & 0xffffu;
  return low >= kSign ? round(kSign, 0x10000u - low, 0) : round(0, low, 0);
}

std::uint32_t soft_half_to_int16(std::uint32_t a) {
  if (is_nan(a)) return 0;
  const bool negative = (a & kSign) != 0;
  const Word most = negative ? 0x8000u : 0x7fffu;
  const Wide whole = is_infinite(a) ? most : std::min<Wide>(magnitude(a) >> 24, most);
  const auto value = static_cast<Word>(whole);
  return (negative ? 0u - value : value) & 0xffffu;
}

std::uint32_t soft_single_to_int32(std::uint32_t a) {
  const bool negative = a >> 31 != 0;
  const auto exponent = static_cast<int>(a >> 23 & 255);
  const Word fraction = a & 0x7fffffu;
  if (exponent == 255 && fraction != 0) return 0;
  const Word most = negative ? 0x80000000u : 0x7fffffffu;
  if (exponent < 127) return 0;
  Wide whole = fraction | 0x800000u;
  const int shift = exponent - 150;
  if (shift > 40) {
    whole = most;
  } else {
    whole = shift >= 0 ? whole << shift : whole >> -shift;
  }
  const auto value = static_cast<Word>(std::min<Wide>(whole, most));
  return negative ? 0u - value : value;
}

}  // namespace wse::test_support
