// Takes the descriptor inside and changes what it is.
#include "asm/program/descriptor_reader.h"

#include "asm/program/operand_reader.h"
#include "asm/syntax/operand_options.h"

namespace wse::assembler {

using isa::Formula;

// circular(ring, length=n, start=k): n elements from element k of the ring on.
std::optional<OperandPlan> DescriptorReader::circular(const Expr& expr) {
  const std::optional<ExprId> first = values_.first_argument(expr, "a ring, then length=...");
  if (!first) return std::nullopt;
  std::optional<OperandPlan> made = operands_.read(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!made || !given) return std::nullopt;
  const bool is_ring =
      made->descriptor && !made->descriptor->saves && made->descriptor->inner.empty() &&
      made->descriptor->kind == isa::DescriptorKind::Memory &&
      !made->descriptor->run_time.length_register && !made->descriptor->run_time.stride;
  if (!is_ring) {
    c_.reporter.report(Problem::RingOperand, made->where);
    return std::nullopt;
  }
  DescriptorPlan& plan = *made->descriptor;
  if (plan.constant_length() == 0) {
    c_.reporter.report(Problem::EmptyRing, made->where);
    return std::nullopt;
  }
  if (!given->has(Option::Length)) {
    c_.reporter.report(Problem::ArgumentCount, expr.where, expr.text, "a ring, then length=...",
                       "a ring alone");
    return std::nullopt;
  }
  plan.kind = isa::DescriptorKind::Circular;
  plan.ring = std::move(plan.length);
  plan.length = values_.integer(given->value(Option::Length), "a length", 0, isa::kMaxLength);
  if (given->has(Option::Start)) {
    std::optional<Formula> start =
        values_.integer(given->value(Option::Start), "a start", 0, isa::kMaxLength);
    if (!start) return std::nullopt;
    plan.start = std::move(*start);
  }
  made->where = expr.where;
  return plan.length ? made : std::nullopt;
}

// save(descriptor): what setd loads into a register whose position moves on.
std::optional<OperandPlan> DescriptorReader::saved(const Expr& expr) {
  const std::optional<ExprId> first = values_.first_argument(expr, "a descriptor");
  if (!first) return std::nullopt;
  std::optional<OperandPlan> made = operands_.read(*first);
  if (!made || !read_options(c_.unit, expr, c_.reporter)) return std::nullopt;
  const bool is_memory = made->descriptor && isa::is_memory(made->descriptor->kind);
  if (!is_memory || made->descriptor->saves) {
    c_.reporter.report(Problem::SaveNothing, made->where);
    return std::nullopt;
  }
  made->descriptor->saves = true;
  made->where = expr.where;
  return made;
}

// indexed(array, fabin(...)): the elements of the array that the wavelets name.
std::optional<OperandPlan> DescriptorReader::indexed(const Expr& expr) {
  const bool two = expr.count == 2 && c_.unit.arguments[expr.first].name.text.empty() &&
                   c_.unit.arguments[expr.first + 1].name.text.empty();
  if (!two || !fabric_.is_input(c_.unit.arguments[expr.first + 1].value)) {
    c_.reporter.report(Problem::IndexedArguments, expr.where);
    return std::nullopt;
  }
  const std::optional<OperandPlan> array = operands_.read(c_.unit.arguments[expr.first].value);
  if (!array) return std::nullopt;
  return fabric_.indexed(*array, c_.unit.arguments[expr.first + 1].value, expr.where);
}

}  // namespace wse::assembler
