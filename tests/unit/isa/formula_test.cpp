// Formulas: values, texts, ranges of types and the limits of check(). Every expected value is
// written by hand.
#include "isa/formula/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace wse::isa {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

// ---- building formulas

Formula number(std::int64_t value) { return Formula::of(Number::of(value)); }
Formula number(int value) { return number(std::int64_t{value}); }
Formula number(double value) { return Formula::of(Number::of(value)); }

Formula variable(FormulaOp op, std::uint32_t index = 0) {
  Formula formula = number(0);
  formula.nodes[0] = {};
  formula.nodes[0].op = op;
  formula.nodes[0].index = index;
  return formula;
}

Formula x() { return variable(FormulaOp::X); }
Formula y() { return variable(FormulaOp::Y); }
Formula i() { return variable(FormulaOp::I); }

Formula join(FormulaOp op, std::initializer_list<Formula> operands) {
  Formula whole;
  FormulaNode root;
  root.op = op;
  std::size_t k = 0;
  for (const Formula& operand : operands) {
    const auto shift = static_cast<std::uint32_t>(whole.nodes.size());
    for (FormulaNode node : operand.nodes) {
      const OperatorInfo* info = operator_info(node.op);
      for (unsigned n = 0; info != nullptr && n < info->operands; ++n) node.operand[n] += shift;
      whole.nodes.push_back(node);
    }
    root.operand[k++] = static_cast<std::uint32_t>(whole.nodes.size() - 1);
  }
  whole.nodes.push_back(root);
  return whole;
}

// The value as text, or the error.
std::string value_of(const Formula& formula, const FormulaPlace& place = {}) {
  const Result<Number> value = evaluate(formula, place);
  return value ? to_text(*value) : value.error();
}

template <class A, class B>
std::string value_of(FormulaOp op, A a, B b) {
  const Number operands[] = {Number::of(a), Number::of(b)};
  const Result<Number> folded = apply(op, operands);
  const std::string text = folded ? to_text(*folded) : folded.error();
  EXPECT_EQ(value_of(join(op, {number(a), number(b)})), text) << "folding and evaluation differ";
  return text;
}

std::string value_of(FormulaOp op, std::int64_t a, std::int64_t b) {
  return value_of<std::int64_t, std::int64_t>(op, a, b);
}

template <class A>
std::string value_of_unary(FormulaOp op, A a) {
  return value_of(join(op, {number(a)}));
}

constexpr const char* kOverflow = "the result does not fit into 64 bits";
constexpr const char* kByZero = "division by zero";
constexpr const char* kShift = "a shift count must lie in 0..62";

// ---- integers

struct IntegerCase {
  FormulaOp op;
  std::int64_t a;
  std::int64_t b;
  std::string_view value;
};

