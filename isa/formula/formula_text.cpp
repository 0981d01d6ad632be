// Formulas as text: as few parentheses as possible, and always text that parses to the same nodes.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "isa/formula/formula.h"
#include "isa/semantics/half.h"

namespace wse::isa {
namespace {

constexpr OperatorInfo kOperators[] = {
#define OPERATOR(name, text, precedence, operands) {text, precedence, operands},
#include "isa/formula/formula_ops.def"
#undef OPERATOR
};

constexpr int kPrimary = 100;  // precedence of names, numbers and calls

std::string real_text(const std::string& text) {
  const bool plain = text.find_first_of(".en") == std::string::npos;
  return plain ? text + ".0" : text;
}

class Printer {
 public:
  Printer(const Formula& formula, std::span<const std::string> parameters,
          std::span<const std::string> globals)
      : nodes_(formula.nodes), parameters_(parameters), globals_(globals) {}

  // The text of a node, in parentheses if it binds less tightly than `least`.
  std::string at(std::size_t index, int least) const {
    const FormulaNode& node = nodes_[index];
    const int precedence = precedence_of(node);
    const std::string text = plain(node, precedence);
    return precedence < least ? "(" + text + ")" : text;
  }

 private:
  static int precedence_of(const FormulaNode& node) {
    const OperatorInfo* op = operator_info(node.op);
    if (op != nullptr) return op->precedence == 0 ? kPrimary : op->precedence;
    const Number& value = node.constant;
    const bool minus = value.is_float ? std::signbit(value.real) : value.integer < 0;
    return node.op == FormulaOp::Constant && minus ? operator_info(FormulaOp::Negate)->precedence
                                                   : kPrimary;
  }
  std::string plain(const FormulaNode& node, int precedence) const {
    const OperatorInfo* op = operator_info(node.op);
    if (op == nullptr) return leaf(node);
    if (op->precedence == 0) {
      std::string arguments = at(node.operand[0], 0);
      if (op->operands == 2) arguments += ", " + at(node.operand[1], 0);
      return fmt::format("{}({})", op->text, arguments);
    }
    if (node.op == FormulaOp::Select) {
      return fmt::format("{} ? {} : {}", at(node.operand[0], precedence + 1),
                         at(node.operand[1], 0), at(node.operand[2], precedence));
    }
    if (op->operands == 1) return fmt::format("{}{}", op->text, at(node.operand[0], kPrimary));
    return fmt::format("{} {} {}", at(node.operand[0], precedence), op->text,
                       at(node.operand[1], precedence + 1));
  }
  std::string leaf(const FormulaNode& node) const {
    switch (node.op) {
      case FormulaOp::Constant: return to_text(node.constant);
      case FormulaOp::Parameter: return parameters_[node.index];
      case FormulaOp::Global: return globals_[node.index];
      default: return std::string(variable_text(node.op));
    }
  }

  const std::vector<FormulaNode>& nodes_;
  std::span<const std::string> parameters_;
  std::span<const std::string> globals_;
};

}  // namespace

const OperatorInfo* operator_info(FormulaOp op) {
  const int first = static_cast<int>(FormulaOp::Global) + 1;
  const int index = static_cast<int>(op) - first;
  return index < 0 ? nullptr : &kOperators[index];
}

std::string_view variable_text(FormulaOp op) {
  switch (op) {
    case FormulaOp::X: return "x";
    case FormulaOp::Y: return "y";
    case FormulaOp::Width: return "width";
    case FormulaOp::Height: return "height";
    case FormulaOp::I: return "i";
    default: return {};
  }
}

std::string to_text(const Number& number) {
  return number.is_float ? real_text(fmt::format("{}", number.real))
                         : fmt::format("{}", number.integer);
}

double shortest_half(std::uint32_t bits) {
  const auto exact = static_cast<double>(semantics::canonical_half_value(bits));
  if (!std::isfinite(exact)) return exact;
  for (int digits = 0; digits < 4; ++digits) {  // five digits tell all f16 apart
    const double number = std::strtod(fmt::format("{:.{}e}", exact, digits).c_str(), nullptr);
    if (semantics::half_bits(number) == (bits & 0xffffu)) return number;
  }
  return std::strtod(fmt::format("{:.4e}", exact).c_str(), nullptr);
}

std::string float_text(float value) { return real_text(fmt::format("{}", value)); }

std::string to_text(const Formula& formula, std::span<const std::string> parameters,
                    std::span<const std::string> globals) {
  return Printer(formula, parameters, globals).at(formula.nodes.size() - 1, 0);
}

}  // namespace wse::isa
