// The instructions on values: one pure function per operation, used by the scalar and the
// vector form, by every engine.
//
// Operands and results are the 32 bits of a register; 16-bit operations read the low half and give
// a zero-extended result. Integers wrap. f32 rounds to nearest even and
// keeps subnormals; an arithmetic result that is NaN is kQuietNan whatever NaNs went in. One f32
// operation per statement: nothing here may be contracted or reordered.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "isa/semantics/half.h"
#include "isa/support/mutant.h"

namespace wse::isa::semantics {

using Word = std::uint32_t;

inline constexpr Word kQuietNan = 0x7fc00000u;
inline constexpr Word kSignBit = 0x80000000u;

inline std::int32_t as_signed(Word a) { return static_cast<std::int32_t>(a); }
inline float as_float(Word a) { return std::bit_cast<float>(a); }

// The bits of an arithmetic result.
inline Word canonical(float value) {
  return std::bit_cast<Word>(value != value ? as_float(kQuietNan) : value);
}

// ---- 32-bit integer
inline Word move32(Word a) { return a; }
inline Word negate32(Word a) { return Word{0} - a; }
inline Word absolute32(Word a) { return as_signed(a) < 0 ? negate32(a) : a; }
inline Word add32(Word a, Word b) { return a + b; }
inline Word subtract32(Word a, Word b) { return a - b; }
inline Word multiply32(Word a, Word b) { return a * b; }
inline Word minimum32(Word a, Word b) { return as_signed(a) < as_signed(b) ? a : b; }
inline Word maximum32(Word a, Word b) { return as_signed(a) > as_signed(b) ? a : b; }
inline Word and32(Word a, Word b) { return a & b; }
inline Word or32(Word a, Word b) { return a | b; }
inline Word xor32(Word a, Word b) { return a ^ b; }
inline Word shift_left32(Word a, Word b) {
  if (b >= 32) return mutant(Mutant::WrongShift) ? a : 0;
  return a << b;
}
inline Word shift_right32(Word a, Word b) { return b >= 32 ? 0 : a >> b; }
inline Word shift_arithmetic32(Word a, Word b) {
  return static_cast<Word>(as_signed(a) >> (b >= 32 ? 31 : b));
}

inline Word not32(Word a) { return ~a; }
inline Word ones32(Word a) { return static_cast<Word>(std::popcount(a)); }
inline Word leading_zeros32(Word a) { return static_cast<Word>(std::countl_zero(a)); }

// ---- 16-bit integer
inline Word low_half(Word a) { return a & 0xffffu; }
inline std::int32_t as_signed16(Word a) { return static_cast<std::int16_t>(a); }

inline Word move16(Word a) { return low_half(a); }
inline Word negate16(Word a) { return low_half(Word{0} - a); }
inline Word absolute16(Word a) { return as_signed16(a) < 0 ? negate16(a) : low_half(a); }
inline Word add16(Word a, Word b) { return low_half(a + b); }
inline Word subtract16(Word a, Word b) { return low_half(a - b); }
inline Word multiply16(Word a, Word b) { return low_half(a * b); }
inline Word minimum16(Word a, Word b) { return low_half(as_signed16(a) < as_signed16(b) ? a : b); }
inline Word maximum16(Word a, Word b) { return low_half(as_signed16(a) > as_signed16(b) ? a : b); }
inline Word and16(Word a, Word b) { return low_half(a & b); }
inline Word or16(Word a, Word b) { return low_half(a | b); }
inline Word xor16(Word a, Word b) { return low_half(a ^ b); }
inline Word shift_left16(Word a, Word b) {
  const Word count = low_half(b);
  return count >= 16 ? 0 : low_half(a << count);
}
inline Word shift_right16(Word a, Word b) {
  const Word count = low_half(b);
  return count >= 16 ? 0 : low_half(a) >> count;
}
inline Word shift_arithmetic16(Word a, Word b) {
  const Word count = low_half(b);
  return low_half(static_cast<Word>(as_signed16(a) >> (count >= 16 ? 15 : count)));
}
inline Word ones16(Word a) { return static_cast<Word>(std::popcount(low_half(a))); }
inline Word leading_zeros16(Word a) {
  return static_cast<Word>(std::countl_zero(low_half(a))) - 16;
}

// ---- f32
inline Word negate_f32(Word a) { return a ^ kSignBit; }
inline Word absolute_f32(Word a) { return a & ~kSignBit; }
inline Word add_f32(Word a, Word b) {
  const float sum = as_float(a) + as_float(b);
  return canonical(sum);
}
inline Word subtract_f32(Word a, Word b) {
  const float difference = as_float(a) - as_float(b);
  return canonical(difference);
}
inline Word multiply_f32(Word a, Word b) {
  const float product = as_float(a) * as_float(b);
  return canonical(product);
}
inline Word divide_f32(Word a, Word b) {
  const float quotient = as_float(a) / as_float(b);
  return canonical(quotient);
}
inline Word square_root_f32(Word a) { return canonical(std::sqrt(as_float(a))); }

// a + b * c, rounded once.
inline Word multiply_add_f32(Word a, Word b, Word c) {
  return canonical(std::fma(as_float(b), as_float(c), as_float(a)));
}

inline bool is_nan_f32(Word a) { return (a & ~kSignBit) > 0x7f800000u; }

// f32 numbers as integers in the same order, -0 below +0.
inline std::int32_t order_f32(Word a) { return as_signed(a) ^ (as_signed(a) >> 31 & 0x7fffffff); }

// The smaller number; -0 is smaller than +0; a NaN only if both are. Without branches, as all that
// follows: a loop over it becomes vector code.
inline Word minimum_f32(Word a, Word b) {
  const Word smaller = order_f32(a) < order_f32(b) ? a : b;
  const Word without_a = is_nan_f32(a) ? b : smaller;
  const Word without_b = is_nan_f32(a) ? kQuietNan : a;
  return is_nan_f32(b) ? without_b : without_a;
}

// The larger number; +0 is larger than -0; a NaN only if both are.
inline Word maximum_f32(Word a, Word b) {
  const Word larger = order_f32(a) > order_f32(b) ? a : b;
  const Word without_a = is_nan_f32(a) ? b : larger;
  const Word without_b = is_nan_f32(a) ? kQuietNan : a;
  return is_nan_f32(b) ? without_b : without_a;
}

// ---- f16: f32 is exact for a sum and a product, and wide enough that rounding a quotient or root
// twice is rounding it once.
inline Word negate_f16(Word a) { return low_half(a ^ kSignBit16); }
inline Word absolute_f16(Word a) { return a & 0x7fffu; }
inline Word add_f16(Word a, Word b) {
  const float sum = half_value(a) + half_value(b);
  return half_bits(sum);
}
inline Word subtract_f16(Word a, Word b) {
  const float difference = half_value(a) - half_value(b);
  return half_bits(difference);
}
inline Word multiply_f16(Word a, Word b) {
  const float product = half_value(a) * half_value(b);
  return half_bits(product);
}
inline Word divide_f16(Word a, Word b) {
  const float quotient = half_value(a) / half_value(b);
  return half_bits(quotient);
}
inline Word square_root_f16(Word a) { return half_bits(std::sqrt(half_value(a))); }

// a + b rounded to odd: exact, or the one of the two f32 around it whose last bit is 1. Rounded on
// to f16, which has two bits less and more, that gives what rounding the sum once gives. Source:
// Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008; the error of the sum is
// Knuth's. The sum must be no subnormal f32.
inline float sum_to_odd(float a, float b) {
  const float sum = a + b;
  const float of_b = sum - a;
  const float of_a = sum - of_b;
  const float error_a = a - of_a;
  const float error_b = b - of_b;
  const float error = error_a + error_b;
  const auto bits = std::bit_cast<Word>(sum);
  const auto inexact = static_cast<Word>(std::fabs(error) > 0);  // of no NaN
  const Word too_far = (std::bit_cast<Word>(error) ^ bits) >> 31;
  // Cut towards zero; if anything was cut off, the last bit says so.
  return std::bit_cast<float>((bits - (inexact & too_far)) | inexact);
}

// a + b * c, rounded once. The product has 22 bits and is exact.
inline Word multiply_add_f16(Word a, Word b, Word c) {
  const float product = half_value(b) * half_value(c);
  if (mutant(Mutant::HalfRoundsTwice)) return add_f16(a, half_bits(product));
  return half_bits(sum_to_odd(half_value(a), product));
}

// f16 numbers as integers in the same order, -0 below +0.
inline std::int32_t order_f16(Word a) {
  const std::int32_t extended = as_signed16(a);
  return extended ^ (extended >> 31 & 0x7fff);
}

// The smaller number; -0 is smaller than +0; a NaN only if both are.
inline Word minimum_f16(Word a, Word b) {
  const Word smaller = order_f16(a) < order_f16(b) ? a : b;
  const Word without_a = is_nan_f16(a) ? b : smaller;
  const Word without_b = is_nan_f16(a) ? kQuietNan16 : a;
  return low_half(is_nan_f16(b) ? without_b : without_a);
}

// The larger number; +0 is larger than -0; a NaN only if both are.
inline Word maximum_f16(Word a, Word b) {
  const Word larger = order_f16(a) > order_f16(b) ? a : b;
  const Word without_a = is_nan_f16(a) ? b : larger;
  const Word without_b = is_nan_f16(a) ? kQuietNan16 : a;
  return low_half(is_nan_f16(b) ? without_b : without_a);
}

// ---- f16 with f32
inline Word add_mixed(Word half, Word b) {
  const float sum = half_value(half) + as_float(b);
  return canonical(sum);
}
// The product is exact in f32, so that only the sum rounds.
inline Word multiply_add_mixed(Word a, Word b, Word c) {
  const float product = half_value(b) * half_value(c);
  const float sum = as_float(a) + product;
  return canonical(sum);
}

// ---- conversions: integers from floats are truncated and saturated, NaN gives 0
inline Word single_of_half(Word a) { return canonical(half_value(a)); }
inline Word half_of_single(Word a) { return half_bits(as_float(a)); }
inline Word single_of_int32(Word a) { return canonical(static_cast<float>(as_signed(a))); }
inline Word single_of_int16(Word a) { return canonical(static_cast<float>(as_signed16(a))); }
inline Word half_of_int16(Word a) { return half_bits(static_cast<float>(as_signed16(a))); }
inline Word int32_of_int16(Word a) { return static_cast<Word>(as_signed16(a)); }
inline Word int32_of_single(Word a) {
  const float value = as_float(a);
  if (value != value) return 0;
  if (value >= 2147483648.0F) return 0x7fffffffu;
  if (value < -2147483648.0F) return 0x80000000u;
  return static_cast<Word>(static_cast<std::int32_t>(value));
}
inline Word int16_of_float(float value) {
  if (value != value) return 0;
  if (value >= 32767.0F) return 0x7fffu;
  if (value <= -32768.0F) return 0x8000u;
  return low_half(static_cast<Word>(static_cast<std::int32_t>(value)));
}
inline Word int16_of_single(Word a) { return int16_of_float(as_float(a)); }
inline Word int16_of_half(Word a) { return int16_of_float(half_value(a)); }

// ---- comparisons
inline bool equal32(Word a, Word b) { return a == b; }
inline bool not_equal32(Word a, Word b) { return a != b; }
inline bool less32(Word a, Word b) { return as_signed(a) < as_signed(b); }
inline bool less_equal32(Word a, Word b) { return as_signed(a) <= as_signed(b); }
inline bool greater32(Word a, Word b) { return as_signed(a) > as_signed(b); }
inline bool greater_equal32(Word a, Word b) { return as_signed(a) >= as_signed(b); }
inline bool less_unsigned32(Word a, Word b) { return a < b; }
inline bool greater_equal_unsigned32(Word a, Word b) { return a >= b; }
inline bool equal_f32(Word a, Word b) { return as_float(a) == as_float(b); }
inline bool not_equal_f32(Word a, Word b) { return as_float(a) != as_float(b); }
inline bool less_f32(Word a, Word b) { return as_float(a) < as_float(b); }
inline bool less_equal_f32(Word a, Word b) { return as_float(a) <= as_float(b); }
inline bool greater_f32(Word a, Word b) { return as_float(a) > as_float(b); }
inline bool greater_equal_f32(Word a, Word b) { return as_float(a) >= as_float(b); }
inline bool equal_f16(Word a, Word b) { return half_value(a) == half_value(b); }
inline bool not_equal_f16(Word a, Word b) { return half_value(a) != half_value(b); }
inline bool less_f16(Word a, Word b) { return half_value(a) < half_value(b); }
inline bool less_equal_f16(Word a, Word b) { return half_value(a) <= half_value(b); }
inline bool greater_f16(Word a, Word b) { return half_value(a) > half_value(b); }
inline bool greater_equal_f16(Word a, Word b) { return half_value(a) >= half_value(b); }

}  // namespace wse::isa::semantics
