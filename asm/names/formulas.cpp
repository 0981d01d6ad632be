// Resolves and folds. The depth of an expression is bounded by the parser, so recursion is too.
#include "asm/names/formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wse::assembler {
namespace {

using isa::FormulaNode;
using isa::FormulaOp;
using isa::Number;

FormulaNode constant_node(const Number& number) {
  FormulaNode node;
  node.constant = number;
  return node;
}

// `&&` after a zero, `||` after anything else: the right side does not matter.
bool decides(FormulaOp op, const Number& left) {
  return (op == FormulaOp::LogicalAnd && !left.truth()) ||
         (op == FormulaOp::LogicalOr && left.truth());
}

FormulaNode variable_node(FormulaOp op, std::uint32_t index = 0) {
  FormulaNode node;
  node.op = op;
  node.index = index;
  return node;
}

std::optional<FormulaOp> variable_named(std::string_view name) {
  for (int k = 0; k <= static_cast<int>(FormulaOp::Global); ++k) {
    const auto op = static_cast<FormulaOp>(k);
    if (!name.empty() && isa::variable_text(op) == name) return op;
  }
  return std::nullopt;
}

template <class Visit>
void for_each_function(Visit visit) {
  for (int k = 0; k <= static_cast<int>(FormulaOp::SquareRoot); ++k) {
    const auto op = static_cast<FormulaOp>(k);
    const isa::OperatorInfo* info = isa::operator_info(op);
    if (info != nullptr && info->precedence == 0) visit(op, *info);
  }
}

std::optional<FormulaOp> function_named(std::string_view name) {
  std::optional<FormulaOp> found;
  for_each_function([&](FormulaOp op, const isa::OperatorInfo& info) {
    if (info.text == name) found = op;
  });
  return found;
}

bool stands_before(const isa::SourceRange& a, const isa::SourceRange& b) {
  return a.file == b.file && (a.line < b.line || (a.line == b.line && a.column < b.column));
}

}  // namespace

std::optional<isa::Formula> FormulaBuilder::build(ExprId id) {
  isa::Formula formula;
  if (id == kNoExpr || !emit(id, formula.nodes)) return std::nullopt;
  return formula;
}

std::optional<Number> FormulaBuilder::constant(ExprId id) {
  const std::optional<isa::Formula> formula = build(id);
  if (!formula) return std::nullopt;
  return formula->nodes.back().constant;
}

std::optional<std::int64_t> FormulaBuilder::whole(ExprId id, std::string_view what,
                                                  std::int64_t least, std::int64_t most) {
  const std::optional<Number> number = constant(id);
  if (!number) return std::nullopt;
  if (!number->is_float && number->integer >= least && number->integer <= most) {
    return number->integer;
  }
  reporter_.report(Problem::NotInRange, unit_[id].where, what, least, most, isa::to_text(*number));
  return std::nullopt;
}

bool FormulaBuilder::emit(ExprId id, Nodes& out) {
  const Expr& expr = unit_[id];
  switch (expr.kind) {
    case ExprKind::Number: out.push_back(constant_node(unit_.number(expr))); return true;
    case ExprKind::Name: return emit_name(expr, out);
    case ExprKind::Call: return emit_call(expr, out);
    case ExprKind::Operator:
      return emit_operation(expr, expr.op, std::span(expr.child, expr.count), out);
    case ExprKind::Text: return refuse(expr, "a text");
    case ExprKind::Index: return refuse(expr, "an element of an array");
    case ExprKind::Slice: return refuse(expr, "a slice of an array");
    case ExprKind::Subscripts: return refuse(expr, "an element or slice of an array");
    case ExprKind::List: return refuse(expr, "a list");
  }
  return false;
}

bool FormulaBuilder::refuse(const Expr& expr, std::string_view what) {
  reporter_.report(Problem::NotAnExpression, expr.where, what);
  return false;
}

bool FormulaBuilder::emit_name(const Expr& expr, Nodes& out) {
  const std::string_view name = expr.text;
  if (name == "inf" || name == "nan") {
    using Limits = std::numeric_limits<double>;
    out.push_back(
        constant_node(Number::of(name == "inf" ? Limits::infinity() : Limits::quiet_NaN())));
    return true;
  }
  const std::optional<FormulaOp> variable = variable_named(name);
  if (variable == FormulaOp::I && !scope_.index) {
    const bool taken = scope_.locals != nullptr && scope_.locals->find(name) != nullptr;
    if (!taken) reporter_.report(Problem::NoIndexHere, expr.where);
    if (!taken) return false;
  } else if (variable) {
    if (unit_.broken_names.contains(name)) return false;  // data may have that name
    if (scope_.level == FormulaScope::Level::Placed || scope_.place) {
      out.push_back(variable_node(*variable));
      return true;
    }
    reporter_.report(Problem::NotConstant, expr.where, name);
    return false;
  }
  const Meaning* local = scope_.locals != nullptr ? scope_.locals->find(name) : nullptr;
  if (local != nullptr) return emit_meaning(expr, *local, true, out);
  const Meaning* global = globals_.names.find(name);
  if (global != nullptr) return emit_meaning(expr, *global, false, out);
  return unknown_name(expr);
}

