// Operands that are names: labels, marks, microthreads; print texts; and the comparison of an
// assertion.
#include <algorithm>

#include "asm/code/emitter.h"

namespace wse::assembler {
namespace {

using isa::FormulaOp;
using isa::OperandType;

// The row of conditions.def for the text of an operator.
std::optional<std::uint32_t> condition_of(FormulaOp op) {
  const auto* const found = std::ranges::find(isa::kConditionTexts, isa::operator_info(op)->text);
  if (found == std::end(isa::kConditionTexts)) return std::nullopt;
  return static_cast<std::uint32_t>(found - std::begin(isa::kConditionTexts));
}

}  // namespace

bool Emitter::wrong_name(ExprId id, std::string_view wanted) {
  c_.reporter.report(Problem::Expected, c_.unit[id].where, wanted, "a value");
  return false;
}

std::optional<std::uint32_t> Emitter::label(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return wrong_name(id, "a label"), std::nullopt;
  if (const Meaning* meaning = c_.find_label(expr.text, expr.scope)) return meaning->index;
  Suggestion suggestion(expr.text, c_.reporter);
  for (const std::uint32_t scope : {expr.scope, 0u}) {
    const auto table = c_.labels.find(scope);
    if (table != c_.labels.end()) table->second.offer_all(suggestion);
  }
  c_.reporter.report(Problem::UnknownLabel, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

std::optional<std::uint32_t> Emitter::microthread(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind == ExprKind::Number) {
    const std::optional<std::int64_t> number =
        c_.formulas(FormulaScope::Level::Fixed)
            .whole(id, "the number of a microthread", 0, isa::kMicrothreads - 1);
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  }
  if (expr.kind != ExprKind::Name) return wrong_name(id, "a microthread"), std::nullopt;
  if (const auto number = c_.microthreads.find(expr.text)) return number;
  if (c_.unit.broken_names.contains(expr.text)) return std::nullopt;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.microthreads.table.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownMicrothread, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

std::optional<std::uint32_t> Emitter::mark(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return wrong_name(id, "a name"), std::nullopt;
  if (const Meaning* meaning = mark_names_.find(expr.text)) return meaning->index;
  const auto index = static_cast<std::uint32_t>(marks_.size());
  mark_names_.define({expr.text, expr.where}, NameKind::Other, index, c_.reporter);
  marks_.emplace_back(expr.text);
  return index;
}

std::optional<std::uint32_t> Emitter::setting(ExprId id, const NameTable& names,
                                              std::string_view what, std::string_view directive) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return wrong_name(id, "a name"), std::nullopt;
  if (const Meaning* meaning = names.find(expr.text)) return meaning->index;
  if (c_.unit.broken_names.contains(expr.text)) return std::nullopt;
  Suggestion suggestion(expr.text, c_.reporter);
  names.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownSetting, expr.where, what, expr.text, suggestion.best(),
                     directive);
  return std::nullopt;
}

std::optional<std::uint32_t> Emitter::print(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Text) return wrong_name(id, "a text in quotes"), std::nullopt;
  isa::PrintText text;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    if (!add_piece(c_.unit.pieces[expr.first + k], text)) return std::nullopt;
  }
  c_.program.prints.push_back(std::move(text));
  return static_cast<std::uint32_t>(c_.program.prints.size() - 1);
}

// A type that memory can hold.
std::optional<isa::Type> Emitter::type_of(const Named& name) {
  const auto fits = [](const isa::TypeInfo& row) { return row.type != isa::Type::Colour; };
  const std::optional<isa::Type> type = isa::type_named(name.text);
  if (type && fits(isa::info(*type))) return type;
  report_unknown_type(c_.reporter, name.text, name.where);
  return std::nullopt;
}

