// The functions of math.wsa: what they are in long double, and how a run computes them on many
// arguments at once.
//
// References come from the C library alone; must never take a number from the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wse::test_library {

struct Function {
  std::string name;  // without _f32 or _f16
  long double (*reference)(long double x, long double y);
  bool takes_two = false;
};

const std::vector<Function>& functions();

// A binary format: f32 or f16.
struct Format {
  std::string name;
  int bytes = 4;
  int precision = 24;      // bits of a significand
  int least_exponent = 0;  // of the smallest normal number
  std::uint32_t infinity = 0;

  std::uint32_t sign_bit() const { return 1u << (8 * bytes - 1); }
  bool is_nan(std::uint32_t bits) const { return (bits & ~sign_bit()) > infinity; }
  bool is_infinite(std::uint32_t bits) const { return (bits & ~sign_bit()) == infinity; }
  // Infinities as the power of two beyond the largest number.
  long double value(std::uint32_t bits) const;
  long double beyond() const;
  // Between neighbouring numbers at `value`.
  long double ulp(long double value) const;
};
extern const Format kF32;
extern const Format kF16;

// FUNCTION of each argument, computed by a machine of the profile wse2 with `map`. Words are in the
// low half for f16.
std::vector<std::uint32_t> compute(const std::string& function, const Format& format,
                                   const std::vector<std::uint32_t>& x,
                                   const std::vector<std::uint32_t>& y = {});

// The same of a function on integers, whose name ends in their type, as in div_i32.
std::vector<std::uint32_t> compute_integer(const std::string& function,
                                           std::vector<std::uint32_t> x,
                                           std::vector<std::uint32_t> y);

inline constexpr std::uint32_t kNumbersPerPe = 2048;

// How far a result is from the function's value, in ulp; infinity where one of both is no number,
// or where the sign of a zero is wrong.
double error_in_ulp(const Function& function, const Format& format, std::uint32_t result,
                    std::uint32_t x, std::uint32_t y);

}  // namespace wse::test_library
