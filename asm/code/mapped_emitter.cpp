// Fields and checks of a mapped vector instruction.
#include "asm/code/mapped_emitter.h"

#include <fmt/format.h>

#include "asm/code/mnemonics.h"

namespace wse::assembler {
namespace {

// In memory, or maybe so: what a descriptor register holds is known to the run alone.
bool may_be_memory(const OperandPlan& operand) {
  if (operand.kind == OperandKind::DescriptorRegister) return true;
  return operand.descriptor && isa::is_memory(operand.descriptor->kind);
}

}  // namespace

const isa::InstructionInfo* MappedEmitter::row_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name || c_.headers.function(expr.text) != nullptr) return nullptr;
  const MnemonicRows rows = rows_of(expr.text);
  return rows.vector != nullptr ? rows.vector : rows.scalar;
}

void MappedEmitter::emit(const Line& line, const isa::InstructionInfo& row) {
  const Expr& mnemonic = c_.unit[line.exprs[1]];
  if (line.syntax->index != kNoExpr) {
    c_.reporter.report(Problem::MapIndex, c_.unit[line.syntax->index].where, mnemonic.text);
    return;
  }
  if (!row.is_vector()) {
    c_.reporter.report(Problem::MapScalarOnly, mnemonic.where, mnemonic.text);
    return;
  }
  std::vector<ExprId> exprs(line.exprs.begin(), line.exprs.end());
  exprs.erase(exprs.begin() + 1);
  Line mapped{.syntax = line.syntax, .exprs = exprs, .operands = line.operands, .row = &row};
  const std::size_t wanted = isa::info(row.format).operands.size();
  if (exprs.size() != wanted) {
    c_.reporter.report(Problem::OperandCount, line.syntax->name.where, line.syntax->name.text,
                       counted(static_cast<std::int64_t>(wanted + 1), "operand"), line.exprs.size(),
                       usage_of(row));
    return;
  }
  Work work{.instruction = {.op = row.op, .mapped = 1}};
  if (!e_.read_operands(mapped) || !check(mapped) || !fill(mapped, work)) return;
  e_.finish(mapped, work);
}

bool MappedEmitter::check(Line& line) {
  const auto refuse = [&](Problem problem, const OperandPlan& operand) {
    c_.reporter.report(problem, operand.where, line.row->mnemonic, usage_of(*line.row));
    return false;
  };
  for (std::size_t k = 0; k < line.operands.size(); ++k) {
    const OperandPlan& operand = line.operands[k];
    const bool is_last = k + 1 == line.operands.size();
    if (k == 0 && operand.kind == OperandKind::Value) {
      return e_.refuse_operand(line, k, "a destination: a vector operand, a register or memory");
    }
    if (is_last && !operand.is_vector()) return refuse(Problem::MapScalars, operand);
    if (operand.is_vector() && !may_be_memory(operand)) return refuse(Problem::MapWaits, operand);
    if (!e_.check_element(line, k)) return false;
    if (operand.descriptor && operand.descriptor->saves) {
      c_.reporter.report(Problem::SaveHere, operand.where);
      return false;
    }
  }
  return check_lengths(line);
}

// For each scalar as many elements as an instruction without map has.
bool MappedEmitter::check_lengths(Line& line) {
  const std::size_t count = line.operands.size();
  const OperandPlan* decides = nullptr;
  for (std::size_t k = 1; k < count; ++k) {
    const OperandPlan& operand = line.operands[k % (count - 1)];  // the destination last
    if (operand.kind == OperandKind::DescriptorRegister) return true;
    if (decides == nullptr && operand.descriptor) decides = &operand;
  }
  if (decides == nullptr) return true;
  const std::optional<std::int64_t> length = decides->descriptor->constant_length();
  for (std::size_t k = 0; length && k + 1 < count; ++k) {
    const OperandPlan& operand = line.operands[k];
    if (!operand.descriptor) continue;
    const std::optional<std::int64_t> own = operand.descriptor->constant_length();
    if (!own || *own >= *length) continue;
    c_.reporter.report(Problem::ShortOperand, operand.where, counted(*own, "element"), *length,
                       *own);
    return false;
  }
  return true;
}

bool MappedEmitter::fill(const Line& line, Work& work) {
  const std::string_view letters = isa::info(line.row->format).operands;
  const std::size_t last = letters.size() - 1;
  if (!vectors_.fill_destination(line, work)) return false;
  for (std::size_t k = 1; k < last; ++k) {
    if (!vectors_.fill_source(line, letters[k], k, work)) return false;
  }
  constexpr auto kScalar = static_cast<std::uint32_t>(isa::SourceKind::Scalar);
  if (letters[last] == 'A') work.instruction.source_a_kind = kScalar;
  if (letters[last] == 'B') work.instruction.source_b_kind = kScalar;
  const OperandPlan& scalars = line.operands[last];
  const std::optional<std::uint32_t> taken = scalars.kind == OperandKind::Descriptor
                                                 ? code_.in_descriptor(*scalars.descriptor)
                                                 : std::optional(scalars.number);
  work.instruction.scalar = taken.value_or(0);
  return taken.has_value();
}

std::string MappedEmitter::usage_of(const isa::InstructionInfo& row) {
  std::string text = fmt::format("map destination, {}", row.mnemonic);
  for (std::size_t k = 0; k < row.last_source(); ++k) text += ", source";
  return text + ", scalars";
}

}  // namespace wse::assembler