constexpr IntegerCase kIntegers[] = {
    {FormulaOp::Add, 2, 3, "5"},
    {FormulaOp::Add, kMost, 0, "9223372036854775807"},
    {FormulaOp::Add, kMost, 1, kOverflow},
    {FormulaOp::Add, kLeast, -1, kOverflow},
    {FormulaOp::Subtract, 2, 3, "-1"},
    {FormulaOp::Subtract, 0, kLeast, kOverflow},
    {FormulaOp::Subtract, kLeast, 1, kOverflow},
    {FormulaOp::Multiply, -4, 3, "-12"},
    {FormulaOp::Multiply, 1LL << 32, 1LL << 31, kOverflow},
    {FormulaOp::Multiply, kLeast, -1, kOverflow},
    {FormulaOp::Divide, 7, 2, "3"},
    {FormulaOp::Divide, -7, 2, "-4"},
    {FormulaOp::Divide, 7, -2, "-4"},
    {FormulaOp::Divide, -7, -2, "3"},
    {FormulaOp::Divide, -6, 2, "-3"},
    {FormulaOp::Divide, 0, -5, "0"},
    {FormulaOp::Divide, 1, 0, kByZero},
    {FormulaOp::Divide, kLeast, -1, kOverflow},
    {FormulaOp::Divide, kLeast, 1, "-9223372036854775808"},
    {FormulaOp::Modulo, 7, 2, "1"},
    {FormulaOp::Modulo, -7, 2, "1"},
    {FormulaOp::Modulo, 7, -2, "-1"},
    {FormulaOp::Modulo, -7, -2, "-1"},
    {FormulaOp::Modulo, -6, 3, "0"},
    {FormulaOp::Modulo, kLeast, 12, "4"},  // 12 times the quotient does not fit
    {FormulaOp::Modulo, 0, 0, kByZero},
    {FormulaOp::ShiftLeft, 3, 4, "48"},
    {FormulaOp::ShiftLeft, -1, 3, "-8"},
    {FormulaOp::ShiftLeft, 1, 62, "4611686018427387904"},
    {FormulaOp::ShiftLeft, 2, 62, kOverflow},
    {FormulaOp::ShiftLeft, 1, 63, kShift},
    {FormulaOp::ShiftLeft, 1, -1, kShift},
    {FormulaOp::ShiftRight, 48, 4, "3"},
    {FormulaOp::ShiftRight, -1, 62, "-1"},
    {FormulaOp::ShiftRight, -5, 1, "-3"},
    {FormulaOp::ShiftRight, 1, 63, kShift},
    {FormulaOp::BitAnd, 12, 10, "8"},
    {FormulaOp::BitOr, 12, 10, "14"},
    {FormulaOp::BitXor, 12, -1, "-13"},
    {FormulaOp::Minimum, -2, 3, "-2"},
    {FormulaOp::Maximum, -2, 3, "3"},
    {FormulaOp::Equal, 3, 3, "1"},
    {FormulaOp::NotEqual, 3, 3, "0"},
    {FormulaOp::Less, -1, 0, "1"},
    {FormulaOp::LessEqual, 1, 1, "1"},
    {FormulaOp::Greater, 1, 1, "0"},
    {FormulaOp::GreaterEqual, 0, 1, "0"},
    {FormulaOp::LogicalAnd, 2, 4, "1"},
    {FormulaOp::LogicalAnd, 2, 0, "0"},
    {FormulaOp::LogicalOr, 0, 7, "1"},
    {FormulaOp::LogicalOr, 0, 0, "0"},
};

TEST(IsaFormula, IntegersNeverWrap) {
  for (const IntegerCase& c : kIntegers) {
    EXPECT_EQ(value_of(c.op, c.a, c.b), c.value) << operator_info(c.op)->text << c.a << " " << c.b;
  }
}

// a == (a / b) * b + a % b, and the remainder has the sign of the divisor.
TEST(IsaFormula, DivisionAndModuloBelongTogether) {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -6; b <= 6; ++b) {
      if (b == 0) continue;
      const Number operands[] = {Number::of(a), Number::of(b)};
      const std::int64_t quotient = apply(FormulaOp::Divide, operands)->integer;
      const std::int64_t rest = apply(FormulaOp::Modulo, operands)->integer;
      EXPECT_EQ(quotient * b + rest, a);
      EXPECT_TRUE(b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b) << a << " " << b;
    }
  }
}

TEST(IsaFormula, OneOperand) {
  EXPECT_EQ(value_of_unary(FormulaOp::Negate, 5), "-5");
  EXPECT_EQ(value_of_unary(FormulaOp::Negate, kLeast), kOverflow);
  EXPECT_EQ(value_of_unary(FormulaOp::Negate, 0.0), "-0.0");
  EXPECT_EQ(value_of_unary(FormulaOp::Absolute, -5), "5");
  EXPECT_EQ(value_of_unary(FormulaOp::Absolute, kLeast), kOverflow);
  EXPECT_EQ(value_of_unary(FormulaOp::Absolute, -2.5), "2.5");
  EXPECT_EQ(value_of_unary(FormulaOp::Not, 0), "1");
  EXPECT_EQ(value_of_unary(FormulaOp::Not, 0.5), "0");
  EXPECT_EQ(value_of_unary(FormulaOp::BitNot, 5), "-6");
  EXPECT_EQ(value_of_unary(FormulaOp::BitNot, 5.0), "'~' works on integers; int(...) converts");
  EXPECT_EQ(value_of_unary(FormulaOp::ToFloat, 3), "3.0");
  EXPECT_EQ(value_of_unary(FormulaOp::SquareRoot, 9), "3.0");
  EXPECT_TRUE(value_of_unary(FormulaOp::SquareRoot, -1).find("nan") != std::string::npos);
}

