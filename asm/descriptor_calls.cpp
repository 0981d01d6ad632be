// Descriptors that are written as calls: fabin(...), fabout(...), mem(...).
#include <algorithm>

#include "asm/operands.h"

namespace wse::assembler {

using isa::Formula;
using Level = FormulaScope::Level;

// Every call begins with one, which has no name.
std::optional<ExprId> OperandReader::first_argument(const Expr& call, std::string_view wanted) {
  if (call.count > 0) {
    const Argument& first = c_.unit.arguments[call.first];
    if (first.name.text.empty()) return first.value;
  }
  c_.reporter.report(Problem::ArgumentCount, call.where, call.text, wanted,
                     call.count == 0 ? "nothing" : "an option alone");
  return std::nullopt;
}

std::optional<Formula> OperandReader::colour(ExprId id) {
  return integer(id, "a colour", 0, std::min(c_.profile.colours, isa::kMaxColours) - 1);
}

std::optional<Operand> OperandReader::read_fabric(const Expr& expr, isa::DescriptorKind kind) {
  const std::optional<ExprId> first = first_argument(expr, "a colour, then options");
  if (!first) return std::nullopt;
  std::optional<Formula> taken = colour(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!taken || !given) return std::nullopt;
  Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
  made.descriptor.kind = kind;
  made.descriptor.colour = std::move(*taken);
  if (!fabric_options(*given, made.descriptor)) return std::nullopt;
  return made;
}

bool OperandReader::fabric_options(const GivenOptions& given, DescriptorPlan& plan) {
  constexpr Option kPayloads[] = {Option::Packed, Option::Control, Option::Index};
  const auto* const one = std::ranges::find_if(kPayloads, [&](Option o) { return given.has(o); });
  for (const Option other : kPayloads) {
    if (one == std::end(kPayloads) || other == *one || !given.has(other)) continue;
    c_.reporter.report(
        Problem::OptionsClash, given.where(other), kOptions[static_cast<std::size_t>(*one)].text,
        kOptions[static_cast<std::size_t>(other)].text, "each says what the bits of a wavelet are");
    return false;
  }
  plan.options = {.packed = given.has(Option::Packed),
                  .control = given.has(Option::Control),
                  .advance = given.has(Option::Advance),
                  .indexed = given.has(Option::Index)};
  if (plan.options.indexed) {
    std::optional<Formula> index = integer(given.value(Option::Index), "an index", 0, 0xffff);
    if (!index) return false;
    plan.index = std::move(*index);
  }
  if (!given.has(Option::Length)) return true;
  plan.length = integer(given.value(Option::Length), "a length", 0, isa::kMaxLength);
  return plan.length.has_value();
}

// mem(address) is a word of memory, mem(address, length=..., stride=...) a descriptor. Programs
// write symbols; the disassembler writes this where no symbol fits.
std::optional<Operand> OperandReader::read_memory(const Expr& expr) {
  const std::optional<ExprId> first = first_argument(expr, "an address, then options");
  if (!first) return std::nullopt;
  std::optional<Formula> address = integer(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!address || !given) return std::nullopt;
  if (!given->has(Option::Length)) {
    if (!given->has(Option::Stride)) {
      return Operand{.kind = OperandKind::Memory, .where = expr.where, .formula = *address};
    }
    c_.reporter.report(Problem::OptionValue, given->where(Option::Stride), "stride",
                       "a length beside it", "length=..., stride=...");
    return std::nullopt;
  }
  Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
  made.descriptor.address = std::move(*address);
  made.descriptor.length = integer(given->value(Option::Length), "a length", 0, isa::kMaxLength);
  if (given->has(Option::Stride)) {
    constexpr std::int64_t kMost = isa::kMaxLength;
    const std::optional<std::int64_t> stride =
        c_.formulas(Level::Fixed).whole(given->value(Option::Stride), "the stride", -kMost, kMost);
    if (!stride) return std::nullopt;
    made.descriptor.stride = static_cast<std::int32_t>(*stride);
  }
  return made.descriptor.length ? std::optional(made) : std::nullopt;
}

}  // namespace wse::assembler