bool FormulaBuilder::emit_meaning(const Expr& expr, const Meaning& meaning, bool local,
                                  Nodes& out) {
  const auto push_known = [&out](const std::optional<Number>& value) {
    if (value) out.push_back(constant_node(*value));
    return value.has_value();  // without one its definition was reported
  };
  const auto level = scope_.level;
  switch (meaning.kind) {
    case NameKind::Constant:
      if (stands_before(expr.where, meaning.where)) {
        reporter_.report(Problem::ConstTooLate, expr.where, expr.text);
        reporter_.note(Remark::DefinedHere, meaning.where, expr.text);
        return false;
      }
      return push_known(globals_.constants[meaning.index]);
    case NameKind::Colour:
      if (level != FormulaScope::Level::Constants) {
        return push_known(globals_.colour_numbers[meaning.index]);
      }
      break;
    case NameKind::Entry:
      if (level != FormulaScope::Level::Constants) {
        return push_known(globals_.entry_numbers[meaning.index]);
      }
      break;
    case NameKind::Global:
    case NameKind::Parameter:
      if (level == FormulaScope::Level::Placed) {
        const FormulaOp op = local ? FormulaOp::Parameter : FormulaOp::Global;
        out.push_back(variable_node(op, meaning.index));
        return true;
      }
      break;
    case NameKind::Absent:
      // A choice that a constant decides against may name it.
      if (unchosen_ > 0) return push_known(Number::of(std::int64_t{0}));
      reporter_.report(Problem::AbsentColour, expr.where, expr.text);
      return false;
    default:
      reporter_.report(Problem::NotInExpression, expr.where, describe(meaning.kind), expr.text);
      return false;
  }
  reporter_.report(Problem::NotConstant, expr.where, expr.text);
  return false;
}

bool FormulaBuilder::unknown_name(const Expr& expr) {
  if (unit_.broken_names.contains(expr.text)) return false;
  if (register_number(expr.text, 'r') || register_number(expr.text, 'd')) {
    reporter_.report(Problem::NotInExpression, expr.where, "the register", expr.text);
    return false;
  }
  if (expr.text == isa::kEndlessText) {
    reporter_.report(Problem::EndlessElsewhere, expr.where);
    return false;
  }
  Suggestion suggestion(expr.text, reporter_);
  if (scope_.locals != nullptr) scope_.locals->offer_all(suggestion);
  globals_.names.offer_all(suggestion);
  if (scope_.level == FormulaScope::Level::Placed) {
    for (const std::string_view variable : isa::kBuiltinSlots) suggestion.offer(variable);
  }
  reporter_.report(Problem::UnknownName, expr.where, expr.text, suggestion.best());
  return false;
}

bool FormulaBuilder::unknown_function(const Expr& expr) {
  isa::SourceRange where = expr.where;
  where.length = static_cast<std::uint32_t>(expr.text.size());
  constexpr std::string_view kDescriptors[] = {"fabin",    "fabout", "mem",
                                               "circular", "save",   "indexed"};
  if (std::ranges::find(kDescriptors, expr.text) != std::end(kDescriptors)) {
    return refuse(expr, "a descriptor");
  }
  if (expr.text == kViewFunction) return refuse(expr, "a view");
  std::vector<std::string> words;
  for_each_function(
      [&](FormulaOp, const isa::OperatorInfo& info) { words.emplace_back(info.text); });
  words.emplace_back(kControlFunction);
  words.emplace_back(kAddressFunction);
  words.emplace_back(kHasFunction);
  words.emplace_back(kViewFunction);
  words.insert(words.end(), std::begin(kDescriptors), std::end(kDescriptors));
  report_choice(reporter_, Problem::UnknownFunction, where, expr.text, words);
  return false;
}

bool FormulaBuilder::emit_call(const Expr& expr, Nodes& out) {
  if (expr.text == kControlFunction) return emit_control(expr, out);
  if (expr.text == kAddressFunction) return emit_address(expr, out);
  if (expr.text == kHasFunction) {
    reporter_.report(Problem::HasOptional, expr.where);
    return false;
  }
  const std::optional<FormulaOp> op = function_named(expr.text);
  if (!op) return unknown_function(expr);
  const unsigned operands = isa::operator_info(*op)->operands;
  std::vector<ExprId> values;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    const Argument& argument = unit_.arguments[expr.first + k];
    if (argument.name.text.empty()) values.push_back(argument.value);
  }
  if (values.size() != operands || expr.count != operands) {
    reporter_.report(Problem::ArgumentCount, expr.where, expr.text, counted(operands, "argument"),
                     expr.count);
    return false;
  }
  return emit_operation(expr, *op, values, out);
}