TEST(IsaFormula, FloatsAreCutToIntegers) {
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, 2.9), "2");
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, -2.9), "-2");
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, 7), "7");
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, -9223372036854775808.0), "-9223372036854775808");
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, 9223372036854775808.0), kOverflow);
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, -9223372036854777856.0), kOverflow);
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, std::nan("")), kOverflow);
  EXPECT_EQ(value_of_unary(FormulaOp::ToInt, HUGE_VAL), kOverflow);
}

TEST(IsaFormula, OneFloatMakesTheOperationOne) {
  EXPECT_EQ(value_of(FormulaOp::Add, std::int64_t{1}, 0.5), "1.5");
  EXPECT_EQ(value_of(FormulaOp::Subtract, 0.5, std::int64_t{1}), "-0.5");
  EXPECT_EQ(value_of(FormulaOp::Multiply, 0.5, std::int64_t{4}), "2.0");
  EXPECT_EQ(value_of(FormulaOp::Divide, std::int64_t{-7}, 2.0), "-3.5");
  EXPECT_EQ(value_of(FormulaOp::Divide, std::int64_t{1}, 0.0), "inf");
  EXPECT_EQ(value_of(FormulaOp::Minimum, std::int64_t{1}, 0.5), "0.5");
  EXPECT_EQ(value_of(FormulaOp::Maximum, std::int64_t{1}, 0.5), "1.0");
  EXPECT_EQ(value_of(FormulaOp::Equal, std::int64_t{1}, 1.0), "1");
  EXPECT_EQ(value_of(FormulaOp::Less, 0.5, std::int64_t{1}), "1");
  EXPECT_EQ(value_of(FormulaOp::LogicalAnd, 0.5, std::int64_t{1}), "1");
  for (const FormulaOp op : {FormulaOp::Modulo, FormulaOp::ShiftLeft, FormulaOp::BitAnd}) {
    EXPECT_EQ(value_of(op, std::int64_t{7}, 2.0), "'" + std::string(operator_info(op)->text) +
                                                      "' works on integers; int(...) converts");
  }
}

TEST(IsaFormula, NanIsUnequalToEverything) {
  const double nan = std::nan("");
  EXPECT_EQ(value_of(FormulaOp::Equal, nan, nan), "0");
  EXPECT_EQ(value_of(FormulaOp::NotEqual, nan, nan), "1");
  EXPECT_EQ(value_of(FormulaOp::Less, nan, 1.0), "0");
  EXPECT_EQ(value_of(FormulaOp::GreaterEqual, nan, 1.0), "0");
}

// ---- variables, choices

TEST(IsaFormula, VariablesComeFromThePlace) {
  const Number parameters[] = {Number::of(std::int64_t{10}), Number::of(0.25)};
  const Number globals[] = {Number::of(std::int64_t{-7})};
  const FormulaPlace place{1, 2, 30, 40, 5, parameters, globals};
  EXPECT_EQ(value_of(x(), place), "1");
  EXPECT_EQ(value_of(y(), place), "2");
  EXPECT_EQ(value_of(variable(FormulaOp::Width), place), "30");
  EXPECT_EQ(value_of(variable(FormulaOp::Height), place), "40");
  EXPECT_EQ(value_of(i(), place), "5");
  EXPECT_EQ(value_of(variable(FormulaOp::Parameter, 1), place), "0.25");
  EXPECT_EQ(value_of(variable(FormulaOp::Global, 0), place), "-7");
  EXPECT_EQ(value_of(variable(FormulaOp::Parameter, 2), place), "a parameter has no value here");
  EXPECT_EQ(value_of(Formula{}), "an empty formula");
}

TEST(IsaFormula, OnlyTheChosenSideIsComputed) {
  const Formula bad = join(FormulaOp::Divide, {number(1), number(0)});
  const Formula choice = join(FormulaOp::Select, {x(), number(11), bad});
  EXPECT_EQ(value_of(choice, {.x = 1, .parameters = {}, .globals = {}}), "11");
  EXPECT_EQ(value_of(choice, {.x = 0, .parameters = {}, .globals = {}}), kByZero);
  EXPECT_EQ(value_of(join(FormulaOp::Select, {bad, number(1), number(2)})), kByZero);
  EXPECT_EQ(value_of(join(FormulaOp::Select, {number(0.0), number(1), number(2.5)})), "2.5");
}

