// Formulas: expressions over x, y, width, height, i and parameters that an image keeps as trees.
//
// A parameter or an initial element that differs from PE to PE is stored as one formula, not as
// hundreds of thousands of values. Integers are 64-bit and never wrap: overflow is an error. `/`
// and `%` of integers round towards minus infinity; an operation with a float operand is one of
// doubles.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction/types.h"
#include "isa/support/limits.h"
#include "isa/support/result.h"

namespace wse::isa {

struct Number {
  bool is_float = false;
  std::int64_t integer = 0;
  double real = 0;

  static Number of(std::int64_t value) { return {false, value, 0}; }
  static Number of(double value) { return {true, 0, value}; }
  double as_double() const { return is_float ? real : static_cast<double>(integer); }
  bool truth() const { return is_float ? real != 0 : integer != 0; }
  bool operator==(const Number& other) const;  // same kind and same bits
};

enum class FormulaOp : std::uint8_t {
  Constant,
  X,
  Y,
  Width,
  Height,
  I,          // the element's index
  Parameter,  // of the program; `index`
  Global,     // parameter of the image; `index`
#define OPERATOR(name, text, precedence, operands) name,
#include "isa/formula/formula_ops.def"
#undef OPERATOR
};

struct FormulaNode {
  FormulaOp op = FormulaOp::Constant;
  std::uint32_t index = 0;
  std::uint32_t operand[3] = {0, 0, 0};  // indices of earlier nodes
  Number constant;

  bool operator==(const FormulaNode&) const = default;
};

// Nodes in post-order; the last one is the root. Never empty in a verified image.
struct Formula {
  std::vector<FormulaNode> nodes;

  static Formula of(Number constant);
  bool is_constant() const { return nodes.size() == 1 && nodes[0].op == FormulaOp::Constant; }
  bool operator==(const Formula&) const = default;
};

// Where a formula is evaluated. The spans may be empty where the formula has no such variable.
struct FormulaPlace {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t i = 0;
  std::span<const Number> parameters;
  std::span<const Number> globals;
};

// The value, or why there is none: overflow, division by zero, a float where an integer must be.
Result<Number> evaluate(const Formula& formula, const FormulaPlace& place);

// One operator on constants; `operands` as many as the operator has. Used to fold constants.
Result<Number> apply(FormulaOp op, std::span<const Number> operands);

// The bits that a value has as a `type`, 16 of them zero-extended; an error if it is out of range
// or of the wrong kind.
Result<std::uint32_t> to_bits(const Number& number, Type type);
Number from_bits(std::uint32_t bits, Type type);

// Text that parses to the same nodes. `parameters` and `globals` are the names to print.
std::string to_text(const Formula& formula, std::span<const std::string> parameters,
                    std::span<const std::string> globals);
std::string to_text(const Number& number);
std::string float_text(float value);  // shortest text that reads back as the same f32

// The number with the fewest digits that rounds to this f16.
double shortest_half(std::uint32_t bits);

// Checks the tree: post-order, no node used twice or not at all (so that no formula takes more
// steps than it has nodes), depth, indices of parameters and globals.
Status check(const Formula& formula, std::size_t parameters, std::size_t globals);

bool uses(const Formula& formula, FormulaOp variable);

struct OperatorInfo {
  std::string_view text;
  int precedence;  // 0: a function
  unsigned operands;
};
const OperatorInfo* operator_info(FormulaOp op);  // nullptr for constants and variables
std::string_view variable_text(FormulaOp op);     // "x", "width" ...; empty for the others

}  // namespace wse::isa