bool FormulaBuilder::emit_address(const Expr& expr, Nodes& out) {
  if (scope_.addresses == nullptr || scope_.level != FormulaScope::Level::Placed) {
    return refuse(expr, "an address");
  }
  if (expr.count != 1 || !unit_.arguments[expr.first].name.text.empty()) {
    reporter_.report(Problem::ArgumentCount, expr.where, expr.text, counted(1, "argument"),
                     expr.count);
    return false;
  }
  const std::optional<isa::Formula> address =
      scope_.addresses->address_of(unit_.arguments[expr.first].value);
  if (!address) return false;
  const auto shift = static_cast<std::uint32_t>(out.size());
  for (FormulaNode node : address->nodes) {
    const isa::OperatorInfo* info = isa::operator_info(node.op);
    for (unsigned k = 0; info != nullptr && k < info->operands; ++k) node.operand[k] += shift;
    out.push_back(node);
  }
  return true;
}

bool FormulaBuilder::emit_operation(const Expr& expr, FormulaOp op,
                                    std::span<const ExprId> operands, Nodes& out) {
  if (op == FormulaOp::Select) return emit_select(expr, out);
  FormulaNode node = variable_node(op);
  Number values[2];
  bool constant = true;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!emit(operands[k], out)) return false;
    node.operand[k] = static_cast<std::uint32_t>(out.size() - 1);
    constant &= out.back().op == FormulaOp::Constant;
    values[k] = out.back().constant;
    if (k == 0 && constant && decides(op, values[0])) {
      out.back() = constant_node(Number::of(std::int64_t{values[0].truth()}));
      return check_unchosen(operands[1]);
    }
  }
  if (!constant) {
    out.push_back(node);
    return true;
  }
  isa::Result<Number> value = isa::apply(op, std::span(values, operands.size()));
  if (!value && unchosen_ > 0) value = Number::of(std::int64_t{0});
  if (!value) {
    reporter_.report(Problem::CannotCompute, expr.where, value.error());
    return false;
  }
  out.resize(out.size() - operands.size());
  out.push_back(constant_node(*value));
  return true;
}

// A side that a constant decides against is checked for unknown names, but may be impossible to
// compute.
bool FormulaBuilder::check_unchosen(ExprId side) {
  Nodes unchosen;
  ++unchosen_;
  const bool good = emit(side, unchosen);
  --unchosen_;
  return good;
}

// With a constant condition only the chosen side stays.
bool FormulaBuilder::emit_select(const Expr& expr, Nodes& out) {
  if (!emit(expr.child[0], out)) return false;
  if (out.back().op == FormulaOp::Constant) {
    const bool truth = out.back().constant.truth();
    out.pop_back();
    return check_unchosen(expr.child[truth ? 2 : 1]) && emit(expr.child[truth ? 1 : 2], out);
  }
  FormulaNode node = variable_node(FormulaOp::Select);
  node.operand[0] = static_cast<std::uint32_t>(out.size() - 1);
  for (std::uint32_t k = 1; k < 3; ++k) {
    if (!emit(expr.child[k], out)) return false;
    node.operand[k] = static_cast<std::uint32_t>(out.size() - 1);
  }
  out.push_back(node);
  return true;
}

isa::Result<isa::Formula> join(FormulaOp op, const isa::Formula& a, const isa::Formula& b) {
  if (a.is_constant() && b.is_constant()) {
    const Number values[] = {a.nodes[0].constant, b.nodes[0].constant};
    const isa::Result<Number> value = isa::apply(op, values);
    if (!value) return std::unexpected(value.error());
    return isa::Formula::of(*value);
  }
  isa::Formula made = a;
  const auto shift = static_cast<std::uint32_t>(a.nodes.size());
  for (FormulaNode node : b.nodes) {
    const isa::OperatorInfo* info = isa::operator_info(node.op);
    for (unsigned k = 0; info != nullptr && k < info->operands; ++k) node.operand[k] += shift;
    made.nodes.push_back(node);
  }
  FormulaNode root = variable_node(op);
  root.operand[0] = shift - 1;
  root.operand[1] = static_cast<std::uint32_t>(made.nodes.size() - 1);
  made.nodes.push_back(root);
  return made;
}

bool may_be_float(const isa::Formula& formula, std::span<const isa::Parameter> parameters,
                  std::span<const isa::GlobalParameter> globals) {
  std::vector<bool> real;
  for (const FormulaNode& node : formula.nodes) {
    const isa::OperatorInfo* info = isa::operator_info(node.op);
    bool value = false;
    switch (node.op) {
      case FormulaOp::Constant: value = node.constant.is_float; break;
      case FormulaOp::Parameter: value = isa::is_float(parameters[node.index].type); break;
      case FormulaOp::Global: value = isa::is_float(globals[node.index].type); break;
      case FormulaOp::ToFloat:
      case FormulaOp::SquareRoot: value = true; break;
      case FormulaOp::Select: value = real[node.operand[1]] || real[node.operand[2]]; break;
      case FormulaOp::Add:
      case FormulaOp::Subtract:
      case FormulaOp::Multiply:
      case FormulaOp::Divide:
      case FormulaOp::Negate:
      case FormulaOp::Minimum:
      case FormulaOp::Maximum:
      case FormulaOp::Absolute:
        for (unsigned k = 0; k < info->operands; ++k) value = value || real[node.operand[k]];
        break;
      default: break;  // logic, comparisons, shifts, variables: integers
    }
    real.push_back(value);
  }
  return !real.empty() && real.back();
}

}  // namespace wse::assembler
