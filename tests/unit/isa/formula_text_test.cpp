// Formulas as text: as few parentheses as C needs, and none fewer.
// tests/unit/asm/formula_test.cpp proves that the text reads back as the same formula.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "isa/formula/formula.h"

namespace wse::isa {
namespace {

// Builds a formula from reverse Polish words: "x y + 2 *".
class Builder {
 public:
  Formula build(const std::string& polish) {
    std::size_t begin = 0;
    while (begin < polish.size()) {
      const std::size_t end = std::min(polish.find(' ', begin), polish.size());
      push(polish.substr(begin, end - begin));
      begin = end + 1;
    }
    return formula_;
  }

 private:
  void push(const std::string& word) {
    FormulaNode node;
    for (int k = 0; k <= static_cast<int>(FormulaOp::SquareRoot); ++k) {
      const auto op = static_cast<FormulaOp>(k);
      const OperatorInfo* info = operator_info(op);
      const bool minus = op == FormulaOp::Subtract || op == FormulaOp::Negate;
      const bool named = minus ? word == (op == FormulaOp::Negate ? "neg" : "-")
                               : info != nullptr && word == info->text;
      if (info != nullptr && named) return push_operator(op, info->operands);
      if (info == nullptr && word == variable_text(op)) return push_variable(op, 0);
    }
    if (word[0] == 'p') return push_variable(FormulaOp::Parameter, word[1] - '0');
    if (word[0] == 'g') return push_variable(FormulaOp::Global, word[1] - '0');
    const bool real = word.find('.') != std::string::npos;
    node.constant = real ? Number::of(std::stod(word)) : Number::of(std::int64_t{std::stoll(word)});
    push_node(node);
  }
  void push_variable(FormulaOp op, int index) {
    FormulaNode node;
    node.op = op;
    node.index = static_cast<std::uint32_t>(index);
    push_node(node);
  }
  void push_operator(FormulaOp op, unsigned operands) {
    FormulaNode node;
    node.op = op;
    for (unsigned k = 0; k < operands; ++k) {
      node.operand[k] = open_[open_.size() - operands + k];
    }
    open_.resize(open_.size() - operands);
    push_node(node);
  }
  void push_node(const FormulaNode& node) {
    open_.push_back(static_cast<std::uint32_t>(formula_.nodes.size()));
    formula_.nodes.push_back(node);
  }

