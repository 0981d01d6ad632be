// Numbers of 16 bits (IEEE binary16), each held as the float of its value: every operation is
// computed in double, where sums and products of two are exact, and rounded once to the nearest,
// ties to even.
#pragma once

#include <algorithm>
#include <cmath>

namespace wse::reference {

class Half {
 public:
  Half() = default;
  explicit Half(double value) : value_(rounded(value)) {}
  explicit operator double() const { return value_; }
  explicit operator float() const { return value_; }

  friend Half operator*(Half a, Half b) { return Half(double{a.value_} * b.value_); }
  friend Half operator+(Half a, Half b) { return Half(double{a.value_} + b.value_); }
  friend Half operator-(Half a, Half b) { return Half(double{a.value_} - b.value_); }
  Half& operator+=(Half other) { return *this = *this + other; }
  Half& operator-=(Half other) { return *this = *this - other; }

 private:
  static float rounded(double value) {
    constexpr int kLeastExponent = -14;  // below, subnormal numbers are as far apart as there
    constexpr int kFraction = 10;        // bits
    constexpr double kLargest = 65504;
    if (value == 0 || !std::isfinite(value)) return static_cast<float>(value);
    const double apart = std::ldexp(1.0, std::max(std::ilogb(value), kLeastExponent) - kFraction);
    const double nearest = std::nearbyint(value / apart) * apart;
    return static_cast<float>(std::abs(nearest) > kLargest ? std::copysign(INFINITY, value)
                                                           : nearest);
  }

  float value_ = 0;
};

}  // namespace wse::reference
