// Registers, data and values in a text.
#include "asm/code/print_reader.h"

#include <fmt/format.h>

namespace wse::assembler {

std::optional<std::uint32_t> PrintReader::read(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Text) return e_.refuse_name(id, "a text in quotes"), std::nullopt;
  isa::PrintText text;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    if (!add_piece(c_.unit.pieces[expr.first + k], text)) return std::nullopt;
  }
  c_.program.prints.push_back(std::move(text));
  return static_cast<std::uint32_t>(c_.program.prints.size() - 1);
}

// A constant becomes characters; characters without a value join those of the next piece.
bool PrintReader::add_piece(const TextPiece& syntax, isa::PrintText& text) {
  using Kind = isa::PrintPiece::Kind;
  if (text.empty() || text.back().kind != Kind::None) text.emplace_back();
  isa::PrintPiece& piece = text.back();
  piece.text += syntax.text;
  if (syntax.value == kNoExpr) return true;
  const std::optional<OperandPlan> operand = operands_.read(syntax.value);
  if (!operand) return false;
  std::optional<isa::Type> type;
  if (!syntax.type.text.empty()) {
    type = e_.type_of(syntax.type);
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

}  // namespace wse::assembler