// A constant becomes characters; characters without a value join those of the next piece.
bool Emitter::add_piece(const TextPiece& syntax, isa::PrintText& text) {
  using Kind = isa::PrintPiece::Kind;
  if (text.empty() || text.back().kind != Kind::None) text.emplace_back();
  isa::PrintPiece& piece = text.back();
  piece.text += syntax.text;
  if (syntax.value == kNoExpr) return true;
  const std::optional<Operand> operand = operands_.read(syntax.value);
  if (!operand) return false;
  std::optional<isa::Type> type;
  if (!syntax.type.text.empty()) {
    type = type_of(syntax.type);
    if (!type) return false;
  }
  const bool constant = operand->formula.is_constant();
  switch (operand->kind) {
    case OperandKind::Register:
      piece.kind = Kind::Register;
      piece.value = operand->number;
      piece.type = type.value_or(isa::Type::I32);
      return true;
    case OperandKind::Memory:
      if (!constant || !operand->is_fixed()) {
        c_.reporter.report(Problem::PrintIndex, operand->where);
        return false;
      }
      if (type && operand->element &&
          isa::info(*type).bytes != isa::info(*operand->element).bytes) {
        c_.reporter.report(Problem::ElementType, operand->where, syntax.type.text,
                           fmt::format("{} bytes", isa::info(*type).bytes), "this",
                           isa::info(*operand->element).text);
        return false;
      }
      piece.kind = Kind::Memory;
      piece.value = static_cast<std::uint32_t>(operand->formula.nodes[0].constant.integer);
      piece.type = type.value_or(operand->element.value_or(isa::Type::I32));
      return true;
    case OperandKind::Value: {
      if (constant) {
        piece.text += isa::to_text(operand->formula.nodes[0].constant);
        return true;
      }
      const bool real = c_.pools.may_be_float(operand->formula);
      const bool half = type == isa::Type::F16;
      const isa::Type own = half ? isa::Type::F16 : real ? isa::Type::F32 : isa::Type::I32;
      piece.kind = Kind::Slot;
      piece.value = c_.pools.slot(operand->formula, own);
      piece.type = type.value_or(own);
      return true;
    }
    default:
      c_.reporter.report(Problem::NotPrintable, operand->where, describe(operand->kind));
      return false;
  }
}

// assert A == S [: f32]. Floats are compared as floats if either side is one or the type says so.
// What the line says, else the type of the data on a side, else that of the value.
std::optional<isa::Type> Emitter::compared_type(const Line& line) {
  if (line.syntax->type != kNoType) return type_of(c_.unit.types[line.syntax->type]);
  bool real = false;
  for (const Operand& operand : line.operands) {
    if (operand.element) return operand.element;
    if (operand.kind == OperandKind::Value) real |= c_.pools.may_be_float(operand.formula);
  }
  return real ? isa::Type::F32 : isa::Type::I32;
}

void Emitter::emit_assert(Line& line) {
  const Named& name = line.syntax->name;
  const Expr& expr = c_.unit[line.exprs[0]];
  const bool comparison =
      expr.kind == ExprKind::Operator && expr.count == 2 && condition_of(expr.op).has_value();
  if (!comparison) {
    c_.reporter.report(Problem::NoComparison, expr.where, name.text, usage(*line.row));
    return;
  }
  if (!check_async(line)) return;
  line.exprs = std::span(expr.child, 2);
  for (const ExprId side : line.exprs) {
    std::optional<Operand> operand = operands_.read(side);
    if (!operand) return;
    line.operands.push_back(std::move(*operand));
  }
  const std::optional<isa::Type> type = compared_type(line);
  if (!type) return;
  isa::InstructionInfo row = *line.row;
  const OperandType operand = isa::operand_type_of(*type);
  row.types = {operand, {operand, operand, operand}};
  line.row = &row;
  Work work{.instruction = {.op = row.op}};
  work.instruction.condition = *condition_of(expr.op);
  work.instruction.compared_type = static_cast<std::uint32_t>(*type);
  if (fill_source(line, 0, work.instruction.source_a) && fill_scalar(line, 1, work)) {
    finish(line, work);
  }
}

}  // namespace wse::assembler
