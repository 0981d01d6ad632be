// Random f32 and f16 operands that lean towards what is difficult: special values, subnormals,
// ties, carries, cancellation, results at the edge of the range. Must never depend on anything but
// the seed.
#pragma once

#include <cstdint>
#include <iterator>

#include "tests/support/random.h"

namespace wse::test_support {

inline constexpr std::uint32_t kSpecialSingles[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x00000003, 0x003fffff, 0x00400000,
    0x007ffffe, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x01000000,
    0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001,
    0x3fb504f3, 0x40000000, 0x40400000, 0x4b7fffff, 0x4b800000, 0xcb800000, 0x4b800001, 0x5f000000,
    0x72ffffff, 0x73000000, 0x7e800000, 0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7f800001, 0xff800001, 0x7fbfffff, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x7fffffff};

inline constexpr std::uint32_t kSpecialHalves[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x01ff, 0x0200, 0x03fe, 0x03ff, 0x83ff, 0x0400, 0x8400,
    0x0401, 0x0800, 0x0c00, 0x1000, 0x1001, 0x1400, 0x37ff, 0x3800, 0x3bff, 0x3c00, 0xbc00, 0x3c01,
    0x3c02, 0x3da8, 0x4000, 0x4200, 0x4bff, 0x4c00, 0x6400, 0x6801, 0x7800, 0x7bfe, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7c01, 0xfc01, 0x7dff, 0x7e00, 0xfe00, 0x7e12, 0x7fff};

// Encodings with `fraction_bits` bits of fraction below `exponent_bits` bits of exponent.
template <unsigned exponent_bits, unsigned fraction_bits>
class FloatOperands {
  using Word = std::uint32_t;

 public:
  explicit FloatOperands(std::uint32_t seed) : random_(seed) {}

  Word any() {
    switch (random_.below(8)) {
      case 0: return special();
      case 1: return make(random_.below(3), fraction());                   // subnormals, just above
      case 2: return make(kExponents - 3 + random_.below(4), fraction());  // large, infinite, NaN
      case 3: return make(kExponents / 4 + random_.below(kExponents / 2), fraction());
      default: return random_.word() & kAll;
    }
  }
  // A number near `other`: sums cancel or are ties, quotients stay finite.
  Word near(Word other) {
    switch (random_.below(6)) {
      case 0:
      case 1: return any();
      case 2: return other ^ random_.below(4) ^ (random_.below(2) << kSignShift);
      case 3: return half_unit_of(other);
      default: return make(exponent_of(other) + spread(), fraction());
    }
  }
  // A factor that brings the product with `other` near the exponent of `sum`.
  Word factor(Word sum, Word other) {
    if (random_.one_in(3)) return any();
    return make(exponent_of(sum) + kExponents / 2 - exponent_of(other) + spread(), fraction());
  }
  Word special() {
    if constexpr (fraction_bits == 23) {
      return kSpecialSingles[random_.below(std::size(kSpecialSingles))];
    } else {
      return kSpecialHalves[random_.below(std::size(kSpecialHalves))];
    }
  }
  // An operand with garbage above it, which must not matter.
  Word dirty(Word half) { return half | random_.word() << 16; }
  Random& random() { return random_; }

 private:
  static constexpr Word kSignShift = exponent_bits + fraction_bits;
  static constexpr Word kAll = (Word{2} << kSignShift) - 1;
  static constexpr Word kExponents = (1u << exponent_bits) - 1;  // that of infinity
  static constexpr Word kFraction = (1u << fraction_bits) - 1;

  static Word exponent_of(Word number) { return number >> fraction_bits & kExponents; }
  Word make(Word exponent, Word bits) {
    return random_.below(2) << kSignShift | (exponent & kExponents) << fraction_bits | bits;
  }
  // So much that one operand may lie below the last bit of the other.
  Word spread() { return random_.below(2 * fraction_bits + 9) - (fraction_bits + 4); }
  // Half of the last bit of `other`, or the next number above or below it.
  Word half_unit_of(Word other) {
    return (make(exponent_of(other) - fraction_bits - 1, 0) + random_.below(3) - 1) & kAll;
  }
  // Any bits, or few ones, or few zeros: ties and carries.
  Word fraction() {
    switch (random_.below(4)) {
      case 0: return (1u << random_.below(fraction_bits)) ^ (1u << random_.below(fraction_bits));
      case 1: return kFraction ^ (1u << random_.below(fraction_bits));
      default: return random_.word() & kFraction;
    }
  }

  Random random_;
};

using SingleOperands = FloatOperands<8, 23>;
using HalfOperands = FloatOperands<5, 10>;

}  // namespace wse::test_support
