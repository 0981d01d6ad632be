// Expressions: precedence, folding, and the property that the text of a formula gives the same
// nodes again.
#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using isa::Formula;
using isa::FormulaNode;
using isa::FormulaOp;
using isa::Number;

constexpr std::string_view kHead =
    ".grid 4, 4\n.param g0: i32 = 3\n.param g1: f32 = 0.5\n"
    ".program p(p0: i32 = 1, p1: f32 = 2)\n";

const std::vector<std::string> kParameters = {"p0", "p1"};
const std::vector<std::string> kGlobals = {"g0", "g1"};

Formula parse(const std::string& text) {
  const Output output =
      assemble_text(std::string(kHead) + "  .f32 v = " + text + "\n  task main:\n");
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return output.image ? *output.image->programs[0].symbols[0].initial : Formula{};
}

Number value(const std::string& text) {
  const Formula formula = parse(text);
  EXPECT_TRUE(formula.is_constant()) << text;
  return formula.nodes.empty() ? Number{} : formula.nodes[0].constant;
}

TEST(Formula, BindsAsTheTableSays) {
  EXPECT_EQ(value("1 + 2 * 3"), Number::of(std::int64_t{7}));
  EXPECT_EQ(value("10 - 4 - 3"), Number::of(std::int64_t{3}));
  EXPECT_EQ(value("-7 / 2"), Number::of(std::int64_t{-4}));
  EXPECT_EQ(value("-7 % 4"), Number::of(std::int64_t{1}));
  EXPECT_EQ(value("1 << 2 + 1"), Number::of(std::int64_t{8}));
  EXPECT_EQ(value("6 & 3 == 3"), Number::of(std::int64_t{0}));
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), Number::of(std::int64_t{3}));
  EXPECT_EQ(value("!0 && ~0 == -1"), Number::of(std::int64_t{1}));
  EXPECT_EQ(value("0x10 + 0b11"), Number::of(std::int64_t{19}));
  EXPECT_EQ(value("max(2, min(7, 5)) + abs(-3) + int(2.9)"), Number::of(std::int64_t{10}));
  EXPECT_EQ(value("sqrt(float(16))"), Number::of(4.0));
  EXPECT_EQ(value("-9223372036854775808"), Number::of(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(value("1 / 2.0"), Number::of(0.5));
}

TEST(Formula, FoldsOnlyWhatIsConstant) {
  EXPECT_EQ(parse("x + (2 * 3)").nodes.size(), 3u);
  EXPECT_EQ(parse("x + 2 * 3").nodes.size(), 3u);
  EXPECT_EQ(parse("x + 2 + 3").nodes.size(), 5u);
  EXPECT_EQ(parse("1 ? x : 1 / 0").nodes.size(), 1u);
}

class FormulaMaker {
 public:
  explicit FormulaMaker(unsigned seed) : random_(seed) {}

  Formula make(int depth) {
    Formula formula;
    add(formula, depth, false);
    return formula;
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  Number number() {
    using Limits = std::numeric_limits<std::int64_t>;
    constexpr std::int64_t kIntegers[] = {0, 1, 2, -1, 255, Limits::min(), Limits::max()};
    const double reals[] = {0.0,
                            -0.0,
                            1.5,
                            -2.5e-7,
                            1e300,
                            5e-324,
                            1e22,
                            1.0,
                            INFINITY,
                            -INFINITY,
                            std::numeric_limits<double>::quiet_NaN()};
    if (below(2) == 0) return Number::of(kIntegers[below(std::size(kIntegers))]);
    return Number::of(reals[below(std::size(reals))]);
  }

  void add_leaf(Formula& formula, bool variable) {
    FormulaNode node;
    if (!variable && below(3) == 0) {
      node.constant = number();
    } else {
      node.op = static_cast<FormulaOp>(1 + below(static_cast<unsigned>(FormulaOp::Global)));
      const bool indexed = node.op == FormulaOp::Parameter || node.op == FormulaOp::Global;
      if (indexed) node.index = below(2);
    }
    formula.nodes.push_back(node);
  }

  // A subtree without anything to fold; `variable`: it must not be a constant.
  void add(Formula& formula, int depth, bool variable) {
    if (depth == 0 || below(5) == 0) return add_leaf(formula, variable);
    constexpr auto kFirst = static_cast<unsigned>(FormulaOp::Global) + 1;
    constexpr auto kCount = static_cast<unsigned>(FormulaOp::SquareRoot) - kFirst + 1;
    FormulaNode node;
    node.op = static_cast<FormulaOp>(kFirst + below(kCount));
    const unsigned operands = isa::operator_info(node.op)->operands;
    // A constant there would be decided when the text is read again.
    const bool lazy = node.op == FormulaOp::Select || node.op == FormulaOp::LogicalAnd ||
                      node.op == FormulaOp::LogicalOr;
    const unsigned forced = lazy ? 0 : below(operands);
    for (unsigned k = 0; k < operands; ++k) {
      add(formula, depth - 1, k == forced);
      node.operand[k] = static_cast<std::uint32_t>(formula.nodes.size() - 1);
    }
    formula.nodes.push_back(node);
  }

  std::mt19937 random_;
};

TEST(Formula, ItsTextGivesTheSameNodes) {
  FormulaMaker maker(20);
  std::vector<Formula> formulas;
  std::string source(kHead);
  for (int k = 0; k < 3000; ++k) {
    formulas.push_back(maker.make(1 + k % 7));
    source += "  .f32 s" + std::to_string(k) + " = " +
              isa::to_text(formulas.back(), kParameters, kGlobals) + "\n";
  }
  const Output output = assemble_text(source + "  task main:\n");
  ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    EXPECT_EQ(*output.image->programs[0].symbols[k].initial, formulas[k])
        << isa::to_text(formulas[k], kParameters, kGlobals);
  }
}

Formula deep_formula(std::size_t depth) {
  Formula formula;
  FormulaNode leaf;
  leaf.op = FormulaOp::X;
  formula.nodes.push_back(leaf);
  for (std::uint32_t k = 1; k < depth; ++k) {
    FormulaNode node;
    node.op = k % 2 == 0 ? FormulaOp::Negate : FormulaOp::Not;
    node.operand[0] = k - 1;
    formula.nodes.push_back(node);
  }
  return formula;
}

TEST(Formula, CanBeAsDeepAsTheImageAllows) {
  const Formula deepest = deep_formula(isa::kFormulaDepth);
  EXPECT_EQ(parse(isa::to_text(deepest, {}, {})), deepest);
  const std::string deeper = isa::to_text(deep_formula(isa::kFormulaDepth + 1), {}, {});
  EXPECT_NE(
      errors_of(std::string(kHead) + "  .f32 v = " + deeper + "\n  task main:\n").find("E016"),
      std::string::npos);
}

}  // namespace
}  // namespace wse::assembler
