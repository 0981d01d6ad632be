// Finite numbers are taken apart into sign, significand and exponent; every operation computes its
// exact value, or a value with a sticky bit for what lies below, and round() makes the encoding.
#include "tests/support/soft_float.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wse::test_support {
namespace {

using Word = std::uint32_t;
__extension__ typedef unsigned __int128 Wide;

constexpr Word kSign = 0x80000000u;
constexpr Word kInfinity = 0x7f800000u;
constexpr Word kNan = 0x7fc00000u;
constexpr Word kFraction = 0x007fffffu;
constexpr int kFractionBits = 23;
constexpr int kLeastExponent = -149;  // of the last bit of a subnormal
constexpr int kMostBiased = 255;

// (-1)^negative * significand * 2^exponent, a little more in magnitude if sticky.
struct Exact {
  bool negative = false;
  Wide significand = 0;
  int exponent = 0;
  bool sticky = false;
};

bool is_nan(Word a) { return (a & ~kSign) > kInfinity; }
bool is_infinite(Word a) { return (a & ~kSign) == kInfinity; }
bool is_zero(Word a) { return (a & ~kSign) == 0; }
bool is_negative(Word a) { return (a & kSign) != 0; }
Word sign_of(bool negative) { return negative ? kSign : 0; }

int length(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

Exact unpack(Word a) {
  const int biased = static_cast<int>((a & kInfinity) >> kFractionBits);
  const Word fraction = a & kFraction;
  if (biased == 0) return {is_negative(a), fraction, kLeastExponent};
  return {is_negative(a), fraction | (kFraction + 1), biased - 1 + kLeastExponent};
}

// Shifts right by `count`; bits that are lost become sticky.
void shift_right(Exact& value, int count) {
  if (count <= 0) return;
  const Wide kept = count < 128 ? value.significand >> count : 0;
  const Wide lost = count < 128 ? value.significand - (kept << count) : value.significand;
  value.sticky = value.sticky || lost != 0;
  value.significand = kept;
  value.exponent += count;
}

Word round(Exact value) {
  const Word sign = sign_of(value.negative);
  if (value.significand == 0) return sign;
  const int width = kFractionBits + 1;
  const int target = std::max(value.exponent + length(value.significand) - width, kLeastExponent);
  // Two bits below the target: the half and what lies under it.
  if (value.exponent > target - 2) {
    value.significand <<= value.exponent - (target - 2);
    value.exponent = target - 2;
  }
  shift_right(value, target - 2 - value.exponent);
  auto kept = static_cast<Word>(value.significand >> 2);
  const auto below = static_cast<Word>(value.significand & 3);
  const bool above_half = below == 3 || (below == 2 && value.sticky);
  const bool half = below == 2 && !value.sticky;
  if (above_half || (half && (kept & 1) != 0)) ++kept;
  // A carry out of the fraction, and a subnormal that became normal, come out right by adding.
  const int biased = target - kLeastExponent;  // of a significand without its leading bit
  const Word bits = (static_cast<Word>(biased) << kFractionBits) + kept;
  return sign | (bits >= (static_cast<Word>(kMostBiased) << kFractionBits) ? kInfinity : bits);
}

// The sum of two finite values that are not both zero.
Word add_exact(Exact a, Exact b) {
  if (a.significand == 0) return round(b);
  if (b.significand == 0) return round(a);
  if (a.exponent + length(a.significand) < b.exponent + length(b.significand)) std::swap(a, b);
  constexpr int kRoom = 100;  // far more than any two significands have
  const int left = kRoom - length(a.significand);
  a.significand <<= left;
  a.exponent -= left;
  if (b.exponent > a.exponent) {
    b.significand <<= b.exponent - a.exponent;
    b.exponent = a.exponent;
  }
  shift_right(b, a.exponent - b.exponent);
  Exact sum{a.negative, 0, a.exponent, b.sticky};
  if (a.negative == b.negative) {
    sum.significand = a.significand + b.significand;
  } else if (a.significand >= b.significand) {
    sum.significand = a.significand - b.significand - (b.sticky ? 1 : 0);
  } else {
    sum.negative = b.negative;
    sum.significand = b.significand - a.significand;
  }
  return sum.significand == 0 && !sum.sticky ? 0 : round(sum);
}

// Integers in the order of the numbers, -0 just below +0.
std::int64_t order_of(Word a) {
  const auto magnitude = static_cast<std::int64_t>(a & ~kSign);
  return is_negative(a) ? -1 - magnitude : magnitude;
}

Exact product_of(Word b, Word c) {
  const Exact x = unpack(b);
  const Exact y = unpack(c);
  return {x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent};
}

}  // namespace

std::uint32_t soft_add(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a)) return is_infinite(b) && a != b ? kNan : a;
  if (is_infinite(b)) return b;
  if (is_zero(a) && is_zero(b)) return a & b;
  return add_exact(unpack(a), unpack(b));
}

