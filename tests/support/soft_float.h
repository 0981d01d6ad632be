// f32 arithmetic done with integers on the encodings: a reference that shares nothing with the
// machine's own arithmetic, nor with the processor's.
//
// Rounds once to nearest even, keeps subnormals; every NaN result is 0x7fc00000.
// Must never use a floating-point type.
#pragma once

#include <cstdint>

namespace wse::test_support {

std::uint32_t soft_add(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_subtract(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_multiply(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_divide(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_square_root(std::uint32_t a);
std::uint32_t soft_minimum(std::uint32_t a, std::uint32_t b);  // the number, if one is NaN
std::uint32_t soft_maximum(std::uint32_t a, std::uint32_t b);
std::uint32_t soft_from_int32(std::uint32_t a);

// a + b * c
std::uint32_t soft_multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c);

// Comparisons: false with a NaN.
bool soft_equal(std::uint32_t a, std::uint32_t b);
bool soft_less(std::uint32_t a, std::uint32_t b);

}  // namespace wse::test_support
