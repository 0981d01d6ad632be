// f16 numbers as bits: to and from f32 and f64, in integer code that gives the same everywhere.
//
//   15 14      10 9                0
//  +--+----------+------------------+
//  |s | exponent |     fraction     |   value = (-1)^s * 1.fraction * 2^(exponent - 15)
//  +--+----------+------------------+
//
// Rounds once to nearest even and keeps subnormals. A NaN becomes the one quiet NaN of the result's
// type. Must never use a 16-bit float type of the compiler: they differ in what they do in between.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace wse::isa::semantics {

inline constexpr std::uint32_t kQuietNan16 = 0x7e00u;
inline constexpr std::uint32_t kSignBit16 = 0x8000u;
inline constexpr std::uint32_t kInfinity16 = 0x7c00u;

inline bool is_nan_f16(std::uint32_t a) { return (a & 0x7fffu) > kInfinity16; }

// The value of an f16, exactly; a NaN is some NaN. Bits above the low 16 are ignored. Without
// branches, as is half_bits(float): a loop over them becomes vector code.
inline float half_value(std::uint32_t half) {
  constexpr int kShift = 23 - 10;
  // The bits of an f32, but that three copies of the sign are in the exponent.
  const auto extended = static_cast<std::uint32_t>(static_cast<std::int16_t>(half)) << kShift;
  const float small = std::bit_cast<float>(extended & 0x8fffe000u);     // 2^-112 of the value
  const float infinite = std::bit_cast<float>(extended | 0x7f800000u);  // or NaN
  return (half & kInfinity16) == kInfinity16 ? infinite : small * 0x1p112F;
}

// The same; a NaN is the quiet NaN.
inline float canonical_half_value(std::uint32_t half) {
  const float value = half_value(half);
  return value != value ? std::bit_cast<float>(0x7fc00000u) : value;
}

// The f16 nearest to the number.
inline std::uint32_t half_bits(float value) {
  constexpr int kDropped = 23 - 10;
  constexpr std::uint32_t kRebias = (127u - 15u) << 23;
  constexpr std::uint32_t kLeastNormal = (127u - 14u) << 23;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // A carry may reach the exponent, and infinity.
  const std::uint32_t odd = magnitude >> kDropped & 1;
  const std::uint32_t normal = (magnitude - kRebias + (1u << (kDropped - 1)) - 1 + odd) >> kDropped;
  // The last bit of numbers from 0.5 on is that of a subnormal f16, 2^-24: the sum rounds there.
  const float sum = std::fabs(value) + 0.5F;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t number = magnitude < kLeastNormal ? subnormal : std::min(normal, kInfinity16);
  const std::uint32_t sign = bits >> 16 & kSignBit16;
  return value != value ? kQuietNan16 : sign | number;
}

inline std::uint32_t half_bits(double value) {
  constexpr int kFraction = 52;
  constexpr int kBias = 1023;
  constexpr int kDropped = kFraction - 10;
  constexpr std::uint64_t kOne = 1;
  constexpr std::uint64_t kInfinity = std::uint64_t{2 * kBias + 1} << kFraction;
  constexpr std::uint64_t kTooLarge = std::uint64_t{kBias + 16} << kFraction;
  constexpr std::uint64_t kLeastNormal = std::uint64_t{kBias - 14} << kFraction;
  constexpr std::uint64_t kRebias = std::uint64_t{kBias - 15} << kFraction;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 48) & kSignBit16;
  const std::uint64_t magnitude = bits & ~(kOne << 63);
  if (magnitude > kInfinity) return kQuietNan16;
  if (magnitude >= kTooLarge) return sign | kInfinity16;
  if (magnitude >= kLeastNormal) {  // a carry may reach the exponent, and infinity
    const std::uint64_t number = magnitude - kRebias;
    const std::uint64_t odd = number >> kDropped & 1;
    return sign |
           static_cast<std::uint32_t>((number + (kOne << (kDropped - 1)) - 1 + odd) >> kDropped);
  }
  const int exponent = static_cast<int>(magnitude >> kFraction);
  const int shift = std::min(kBias + kFraction - 24 - exponent, kFraction + 2);
  const std::uint64_t significand = (magnitude & ((kOne << kFraction) - 1)) | kOne << kFraction;
  const std::uint64_t odd = significand >> shift & 1;
  return sign |
         static_cast<std::uint32_t>((significand + (kOne << (shift - 1)) - 1 + odd) >> shift);
}

}  // namespace wse::isa::semantics
