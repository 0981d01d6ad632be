// Reads operands: names first as what the program declares, everything else as an expression.
#include "asm/operands.h"

#include <algorithm>
#include <limits>

namespace wse::assembler {
namespace {

using isa::Formula;
using isa::Number;
using Level = FormulaScope::Level;

// A formula that the image format would refuse is refused where it is written.
bool is_too_deep(const Formula& formula) {
  return formula.nodes.size() > isa::kFormulaDepth &&
         !isa::check(formula, std::numeric_limits<std::uint32_t>::max(),
                     std::numeric_limits<std::uint32_t>::max());
}

}  // namespace

std::string_view describe(OperandKind kind) {
  switch (kind) {
    case OperandKind::Register: return "a register";
    case OperandKind::DescriptorRegister: return "a descriptor register";
    case OperandKind::Descriptor: return "a vector operand";
    case OperandKind::Memory: return "a place in memory";
    case OperandKind::Value: return "a value";
  }
  return "an operand";
}

std::optional<Operand> OperandReader::read(ExprId id) {
  const Expr& expr = c_.unit[id];
  switch (expr.kind) {
    case ExprKind::Name:
      if (!expr.grouped) return read_name(expr, id);
      break;
    case ExprKind::Index: return read_element(expr);
    case ExprKind::Slice: return read_slice(expr);
    case ExprKind::Call:
      if (expr.text == "fabin") return read_fabric(expr, isa::DescriptorKind::FabricIn);
      if (expr.text == "fabout") return read_fabric(expr, isa::DescriptorKind::FabricOut);
      if (expr.text == "mem") return read_memory(expr);
      break;
    default: break;
  }
  return read_value(id);
}

std::optional<Operand> OperandReader::read_name(const Expr& expr, ExprId id) {
  if (const auto number = register_number(expr.text, 'r')) {
    return read_register(expr, OperandKind::Register, *number, isa::kRegisters);
  }
  if (const auto number = register_number(expr.text, 'd')) {
    return read_register(expr, OperandKind::DescriptorRegister, *number, isa::kDescriptorRegisters);
  }
  const Meaning* meaning = c_.names.find(expr.text);
  return meaning != nullptr ? read_local(expr, id, *meaning) : read_value(id);
}

std::optional<Operand> OperandReader::read_local(const Expr& expr, ExprId id,
                                                 const Meaning& meaning) {
  switch (meaning.kind) {
    case NameKind::Register: {
      const std::uint32_t number = c_.registers[meaning.index];
      if (number == kNoRegister) return std::nullopt;
      return read_register(expr, OperandKind::Register, number, isa::kRegisters);
    }
    case NameKind::Data: {
      const isa::Symbol& symbol = c_.program.symbols[meaning.index];
      if (c_.broken_data.contains(expr.text)) return std::nullopt;
      if (symbol.is_array) return whole_array(symbol, expr.where);
      return Operand{.kind = OperandKind::Memory,
                     .where = expr.where,
                     .formula = Formula::of(Number::of(std::int64_t{symbol.address})),
                     .element = symbol.type};
    }
    case NameKind::Descriptor: {
      if (c_.broken_data.contains(expr.text)) return std::nullopt;
      std::optional<Operand> operand = read_declared(meaning.index);
      if (operand) operand->where = expr.where;
      return operand;
    }
    default: return read_value(id);
  }
}

std::optional<Operand> OperandReader::read_declared(std::uint32_t index) {
  const ExprId value = c_.syntax.descriptors[index].value;
  const Expr& expr = c_.unit[value];
  const Meaning* meaning = expr.kind == ExprKind::Name ? c_.names.find(expr.text) : nullptr;
  const bool names_another = meaning != nullptr && meaning->kind == NameKind::Descriptor;
  std::optional<Operand> operand;
  if (!names_another) operand = read(value);
  if (operand && operand->kind == OperandKind::Descriptor) return operand;
  if (operand || names_another) {
    c_.reporter.report(Problem::Expected, expr.where, "a descriptor, such as fabin(...) or v[0:8]",
                       names_another ? "the name of one" : describe(operand->kind));
  }
  return std::nullopt;
}

std::optional<Operand> OperandReader::read_register(const Expr& expr, OperandKind kind,
                                                    std::uint32_t number, std::uint32_t limit) {
  if (number < limit) return Operand{.kind = kind, .where = expr.where, .number = number};
  c_.reporter.report(Problem::RegisterNumber, expr.where, expr.text, isa::kRegisters - 1,
                     isa::kDescriptorRegisters - 1);
  return std::nullopt;
}

std::optional<Operand> OperandReader::read_value(ExprId id) {
  std::optional<Formula> formula = c_.formulas().build(id);
  if (!formula) return std::nullopt;
  return Operand{.where = c_.unit[id].where, .formula = std::move(*formula)};
}

Operand OperandReader::whole_array(const isa::Symbol& symbol, const isa::SourceRange& where) const {
  Operand made{.kind = OperandKind::Descriptor, .where = where};
  made.descriptor.address = Formula::of(Number::of(std::int64_t{symbol.address}));
  made.descriptor.length = Formula::of(Number::of(std::int64_t{symbol.count}));
  made.descriptor.element = symbol.type;
  return made;
}

// The array before the bracket.
const isa::Symbol* OperandReader::array_of(const Expr& expr) {
  isa::SourceRange where = expr.where;
  where.length = static_cast<std::uint32_t>(expr.text.size());
  const Meaning* meaning = c_.names.find(expr.text);
  if (meaning != nullptr && meaning->kind == NameKind::Data) {
    const isa::Symbol& symbol = c_.program.symbols[meaning->index];
    if (symbol.is_array) return c_.broken_data.contains(expr.text) ? nullptr : &symbol;
  }
  if (meaning == nullptr) meaning = c_.globals.names.find(expr.text);
  if (meaning != nullptr) {
    c_.reporter.report(Problem::NotArray, where, describe(meaning->kind), expr.text);
  } else if (!c_.unit.broken_names.contains(expr.text)) {
    Suggestion suggestion(expr.text, c_.reporter);
    for (const isa::Symbol& symbol : c_.program.symbols) suggestion.offer(symbol.name);
    c_.reporter.report(Problem::UnknownName, where, expr.text, suggestion.best());
  }
  return nullptr;
}

std::optional<std::uint32_t> OperandReader::index_register(const Expr& expr) const {
  if (expr.kind != ExprKind::Name || expr.grouped) return std::nullopt;
  const std::optional<std::uint32_t> number = register_number(expr.text, 'r');
  if (number && *number < isa::kRegisters) return number;
  const Meaning* meaning = c_.names.find(expr.text);
  if (meaning == nullptr || meaning->kind != NameKind::Register) return std::nullopt;
  const std::uint32_t named = c_.registers[meaning->index];
  return named == kNoRegister ? std::nullopt : std::optional(named);
}

std::optional<Formula> OperandReader::computed(isa::Result<Formula> formula, const Expr& expr) {
  if (!formula) {
    c_.reporter.report(Problem::CannotCompute, expr.where, formula.error());
    return std::nullopt;
  }
  if (is_too_deep(*formula)) {
    c_.reporter.report(Problem::TooDeep, expr.where, isa::kFormulaDepth);
    return std::nullopt;
  }
  return std::move(*formula);
}

// An expression that cannot be a float.
std::optional<Formula> OperandReader::integer(ExprId id) {
  std::optional<Formula> formula = c_.formulas().build(id);
  if (formula && c_.pools.may_be_float(*formula)) {
    c_.reporter.report(Problem::FloatIndex, c_.unit[id].where);
    return std::nullopt;
  }
  return formula;
}

std::optional<Operand> OperandReader::read_element(const Expr& expr) {
  const isa::Symbol* array = array_of(expr);
  if (array == nullptr || expr.child[0] == kNoExpr) return std::nullopt;
  Operand made{.kind = OperandKind::Memory, .where = expr.where, .element = array->type};
  made.index = index_register(c_.unit[expr.child[0]]);
  std::optional<Formula> index = Formula::of(Number::of(std::int64_t{0}));
  if (!made.index) index = integer(expr.child[0]);
  if (!index) return std::nullopt;
  if (index->is_constant() && !made.index) {
    const std::int64_t value = index->nodes[0].constant.integer;
    if (value < 0 || value >= array->count) {
      c_.reporter.report(Problem::IndexRange, c_.unit[expr.child[0]].where, value, array->name,
                         counted(array->count, "element"));
      return std::nullopt;
    }
  }
  std::optional<Formula> address =
      computed(address_formula(array->address, isa::info(array->type).bytes, *index), expr);
  if (!address) return std::nullopt;
  made.formula = std::move(*address);
  return made;
}

std::optional<Operand> OperandReader::read_slice(const Expr& expr) {
  const isa::Symbol* array = array_of(expr);
  if (array == nullptr) return std::nullopt;
  std::optional<Formula> bounds[2];
  for (int k = 0; k < 2; ++k) {
    if (expr.child[k] == kNoExpr) continue;
    bounds[k] = integer(expr.child[k]);
    if (!bounds[k]) return std::nullopt;
  }
  std::optional<std::int64_t> step = 1;
  constexpr std::int64_t kMost = isa::kMaxLength;
  if (expr.child[2] != kNoExpr) {
    step = c_.formulas(Level::Fixed).whole(expr.child[2], "the step", -kMost, kMost);
  }
  if (!step) return std::nullopt;
  if (*step == 0) {
    c_.reporter.report(Problem::ZeroStep, c_.unit[expr.child[2]].where);
    return std::nullopt;
  }
  if (!check_bounds(expr, *array, bounds, *step)) return std::nullopt;
  const isa::Result<SliceFormulas> parts =
      slice_formulas(bounds[0], bounds[1], *step, array->count);
  if (!parts) {
    c_.reporter.report(Problem::CannotCompute, expr.where, parts.error());
    return std::nullopt;
  }
  const std::optional<Formula> address =
      computed(address_formula(array->address, isa::info(array->type).bytes, parts->first), expr);
  const std::optional<Formula> length = computed(parts->length, expr);
  if (!address || !length) return std::nullopt;
  Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
  made.descriptor.address = *address;
  made.descriptor.length = *length;
  made.descriptor.stride = static_cast<std::int32_t>(*step);
  made.descriptor.element = array->type;
  return made;
}

// What is constant must lie inside the array: 0..count forwards, count-1..-1 backwards.
bool OperandReader::check_bounds(const Expr& expr, const isa::Symbol& array,
                                 const std::optional<Formula> (&bounds)[2], std::int64_t step) {
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = std::int64_t{array.count} + least;
  for (const std::optional<Formula>& bound : bounds) {
    if (!bound || !bound->is_constant()) continue;
    const std::int64_t value = bound->nodes[0].constant.integer;
    if (value >= least && value <= most) continue;
    const auto shown = [&](const std::optional<Formula>& formula) {
      return formula && formula->is_constant() ? isa::to_text(formula->nodes[0].constant)
                                               : std::string(formula ? "..." : "");
    };
    c_.reporter.report(Problem::SliceRange, expr.where, shown(bounds[0]), shown(bounds[1]),
                       array.name, counted(array.count, "element"));
    return false;
  }
  return true;
}

std::optional<Formula> OperandReader::integer(ExprId id, std::string_view what, std::int64_t least,
                                              std::int64_t most) {
  std::optional<Formula> formula = integer(id);
  if (!formula || !formula->is_constant()) return formula;
  const std::int64_t value = formula->nodes[0].constant.integer;
  if (value >= least && value <= most) return formula;
  c_.reporter.report(Problem::NotInRange, c_.unit[id].where, what, least, most, value);
  return std::nullopt;
}

}  // namespace wse::assembler
