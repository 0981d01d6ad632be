// Reads operands: names first as what the program declares, everything else as an expression.
#include "asm/program/operands.h"

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

bool Operand::lies_by(std::uint32_t number_of_register) const {
  return index == number_of_register || base == number_of_register ||
         std::ranges::any_of(terms, [number_of_register](const RegisterTerm& term) {
           return term.number == number_of_register;
         });
}

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
    case ExprKind::Index:
    case ExprKind::Slice:
    case ExprKind::Subscripts: return read_subscripts(id);
    case ExprKind::Call:
      if (expr.text == "fabin") return read_fabric(expr, isa::DescriptorKind::FabricIn);
      if (expr.text == "fabout") return read_fabric(expr, isa::DescriptorKind::FabricOut);
      if (expr.text == "mem") return read_memory(expr);
      if (expr.text == "circular") return read_circular(expr);
      if (expr.text == "save") return read_saved(expr);
      if (expr.text == "indexed") return read_indexed(expr);
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
    case NameKind::DescriptorRegister: {
      const std::uint32_t number = c_.descriptor_registers[meaning.index];
      if (number == kNoRegister) return std::nullopt;
      return read_register(expr, OperandKind::DescriptorRegister, number,
                           isa::kDescriptorRegisters);
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
    case NameKind::Fifo: {
      if (c_.broken_data.contains(expr.text)) return std::nullopt;
      const isa::Fifo& fifo = c_.program.fifos[meaning.index];
      Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
      DescriptorPlan& plan = made.descriptor.emplace();
      plan.kind = isa::DescriptorKind::Fifo;
      plan.fifo = meaning.index;
      plan.element = c_.program.symbols[fifo.symbol].type;
      return made;
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
  if (operand && operand->descriptor && operand->descriptor->saves) {
    c_.reporter.report(Problem::SaveHere, expr.where);
    return std::nullopt;
  }
  if (operand && operand->descriptor) return operand;
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
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.address = Formula::of(Number::of(std::int64_t{symbol.address}));
  plan.length = Formula::of(Number::of(std::int64_t{symbol.count}));
  plan.element = symbol.type;
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
