// The instructions by their words; scalar and vector forms are the same.
#include "tests/oracle/values.h"

#include <algorithm>
#include <functional>
#include <map>

#include "tests/support/soft_float.h"
#include "tests/support/soft_half.h"

namespace wse::oracle {
namespace {

namespace soft = test_support;
using Word = std::uint32_t;
using Function = std::function<Word(Word, Word, Word)>;

std::int32_t as_signed(Word a) { return static_cast<std::int32_t>(a); }
std::int16_t as_signed16(Word a) { return static_cast<std::int16_t>(a); }
Word low(Word a) { return a & 0xffffu; }

Word shift_right_signed(std::int32_t a, Word count, Word width) {
  const Word limited = count < width ? count : width - 1;
  return static_cast<Word>(a >> limited);
}

Word zeros_above(Word a, Word width) {
  Word zeros = 0;
  while (zeros < width && (a >> (width - 1 - zeros) & 1) == 0) ++zeros;
  return zeros;
}

Word ones(Word a) {
  Word count = 0;
  for (; a != 0; a >>= 1) count += a & 1;
  return count;
}

Word saturated16(Word a) {
  return low(static_cast<Word>(std::clamp(as_signed(a), -0x8000, 0x7fff)));
}

std::map<std::string_view, Function> integer32() {
  return {
      {"mov32", [](Word a, Word, Word) { return a; }},
      {"neg32", [](Word a, Word, Word) { return 0 - a; }},
      {"abs32", [](Word a, Word, Word) { return as_signed(a) < 0 ? 0 - a : a; }},
      {"add32", [](Word a, Word b, Word) { return a + b; }},
      {"sub32", [](Word a, Word b, Word) { return a - b; }},
      {"mul32", [](Word a, Word b, Word) { return a * b; }},
      {"min32", [](Word a, Word b, Word) { return as_signed(a) < as_signed(b) ? a : b; }},
      {"max32", [](Word a, Word b, Word) { return as_signed(a) > as_signed(b) ? a : b; }},
      {"and32", [](Word a, Word b, Word) { return a & b; }},
      {"or32", [](Word a, Word b, Word) { return a | b; }},
      {"xor32", [](Word a, Word b, Word) { return a ^ b; }},
      {"sll32", [](Word a, Word b, Word) { return b < 32 ? a << b : 0; }},
      {"slr32", [](Word a, Word b, Word) { return b < 32 ? a >> b : 0; }},
      {"sar32", [](Word a, Word b, Word) { return shift_right_signed(as_signed(a), b, 32); }},
      {"not32", [](Word a, Word, Word) { return ~a; }},
      {"popcnt32", [](Word a, Word, Word) { return ones(a); }},
      {"clz32", [](Word a, Word, Word) { return zeros_above(a, 32); }},
  };
}

std::map<std::string_view, Function> integer16() {
  return {
      {"mov16", [](Word a, Word, Word) { return low(a); }},
      {"neg16", [](Word a, Word, Word) { return low(0 - a); }},
      {"abs16", [](Word a, Word, Word) { return low(as_signed16(a) < 0 ? 0 - a : a); }},
      {"add16", [](Word a, Word b, Word) { return low(a + b); }},
      {"sub16", [](Word a, Word b, Word) { return low(a - b); }},
      {"mul16", [](Word a, Word b, Word) { return low(a * b); }},
      {"min16", [](Word a, Word b, Word) { return low(as_signed16(a) < as_signed16(b) ? a : b); }},
      {"max16", [](Word a, Word b, Word) { return low(as_signed16(a) > as_signed16(b) ? a : b); }},
      {"and16", [](Word a, Word b, Word) { return low(a & b); }},
      {"or16", [](Word a, Word b, Word) { return low(a | b); }},
      {"xor16", [](Word a, Word b, Word) { return low(a ^ b); }},
      {"sll16", [](Word a, Word b, Word) { return low(b) < 16 ? low(a << low(b)) : 0; }},
      {"slr16", [](Word a, Word b, Word) { return low(b) < 16 ? low(a) >> low(b) : 0; }},
      {"sar16",
       [](Word a, Word b, Word) { return low(shift_right_signed(as_signed16(a), low(b), 16)); }},
      {"popcnt16", [](Word a, Word, Word) { return ones(low(a)); }},
      {"clz16", [](Word a, Word, Word) { return zeros_above(low(a), 16); }},
      {"xp162xp32", [](Word a, Word, Word) { return static_cast<Word>(as_signed16(a)); }},
      {"u162xp32", [](Word a, Word, Word) { return low(a); }},
      {"xp322xp16", [](Word a, Word, Word) { return low(a); }},
  };
}

std::map<std::string_view, Function> floats() {
  constexpr Word kSign32 = 0x80000000u;
  constexpr Word kSign16 = 0x8000u;
  return {
      {"fmovs", [](Word a, Word, Word) { return a; }},
      {"fnegs", [](Word a, Word, Word) { return a ^ kSign32; }},
      {"fabss", [](Word a, Word, Word) { return a & ~kSign32; }},
      {"fadds", [](Word a, Word b, Word) { return soft::soft_add(a, b); }},
      {"fsubs", [](Word a, Word b, Word) { return soft::soft_subtract(a, b); }},
      {"fmuls", [](Word a, Word b, Word) { return soft::soft_multiply(a, b); }},
      {"fmins", [](Word a, Word b, Word) { return soft::soft_minimum(a, b); }},
      {"fmaxs", [](Word a, Word b, Word) { return soft::soft_maximum(a, b); }},
      {"fmacs", [](Word a, Word b, Word c) { return soft::soft_multiply_add(a, b, c); }},
      {"fdivs", [](Word a, Word b, Word) { return soft::soft_divide(a, b); }},
      {"fsqrts", [](Word a, Word, Word) { return soft::soft_square_root(a); }},
      {"fmovh", [](Word a, Word, Word) { return low(a); }},
      {"fnegh", [](Word a, Word, Word) { return low(a) ^ kSign16; }},
      {"fabsh", [](Word a, Word, Word) { return low(a) & ~kSign16; }},
      {"faddh", [](Word a, Word b, Word) { return soft::soft_half_add(low(a), low(b)); }},
      {"fsubh", [](Word a, Word b, Word) { return soft::soft_half_subtract(low(a), low(b)); }},
      {"fmulh", [](Word a, Word b, Word) { return soft::soft_half_multiply(low(a), low(b)); }},
      {"fminh", [](Word a, Word b, Word) { return soft::soft_half_minimum(low(a), low(b)); }},
      {"fmaxh", [](Word a, Word b, Word) { return soft::soft_half_maximum(low(a), low(b)); }},
      {"fmach",
       [](Word a, Word b, Word c) { return soft::soft_half_multiply_add(low(a), low(b), low(c)); }},
      {"fdivh", [](Word a, Word b, Word) { return soft::soft_half_divide(low(a), low(b)); }},
      {"fsqrth", [](Word a, Word, Word) { return soft::soft_half_square_root(low(a)); }},
      {"fh2s", [](Word a, Word, Word) { return soft::soft_half_to_single(low(a)); }},
      {"fs2h", [](Word a, Word, Word) { return soft::soft_half_from_single(a); }},
      {"xp162fh", [](Word a, Word, Word) { return soft::soft_half_from_int16(low(a)); }},
      {"fh2xp16", [](Word a, Word, Word) { return soft::soft_half_to_int16(low(a)); }},
      {"xp162fs",
       [](Word a, Word, Word) { return soft::soft_from_int32(static_cast<Word>(as_signed16(a))); }},
      {"xp322fs", [](Word a, Word, Word) { return soft::soft_from_int32(a); }},
      {"fs2xp16", [](Word a, Word, Word) { return saturated16(soft::soft_single_to_int32(a)); }},
      {"fs2xp32", [](Word a, Word, Word) { return soft::soft_single_to_int32(a); }},
      // f32 + f16, and f32 + f16 * f16, whose product is exact in f32.
      {"faddhs",
       [](Word a, Word b, Word) { return soft::soft_add(soft::soft_half_to_single(low(a)), b); }},
      {"fmachs",
       [](Word a, Word b, Word c) {
         return soft::soft_multiply_add(a, soft::soft_half_to_single(low(b)),
                                        soft::soft_half_to_single(low(c)));
       }},
  };
}

const std::map<std::string_view, Function>& functions() {
  static const auto kFunctions = [] {
    std::map<std::string_view, Function> all = integer32();
    all.merge(integer16());
    all.merge(floats());
    return all;
  }();
  return kFunctions;
}

// Towards zero; the one quotient that does not fit wraps.
std::optional<Word> divide(std::string_view mnemonic, Word a, Word b) {
  if (b == 0) return std::nullopt;
  const auto signed_a = std::int64_t{as_signed(a)};
  const auto signed_b = std::int64_t{as_signed(b)};
  if (mnemonic == "divs32") return static_cast<Word>(signed_a / signed_b);
  if (mnemonic == "rems32") return static_cast<Word>(signed_a % signed_b);
  return mnemonic == "divu32" ? a / b : a % b;
}

template <class Less, class Equal>
bool compared(isa::Condition condition, Less less, Equal equal, bool unordered) {
  switch (condition) {
    case isa::Condition::Equal: return equal;
    case isa::Condition::NotEqual: return !equal;
    case isa::Condition::Less: return less;
    case isa::Condition::LessEqual: return less || equal;
    case isa::Condition::Greater: return !unordered && !less && !equal;
    case isa::Condition::GreaterEqual: return !unordered && !less;
  }
  return false;
}

bool is_nan(Word a) { return (a & 0x7fffffffu) > 0x7f800000u; }

}  // namespace

std::optional<Word> compute(std::string_view mnemonic, Word a, Word b, Word c) {
  if (mnemonic.starts_with("div") || mnemonic.starts_with("rem")) return divide(mnemonic, a, b);
  return functions().at(mnemonic)(a, b, c);
}

bool branches(std::string_view mnemonic, Word a, Word b) {
  const bool single = mnemonic.starts_with("f") && !mnemonic.starts_with("fbh");
  const bool half = mnemonic.starts_with("fbh");
  if (mnemonic == "bltu") return a < b;
  if (mnemonic == "bgeu") return a >= b;
  const isa::Type type = half ? isa::Type::F16 : single ? isa::Type::F32 : isa::Type::I32;
  const std::string_view how = mnemonic.substr(half ? 3 : single ? 2 : 1);
  static const std::map<std::string_view, isa::Condition> kConditions = {
      {"eq", isa::Condition::Equal},   {"ne", isa::Condition::NotEqual},
      {"lt", isa::Condition::Less},    {"le", isa::Condition::LessEqual},
      {"gt", isa::Condition::Greater}, {"ge", isa::Condition::GreaterEqual}};
  return compares(kConditions.at(how), type, a, b);
}

bool compares(isa::Condition condition, isa::Type type, Word a, Word b) {
  switch (type) {
    case isa::Type::I32: return compared(condition, as_signed(a) < as_signed(b), a == b, false);
    case isa::Type::U32:
    case isa::Type::Colour: return compared(condition, a < b, a == b, false);
    case isa::Type::I16:
      return compared(condition, as_signed16(a) < as_signed16(b), low(a) == low(b), false);
    case isa::Type::U16: return compared(condition, low(a) < low(b), low(a) == low(b), false);
    case isa::Type::F16:
      a = soft::soft_half_to_single(low(a));
      b = soft::soft_half_to_single(low(b));
      break;
    case isa::Type::F32: break;
  }
  return compared(condition, soft::soft_less(a, b), soft::soft_equal(a, b), is_nan(a) || is_nan(b));
}

}  // namespace wse::oracle
