// Reads what the view is of like any operand, then compares the two in bytes.
#include "asm/program/views.h"

#include "asm/program/operand_reader.h"
#include "asm/syntax/rewrites.h"

namespace wse::assembler {
namespace {

// The bytes that a view covers.
struct Region {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
};

// Of memory without a type, `mem(64, length=8)`, the elements are those of the view. `count`: all
// of it if the view says nothing.
std::optional<Region> region_of(const OperandPlan& operand, std::int64_t bytes) {
  if (operand.kind == OperandKind::Memory && operand.is_fixed()) {
    const std::optional<std::int64_t> begin = constant_of(operand.formula);
    if (begin && operand.element) return Region{*begin, isa::info(*operand.element).bytes};
    return begin ? std::optional(Region{*begin, bytes}) : std::nullopt;
  }
  if (!operand.descriptor || operand.descriptor->kind != isa::DescriptorKind::Memory) {
    return std::nullopt;
  }
  const DescriptorPlan& plan = *operand.descriptor;
  const std::optional<std::int64_t> begin = constant_of(plan.address);
  const std::optional<std::int64_t> length = plan.constant_length();
  const bool dense = (plan.stride == 1 || length == 1) && plan.inner.empty() && !plan.saves &&
                     plan.run_time.empty();
  if (!begin || !length || !dense) return std::nullopt;
  return Region{*begin, *length * (plan.element ? isa::info(*plan.element).bytes : bytes)};
}

// Returns the argument of an expression `view(...)`; kNoExpr if it has not one argument.
ExprId viewed(const Unit& unit, const Expr& call) {
  if (call.count != 1) return kNoExpr;
  const Argument& argument = unit.arguments[call.first];
  return argument.name.text.empty() ? argument.value : kNoExpr;
}

}  // namespace

bool is_view(const ProgramContext& context, const DataSyntax& data) {
  if (data.data.value == kNoExpr) return false;
  const Expr& value = context.unit[data.data.value];
  return value.kind == ExprKind::Call && value.text == kViewFunction;
}

bool lay_view(ProgramContext& c, const DataSyntax& data, isa::Symbol& symbol) {
  const Expr& call = c.unit[data.data.value];
  const Named& name = data.data.name;
  if (data.bank != kNoExpr || data.address != kNoExpr) {
    const ExprId place = data.bank != kNoExpr ? data.bank : data.address;
    c.reporter.report(Problem::ViewPlace, c.unit[place].where, name.text);
    c.reporter.spells(removed_behind(data.behind, c.unit[place]));
    return false;
  }
  const ExprId id = viewed(c.unit, call);
  std::optional<OperandPlan> operand;
  if (id != kNoExpr) {
    operand = OperandReader(c).read(id);
    if (!operand) return false;
  }
  const std::int64_t bytes = isa::info(symbol.type).bytes;
  const std::optional<Region> region = operand ? region_of(*operand, bytes) : std::nullopt;
  if (!region) {
    c.reporter.report(Problem::ViewOf, call.where, name.text);
    return false;
  }
  const bool inside = region->begin >= 0 && region->bytes > 0 &&
                      region->begin + region->bytes <= static_cast<std::int64_t>(c.data.end());
  if (!inside || region->begin % bytes != 0) {
    c.reporter.report(Problem::ViewPlaced, call.where, name.text, region->begin, region->bytes,
                      bytes, c.data.end());
    return false;
  }
  if (data.counted) symbol.count = static_cast<std::uint32_t>(region->bytes / bytes);
  if (static_cast<std::int64_t>(symbol.bytes()) != region->bytes) {
    c.reporter.report(Problem::ViewSize, call.where, name.text, symbol.bytes(), region->bytes);
    return false;
  }
  symbol.address = static_cast<std::uint32_t>(region->begin);
  return true;
}

}  // namespace wse::assembler
