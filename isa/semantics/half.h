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
#include <cstdint>

namespace wse::isa::semantics {

inline constexpr std::uint32_t kQuietNan16 = 0x7e00u;
inline constexpr std::uint32_t kSignBit16 = 0x8000u;
inline constexpr std::uint32_t kInfinity16 = 0x7c00u;

inline bool is_nan_f16(std::uint32_t a) { return (a & 0x7fffu) > kInfinity16; }

// The value of an f16, exactly. Bits above the low 16 are ignored.
inline float half_value(std::uint32_t half) {
  constexpr int kShift = 23 - 10;
  constexpr std::uint32_t kRebias = (127u - 15u) << 23;
  const std::uint32_t magnitude = half & 0x7fffu;
  // Fraction alone: an integer of at most 10 bits, counted in units of 2^-24.
  const auto units = static_cast<float>(static_cast<std::int32_t>(magnitude));
  const std::uint32_t subnormal =
      magnitude == 0 ? 0 : std::bit_cast<std::uint32_t>(units) - (24u << 23);
  const std::uint32_t normal = (magnitude << kShift) + kRebias;
  const std::uint32_t infinite = magnitude > kInfinity16 ? 0x7fc00000u : 0x7f800000u;
  const std::uint32_t finite = magnitude < 0x400u ? subnormal : normal;
  const std::uint32_t sign = magnitude > kInfinity16 ? 0 : (half & kSignBit16) << 16;
  return std::bit_cast<float>(sign | (magnitude < kInfinity16 ? finite : infinite));
}

// The f16 nearest to a number with `kFraction` bits of fraction and exponent bias `kBias`.
template <int kFraction, int kBias, class Bits>
std::uint32_t half_from(Bits bits) {
  constexpr int kDropped = kFraction - 10;
  constexpr int kSignShift = 8 * static_cast<int>(sizeof bits) - 16;
  constexpr Bits kOne = 1;
  constexpr Bits kNan = static_cast<Bits>(2 * kBias + 1) << kFraction;  // above it
  constexpr Bits kTooLarge = static_cast<Bits>(kBias + 16) << kFraction;
  constexpr Bits kLeastNormal = static_cast<Bits>(kBias - 14) << kFraction;
  constexpr Bits kRebias = static_cast<Bits>(kBias - 15) << kFraction;
  const auto sign = static_cast<std::uint32_t>(bits >> kSignShift) & kSignBit16;
  const Bits magnitude = bits & ~(kOne << (8 * sizeof bits - 1));
  if (magnitude > kNan) return kQuietNan16;
  if (magnitude >= kTooLarge) return sign | kInfinity16;
  if (magnitude >= kLeastNormal) {  // a carry may reach the exponent, and infinity
    const Bits number = magnitude - kRebias;
    const Bits odd = number >> kDropped & 1;
    return sign |
           static_cast<std::uint32_t>((number + (kOne << (kDropped - 1)) - 1 + odd) >> kDropped);
  }
  const int exponent = static_cast<int>(magnitude >> kFraction);
  const int shift = std::min(kBias + kFraction - 24 - exponent, kFraction + 2);
  const Bits significand = (magnitude & ((kOne << kFraction) - 1)) | kOne << kFraction;
  const Bits odd = significand >> shift & 1;
  return sign |
         static_cast<std::uint32_t>((significand + (kOne << (shift - 1)) - 1 + odd) >> shift);
}

inline std::uint32_t half_bits(float value) {
  return half_from<23, 127>(std::bit_cast<std::uint32_t>(value));
}
inline std::uint32_t half_bits(double value) {
  return half_from<52, 1023>(std::bit_cast<std::uint64_t>(value));
}

}  // namespace wse::isa::semantics