TEST(IsaFormula, KnowsWhatItUses) {
  const Formula formula = join(FormulaOp::Add, {x(), join(FormulaOp::Negate, {i()})});
  EXPECT_TRUE(uses(formula, FormulaOp::X));
  EXPECT_TRUE(uses(formula, FormulaOp::I));
  EXPECT_FALSE(uses(formula, FormulaOp::Y));
  EXPECT_TRUE(number(3).is_constant());
  EXPECT_FALSE(x().is_constant());
  EXPECT_FALSE(formula.is_constant());
}

TEST(IsaFormula, NumbersAreEqualByKindAndBits) {
  EXPECT_FALSE(Number::of(std::int64_t{1}) == Number::of(1.0));
  EXPECT_FALSE(Number::of(0.0) == Number::of(-0.0));
  EXPECT_TRUE(Number::of(std::nan("")) == Number::of(std::nan("")));
}

// ---- as 32 bits

std::string bits_of(const Number& value, Type type) {
  const Result<std::uint32_t> bits = to_bits(value, type);
  return bits ? std::to_string(*bits) : bits.error();
}

std::string bits_of(std::int64_t value, Type type) { return bits_of(Number::of(value), type); }

TEST(IsaFormula, IntegersMustFitTheirType) {
  EXPECT_EQ(bits_of(2147483647, Type::I32), "2147483647");
  EXPECT_EQ(bits_of(2147483648, Type::I32), "2147483648 does not fit into i32");
  EXPECT_EQ(bits_of(-2147483648LL, Type::I32), "2147483648");
  EXPECT_EQ(bits_of(-2147483649LL, Type::I32), "-2147483649 does not fit into i32");
  EXPECT_EQ(bits_of(4294967295, Type::U32), "4294967295");
  EXPECT_EQ(bits_of(4294967296, Type::U32), "4294967296 does not fit into u32");
  EXPECT_EQ(bits_of(-1, Type::U32), "-1 does not fit into u32");
  EXPECT_EQ(bits_of(255, Type::Colour), "255");
  EXPECT_EQ(bits_of(256, Type::Colour), "256 does not fit into colour");
  EXPECT_EQ(bits_of(-1, Type::Colour), "-1 does not fit into colour");
  EXPECT_EQ(bits_of(Number::of(1.0), Type::I32),
            "1.0 is a float, but i32 is needed; int(...) converts");
}

TEST(IsaFormula, FloatsAreRoundedOnce) {
  const auto f32 = [](const Number& value) { return *to_bits(value, Type::F32); };
  EXPECT_EQ(f32(Number::of(1.0)), 0x3f800000u);
  EXPECT_EQ(f32(Number::of(-0.0)), 0x80000000u);
  EXPECT_EQ(f32(Number::of(std::int64_t{16777217})), 0x4b800000u);
  EXPECT_EQ(f32(Number::of(std::int64_t{16777219})), 0x4b800002u);
  EXPECT_EQ(f32(Number::of(1.0 + 1.0 / (1 << 24))), 0x3f800000u);
  EXPECT_EQ(f32(Number::of(1e39)), 0x7f800000u);
  EXPECT_EQ(f32(Number::of(-1e39)), 0xff800000u);
  EXPECT_EQ(f32(Number::of(1e-45)), 0x00000001u);
  EXPECT_EQ(f32(Number::of(-std::nan(""))), 0x7fc00000u);
  // 2^53 + 2^29 + 1, just above the middle of two f32; as a double it would lie in the middle.
  EXPECT_EQ(f32(Number::of(std::int64_t{9007199791611905})), 0x5a000001u);
}

TEST(IsaFormula, SixteenBits) {
  EXPECT_EQ(bits_of(32767, Type::I16), "32767");
  EXPECT_EQ(bits_of(32768, Type::I16), "32768 does not fit into i16");
  EXPECT_EQ(bits_of(-1, Type::I16), "65535");
  EXPECT_EQ(bits_of(-32769, Type::I16), "-32769 does not fit into i16");
  EXPECT_EQ(bits_of(65535, Type::U16), "65535");
  EXPECT_EQ(bits_of(-1, Type::U16), "-1 does not fit into u16");
  EXPECT_EQ(bits_of(Number::of(1.0), Type::F16), "15360");
  EXPECT_EQ(bits_of(3, Type::F16), "16896");
  EXPECT_EQ(bits_of(Number::of(1e9), Type::F16), "31744");
  EXPECT_EQ(bits_of(Number::of(-std::nan("")), Type::F16), "32256");
  // Just above the middle of two f16; as an f32 it would lie in the middle.
  EXPECT_EQ(bits_of(Number::of(1.0 + 1.0 / 2048 + 1e-12), Type::F16), "15361");
  EXPECT_EQ(from_bits(0xffffffff, Type::I16), Number::of(std::int64_t{-1}));
  EXPECT_EQ(from_bits(0xffffffff, Type::U16), Number::of(std::int64_t{65535}));
  EXPECT_EQ(from_bits(0x3800, Type::F16), Number::of(0.5));
}

