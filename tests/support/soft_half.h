// f16 arithmetic and conversions done with integers on the encodings: a reference that shares
// nothing with the machine's own, nor with the processor's.
//
// Every f16 is a whole number of 2^-24, so sums and products are exact in 128 bits; what is not
// exact carries a sticky bit. Rounds once to nearest even; every NaN result is 0x7e00 or
// 0x7fc00000. Must never use a floating-point type.
#pragma once

#include <cstdint>

namespace wse::test_support {

std::uint32_t soft_half_add(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_half_subtract(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_half_multiply(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_half_divide(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_half_square_root(std::uint32_t a);
std::uint32_t soft_half_minimum(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_half_maximum(std::uint32_t a, std::uint32_t b);

// a + b * c
std::uint32_t soft_half_multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c);

std::uint32_t soft_half_to_single(std::uint32_t a);
std::uint32_t soft_half_from_single(std::uint32_t a);
std::uint32_t soft_half_from_double(std::uint64_t a);
std::uint32_t soft_half_from_int16(std::uint32_t a);
std::uint32_t soft_half_to_int16(std::uint32_t a);
std::uint32_t soft_single_to_int32(std::uint32_t a);

}  // namespace wse::test_support
