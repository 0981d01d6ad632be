// Rows of elements against evaluate(), element by element, on random formulas.
#include "isa/formula/formula_row.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/support/random.h"

namespace wse::isa {
namespace {

constexpr std::uint32_t kElements = 150;  // more than one row, the second one not full
constexpr Type kTypes[] = {Type::I32, Type::U32, Type::I16, Type::U16, Type::F32, Type::F16};

class RandomFormulas {
 public:
  explicit RandomFormulas(std::uint32_t seed) : random_(seed) {}

  Formula next() {
    nodes_.clear();
    add(3);
    return {nodes_};
  }

 private:
  std::uint32_t add(std::uint32_t depth) {
    const bool leaf = depth == 0 || random_.one_in(4);
    FormulaNode node = leaf ? a_leaf() : node_of(an_operator());
    if (!leaf) {
      const unsigned operands = operator_info(node.op)->operands;
      for (unsigned k = 0; k < operands; ++k) node.operand[k] = add(depth - 1);
    }
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  FormulaNode a_leaf() {
    switch (random_.below(7)) {
      case 0: return node_of(FormulaOp::X);
      case 1: return node_of(FormulaOp::Parameter, random_.below(2));
      case 2: return Formula::of(Number::of(0.25 * random_.below(99))).nodes[0];
      case 3: return Formula::of(Number::of(std::int64_t{random_.below(70)} - 35)).nodes[0];
      case 4: return Formula::of(Number::of(an_end_of_a_range())).nodes[0];
      default: return node_of(FormulaOp::I);
    }
  }
  // Where the elements of an array run out of their type, or of 64 bits.
  std::int64_t an_end_of_a_range() {
    constexpr std::int64_t kEnds[] = {
        std::int64_t{1} << 15, std::int64_t{1} << 16, std::int64_t{1} << 31,
        std::int64_t{1} << 32, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max()};
    const std::int64_t end = kEnds[random_.below(std::size(kEnds))];
    const std::int64_t inside = random_.below(kElements);
    return random_.one_in(2) ? -end + inside : end - 1 - inside;
  }
  static FormulaNode node_of(FormulaOp op, std::uint32_t index = 0) {
    FormulaNode node;
    node.op = op;
    node.index = index;
    return node;
  }
  FormulaOp an_operator() {
    constexpr auto kFirst = static_cast<std::uint32_t>(FormulaOp::Select);
    constexpr auto kLast = static_cast<std::uint32_t>(FormulaOp::SquareRoot);
    return static_cast<FormulaOp>(kFirst + random_.below(kLast - kFirst + 1));
  }

  test_support::Random random_;
  std::vector<FormulaNode> nodes_;
};

TEST(FormulaRow, GivesWhatEvaluateGives) {
  const Number parameters[] = {Number::of(std::int64_t{7}), Number::of(-1.5)};
  const FormulaPlace place{
      .x = 11, .y = 3, .width = 20, .height = 5, .parameters = parameters, .globals = {}};
  RandomFormulas formulas(1);
  FormulaRow row;
  int filled = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Formula formula = formulas.next();
    const Type type = kTypes[round % std::size(kTypes)];
    const std::size_t bytes = info(type).bytes;
    std::vector<std::byte> data(kElements * bytes);
    if (!row.fill(formula, place, type, kElements, data.data())) continue;
    ++filled;
    for (std::uint32_t i = 0; i < kElements; ++i) {
      FormulaPlace at = place;
      at.i = i;
      const Result<Number> value = evaluate(formula, at);
      ASSERT_TRUE(value) << to_text(formula, {}, {}) << " has no value for i = " << i;
      const Result<std::uint32_t> bits = to_bits(*value, type);
      ASSERT_TRUE(bits) << bits.error();
      std::uint32_t found = 0;
      std::memcpy(&found, data.data() + i * bytes, bytes);
      ASSERT_EQ(found, *bits) << "i = " << i << ", round " << round;
    }
  }
  EXPECT_GT(filled, 5'000);
}

}  // namespace
}  // namespace wse::isa