std::uint32_t soft_subtract(std::uint32_t a, std::uint32_t b) { return soft_add(a, b ^ kSign); }

std::uint32_t soft_multiply(std::uint32_t a, std::uint32_t b) {
  const Word sign = (a ^ b) & kSign;
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a) || is_infinite(b)) {
    return is_zero(a) || is_zero(b) ? kNan : sign | kInfinity;
  }
  return round(product_of(a, b));
}

std::uint32_t soft_multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Word sign = (b ^ c) & kSign;
  if (is_nan(a) || is_nan(b) || is_nan(c)) return kNan;
  if (is_infinite(b) || is_infinite(c)) {
    const bool undefined = is_zero(b) || is_zero(c) || (is_infinite(a) && a != (sign | kInfinity));
    return undefined ? kNan : sign | kInfinity;
  }
  if (is_infinite(a)) return a;
  const bool product_is_zero = is_zero(b) || is_zero(c);
  if (product_is_zero && is_zero(a)) return a & sign;
  return add_exact(unpack(a), product_of(b, c));
}

std::uint32_t soft_divide(std::uint32_t a, std::uint32_t b) {
  const Word sign = (a ^ b) & kSign;
  if (is_nan(a) || is_nan(b)) return kNan;
  if (is_infinite(a)) return is_infinite(b) ? kNan : sign | kInfinity;
  if (is_infinite(b)) return sign;
  if (is_zero(b)) return is_zero(a) ? kNan : sign | kInfinity;
  const Exact x = unpack(a);
  const Exact y = unpack(b);
  constexpr int kMore = 64;  // bits of the quotient beyond the difference of the lengths
  const Wide dividend = x.significand << kMore;
  const Wide quotient = dividend / y.significand;
  return round(
      {sign != 0, quotient, x.exponent - y.exponent - kMore, quotient * y.significand != dividend});
}

std::uint32_t soft_square_root(std::uint32_t a) {
  if (is_nan(a)) return kNan;
  if (is_zero(a)) return a;
  if (is_negative(a)) return kNan;
  if (is_infinite(a)) return a;
  Exact x = unpack(a);
  const int left = 80 + (x.exponent & 1);  // an even exponent, and 40 bits of root at least
  x.significand <<= left;
  x.exponent -= left;
  Wide root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide trial = root | (Wide{1} << bit);
    if (trial * trial <= x.significand) root = trial;
  }
  return round({false, root, x.exponent / 2, root * root != x.significand});
}

std::uint32_t soft_minimum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? kNan : b;
  return is_nan(b) || order_of(a) < order_of(b) ? a : b;
}

std::uint32_t soft_maximum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a)) return is_nan(b) ? kNan : b;
  return is_nan(b) || order_of(a) > order_of(b) ? a : b;
}

std::uint32_t soft_from_int32(std::uint32_t a) {
  return a == 0 ? 0 : round({is_negative(a), is_negative(a) ? Word{0} - a : a, 0});
}

bool soft_equal(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return false;
  return a == b || (is_zero(a) && is_zero(b));
}

bool soft_less(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return false;
  return !soft_equal(a, b) && order_of(a) < order_of(b);
}

}  // namespace wse::test_support
