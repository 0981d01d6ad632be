// Names are first what the program declares; everything else is an expression.
#include "asm/program/operand_reader.h"

namespace wse::assembler {

using isa::Formula;
using isa::Number;

std::optional<OperandPlan> OperandReader::read(ExprId id) {
  const Expr& expr = c_.unit[id];
  switch (expr.kind) {
    case ExprKind::Name:
      if (!expr.grouped) return read_name(expr, id);
      break;
    case ExprKind::Index:
    case ExprKind::Slice:
    case ExprKind::Subscripts: return subscripts_.read(id);
    case ExprKind::Call:
      if (expr.text == "fabin") return fabric_.read(expr, isa::DescriptorKind::FabricIn);
      if (expr.text == "fabout") return fabric_.read(expr, isa::DescriptorKind::FabricOut);
      if (expr.text == "mem") return memory_.read(expr);
      if (expr.text == "circular") return descriptors_.circular(expr);
      if (expr.text == "save") return descriptors_.saved(expr);
      if (expr.text == "indexed") return descriptors_.indexed(expr);
      break;
    default: break;
  }
  return read_value(id);
}

std::optional<OperandPlan> OperandReader::read_name(const Expr& expr, ExprId id) {
  if (const auto number = register_number(expr.text, 'r')) {
    return read_register(expr, OperandKind::Register, *number, isa::kRegisters);
  }
  if (const auto number = register_number(expr.text, 'd')) {
    return read_register(expr, OperandKind::DescriptorRegister, *number, isa::kDescriptorRegisters);
  }
  const Meaning* meaning = c_.names.find(expr.text);
  return meaning != nullptr ? read_local(expr, id, *meaning) : read_value(id);
}

std::optional<OperandPlan> OperandReader::read_local(const Expr& expr, ExprId id,
                                                     const Meaning& meaning) {
  switch (meaning.kind) {
    case NameKind::Register:
      return named_register(expr, OperandKind::Register, c_.registers.of(meaning.index));
    case NameKind::DescriptorRegister:
      return named_register(expr, OperandKind::DescriptorRegister,
                            c_.descriptor_registers.of(meaning.index));
    case NameKind::Data: {
      const isa::Symbol& symbol = c_.program.symbols[meaning.index];
      if (c_.broken_names.contains(expr.text)) return std::nullopt;
      if (symbol.is_array) return whole_array(symbol, expr.where);
      return OperandPlan{.kind = OperandKind::Memory,
                         .where = expr.where,
                         .formula = Formula::of(Number::of(std::int64_t{symbol.address})),
                         .element = symbol.type};
    }
    case NameKind::Descriptor: {
      if (c_.broken_names.contains(expr.text)) return std::nullopt;
      std::optional<OperandPlan> operand = read_declared(meaning.index);
      if (operand) operand->where = expr.where;
      return operand;
    }
    case NameKind::Fifo: {
      if (c_.broken_names.contains(expr.text)) return std::nullopt;
      const isa::Fifo& fifo = c_.program.fifos[meaning.index];
      OperandPlan made{.kind = OperandKind::Descriptor, .where = expr.where};
      DescriptorPlan& plan = made.descriptor.emplace();
      plan.kind = isa::DescriptorKind::Fifo;
      plan.fifo = meaning.index;
      plan.element = c_.program.symbols[fifo.symbol].type;
      return made;
    }
    default: return read_value(id);
  }
}

std::optional<OperandPlan> OperandReader::read_declared(std::uint32_t index) {
  const ExprId value = c_.syntax.descriptors[index].value;
  const Expr& expr = c_.unit[value];
  const Meaning* meaning = expr.kind == ExprKind::Name ? c_.names.find(expr.text) : nullptr;
  const bool names_another = meaning != nullptr && meaning->kind == NameKind::Descriptor;
  std::optional<OperandPlan> operand;
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

std::optional<OperandPlan> OperandReader::read_register(const Expr& expr, OperandKind kind,
                                                        std::uint32_t number, std::uint32_t limit) {
  if (number < limit) return OperandPlan{.kind = kind, .where = expr.where, .number = number};
  c_.reporter.report(Problem::RegisterNumber, expr.where, expr.text, isa::kRegisters - 1,
                     isa::kDescriptorRegisters - 1);
  return std::nullopt;
}

std::optional<OperandPlan> OperandReader::named_register(const Expr& expr, OperandKind kind,
                                                         std::optional<std::uint32_t> number) {
  if (!number) return std::nullopt;
  return OperandPlan{.kind = kind, .where = expr.where, .number = *number};
}

std::optional<OperandPlan> OperandReader::read_value(ExprId id) {
  std::optional<Formula> formula = c_.formulas().build(id);
  if (!formula) return std::nullopt;
  return OperandPlan{.where = c_.unit[id].where, .formula = std::move(*formula)};
}

}  // namespace wse::assembler