  Formula formula_;
  std::vector<std::uint32_t> open_;
};

std::string text_of(const std::string& polish) {
  const std::string parameters[] = {"a", "b"};
  const std::string globals[] = {"N"};
  const Formula formula = Builder().build(polish);
  const Status status = check(formula, 2, 1);
  EXPECT_TRUE(status) << polish << ": " << status.error();
  return to_text(formula, parameters, globals);
}

TEST(IsaFormulaText, Leaves) {
  EXPECT_EQ(text_of("x"), "x");
  EXPECT_EQ(text_of("width"), "width");
  EXPECT_EQ(text_of("p1"), "b");
  EXPECT_EQ(text_of("g0"), "N");
  EXPECT_EQ(text_of("42"), "42");
  EXPECT_EQ(text_of("-42"), "-42");
}

TEST(IsaFormulaText, ParenthesesOnlyWhereTheyMatter) {
  EXPECT_EQ(text_of("x y + i +"), "x + y + i");
  EXPECT_EQ(text_of("x y i + +"), "x + (y + i)");
  EXPECT_EQ(text_of("x y - i -"), "x - y - i");
  EXPECT_EQ(text_of("x y i - -"), "x - (y - i)");
  EXPECT_EQ(text_of("x y * i +"), "x * y + i");
  EXPECT_EQ(text_of("x y i + *"), "x * (y + i)");
  EXPECT_EQ(text_of("x y / i /"), "x / y / i");
  EXPECT_EQ(text_of("x y i / /"), "x / (y / i)");
}

TEST(IsaFormulaText, Comparisons) {
  EXPECT_EQ(text_of("x 2 % 0 =="), "x % 2 == 0");
  EXPECT_EQ(text_of("x y < i <"), "x < y < i");
  EXPECT_EQ(text_of("x y i < <"), "x < (y < i)");
  EXPECT_EQ(text_of("x y & 0 =="), "(x & y) == 0");
  EXPECT_EQ(text_of("x y == 1 &"), "x == y & 1");
  EXPECT_EQ(text_of("x y && i ||"), "x && y || i");
  EXPECT_EQ(text_of("x y i || &&"), "x && (y || i)");
  EXPECT_EQ(text_of("1 x << 1 -"), "(1 << x) - 1");
  EXPECT_EQ(text_of("1 x 1 - <<"), "1 << x - 1");
}

TEST(IsaFormulaText, OneOperand) {
  EXPECT_EQ(text_of("x neg"), "-x");
  EXPECT_EQ(text_of("x neg neg"), "-(-x)");
  EXPECT_EQ(text_of("x y + neg"), "-(x + y)");
  EXPECT_EQ(text_of("x neg y *"), "-x * y");
  EXPECT_EQ(text_of("x y neg *"), "x * -y");
  EXPECT_EQ(text_of("x ! y &&"), "!x && y");
  EXPECT_EQ(text_of("x y && !"), "!(x && y)");
  EXPECT_EQ(text_of("x ~"), "~x");
  EXPECT_EQ(text_of("x -1 -"), "x - -1");
  EXPECT_EQ(text_of("-1 neg"), "-(-1)");
}

TEST(IsaFormulaText, Choices) {
  EXPECT_EQ(text_of("x 1 2 ?"), "x ? 1 : 2");
  EXPECT_EQ(text_of("x 1 y 2 3 ? ?"), "x ? 1 : y ? 2 : 3");
  EXPECT_EQ(text_of("x y 1 2 ? 3 ?"), "x ? y ? 1 : 2 : 3");
  EXPECT_EQ(text_of("x y i ? 1 2 ?"), "(x ? y : i) ? 1 : 2");
  EXPECT_EQ(text_of("x 1 2 ? 3 +"), "(x ? 1 : 2) + 3");
  EXPECT_EQ(text_of("3 x 1 2 ? +"), "3 + (x ? 1 : 2)");
}

TEST(IsaFormulaText, Functions) {
  EXPECT_EQ(text_of("x y 1 + min"), "min(x, y + 1)");
  EXPECT_EQ(text_of("x y max 2 *"), "max(x, y) * 2");
  EXPECT_EQ(text_of("x y - abs"), "abs(x - y)");
  EXPECT_EQ(text_of("x sqrt int"), "int(sqrt(x))");
  EXPECT_EQ(text_of("x float neg"), "-float(x)");
  EXPECT_EQ(text_of("x 1 2 ? y max"), "max(x ? 1 : 2, y)");
}

TEST(IsaFormulaText, FloatsAreRecognisable) {
  EXPECT_EQ(to_text(Number::of(1.0)), "1.0");
  EXPECT_EQ(to_text(Number::of(-0.0)), "-0.0");
  EXPECT_EQ(to_text(Number::of(0.1)), "0.1");
  EXPECT_EQ(to_text(Number::of(1e30)), "1e+30");
  EXPECT_EQ(to_text(Number::of(HUGE_VAL)), "inf");
  EXPECT_EQ(to_text(Number::of(std::int64_t{-3})), "-3");
  EXPECT_EQ(float_text(0.1F), "0.1");
  EXPECT_EQ(float_text(16777216.0F), "16777216.0");
  EXPECT_EQ(float_text(1e-45F), "1e-45");
}

TEST(IsaFormulaText, FloatTextReadsBackAsTheSameBits) {
  for (std::uint64_t step = 0; step < 100'000; ++step) {
    const auto bits = static_cast<std::uint32_t>(step * 42'949'673);
    const float value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) continue;
    const std::string text = float_text(value);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)), bits) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace wse::isa