TEST(IsaFormula, BitsComeBackAsNumbers) {
  EXPECT_EQ(from_bits(0xffffffff, Type::I32), Number::of(std::int64_t{-1}));
  EXPECT_EQ(from_bits(0xffffffff, Type::U32), Number::of(std::int64_t{4294967295}));
  EXPECT_EQ(from_bits(0x3f000000, Type::F32), Number::of(0.5));
  EXPECT_EQ(from_bits(23, Type::Colour), Number::of(std::int64_t{23}));
  for (const Type type : {Type::I32, Type::U32, Type::F32}) {
    for (const std::uint32_t bits : {0u, 1u, 0x7f7fffffu, 0x80000000u, 0xff800000u}) {
      EXPECT_EQ(*to_bits(from_bits(bits, type), type), bits);
    }
  }
}

// ---- check()

std::string check_text(const Formula& formula) {
  const Status status = check(formula, 2, 1);
  return status ? "fine" : status.error();
}

Formula nested(std::size_t depth) {
  Formula formula = x();
  while (formula.nodes.size() < depth) formula = join(FormulaOp::Negate, {formula});
  return formula;
}

TEST(IsaFormula, NestingIsBounded) {
  EXPECT_EQ(check_text(nested(kFormulaDepth)), "fine");
  EXPECT_EQ(check_text(nested(kFormulaDepth + 1)), "a formula is nested too deeply");
  Formula wide = number(0);
  for (int k = 0; k < 150; ++k) wide = join(FormulaOp::Add, {wide, number(k)});
  EXPECT_EQ(check_text(wide), "fine");
}

TEST(IsaFormula, ParametersMustExist) {
  EXPECT_EQ(check_text({}), "an empty formula");
  EXPECT_EQ(check_text(variable(FormulaOp::Parameter, 1)), "fine");
  EXPECT_EQ(check_text(variable(FormulaOp::Global, 0)), "fine");
  for (const Formula& formula :
       {variable(FormulaOp::Parameter, 2), variable(FormulaOp::Global, 1)}) {
    EXPECT_EQ(check_text(formula), "a formula names a parameter that does not exist");
  }
}

// Each would make evaluation endless, exponential or undefined.
TEST(IsaFormula, OnlyTreesInPostOrderPass) {
  constexpr const char* kNoTree = "a formula is no tree";
  Formula itself = join(FormulaOp::Negate, {x()});
  itself.nodes[1].operand[0] = 1;
  EXPECT_EQ(check_text(itself), kNoTree);
  Formula ahead = join(FormulaOp::Negate, {x()});
  ahead.nodes[1].operand[0] = 77;
  EXPECT_EQ(check_text(ahead), kNoTree);
  Formula alone = join(FormulaOp::Add, {x(), y()});
  alone.nodes.erase(alone.nodes.begin());
  EXPECT_EQ(check_text(alone), kNoTree);
  Formula swapped = join(FormulaOp::Add, {x(), y()});
  std::swap(swapped.nodes[2].operand[0], swapped.nodes[2].operand[1]);
  EXPECT_EQ(check_text(swapped), kNoTree);
  Formula unused = x();
  unused.nodes.push_back(y().nodes[0]);
  EXPECT_EQ(check_text(unused), kNoTree);
  Formula doubling = x();  // each node adds the one before to itself: 2^60 steps
  for (std::uint32_t k = 0; k < 60; ++k) {
    doubling.nodes.push_back({FormulaOp::Add, 0, {k, k, 0}, {}});
  }
  EXPECT_EQ(check_text(doubling), kNoTree);
}

}  // namespace
}  // namespace wse::isa
