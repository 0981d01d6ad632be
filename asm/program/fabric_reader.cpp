// Reads a colour and what the options say of its wavelets.
#include "asm/program/fabric_reader.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"

namespace wse::assembler {

using isa::Formula;
using Level = FormulaScope::Level;

std::optional<Formula> FabricReader::colour(ExprId id) {
  return values_.integer(id, "a colour", 0, std::min(c_.profile.colours, isa::kMaxColours) - 1);
}

std::optional<OperandPlan> FabricReader::read(const Expr& expr, isa::DescriptorKind kind) {
  const std::optional<ExprId> first = values_.first_argument(expr, "a colour, then options");
  if (!first) return std::nullopt;
  std::optional<Formula> taken = colour(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!taken || !given) return std::nullopt;
  OperandPlan made{.kind = OperandKind::Descriptor, .where = expr.where};
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.kind = kind;
  plan.colour = std::move(*taken);
  if (!options(*given, plan)) return std::nullopt;
  if (!pin_queue(expr, *given, plan)) return std::nullopt;
  return made;
}

bool FabricReader::options(const GivenOptions& given, DescriptorPlan& plan) {
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
    std::optional<Formula> index =
        values_.integer(given.value(Option::Index), "an index", 0, 0xffff);
    if (!index) return false;
    plan.index = std::move(*index);
  }
  if (!on_control(given, plan)) return false;
  return !given.has(Option::Length) || length(given.value(Option::Length), plan);
}

// Reads a number, or the word for no bound. A number that the source has as such may be meant as
// the vendor's spelling of that; numbers that loops and roles put in have no text.
bool FabricReader::length(ExprId id, DescriptorPlan& plan) {
  const Expr& value = c_.unit[id];
  if (value.kind == ExprKind::Name && !value.grouped && value.text == isa::kEndlessText) {
    plan.options.endless = true;
    return true;
  }
  if (value.kind == ExprKind::Name && value.text == isa::kEndlessText) {
    c_.reporter.report(Problem::EndlessElsewhere, value.where);
    c_.reporter.spells(replaced(value, std::string(isa::kEndlessText)));
    return false;
  }
  const bool is_literal = value.kind == ExprKind::Number && !value.text.empty();
  if (is_literal && c_.unit.number(value) == isa::Number::of(std::int64_t{isa::kReservedLength})) {
    c_.reporter.report(Problem::ReservedLength, value.where, value.text, isa::kReservedLength - 1);
    c_.reporter.spells(replaced(value, std::string(isa::kEndlessText)));
    c_.reporter.spells(replaced(value, fmt::format("{} + 1", isa::kReservedLength - 1)));
    return false;
  }
  plan.length = values_.integer(id, "a length", 0, isa::kMaxLength);
  return plan.length.has_value();
}

// on_control=terminate, on_control=activate(task), on_control=unblock(task)
bool FabricReader::on_control(const GivenOptions& given, DescriptorPlan& plan) {
  if (!given.has(Option::OnControl)) return true;
  const Expr& value = c_.unit[given.value(Option::OnControl)];
  const auto* const found = std::ranges::find(isa::kOnControlTexts, value.text);
  const bool known =
      !value.grouped && !value.text.empty() && found != std::end(isa::kOnControlTexts);
  plan.options.on_control = static_cast<isa::OnControl>(
      known ? found - std::begin(isa::kOnControlTexts) : std::ptrdiff_t{0});
  const bool tells = plan.options.tells_task();
  const bool fits =
      value.kind == (tells ? ExprKind::Call : ExprKind::Name) &&
      (!tells || (value.count == 1 && c_.unit.arguments[value.first].name.text.empty()));
  const std::vector<std::string> words(std::begin(isa::kOnControlTexts) + 1,
                                       std::end(isa::kOnControlTexts));
  if (!known || !fits) {
    report_choice(c_.reporter, Problem::OnControlValue, value.where, value.text, words);
    return false;
  }
  if (!tells) return true;
  const ExprId id = c_.unit.arguments[value.first].value;
  const std::optional<OperandPlan> task = tasks_.read(id);
  if (!task) return false;
  if (task->kind != OperandKind::Value) {
    report_choice(c_.reporter, Problem::OnControlValue, task->where, "", words);
    return false;
  }
  plan.task = task->formula;
  return tasks_.check(*task, id, plan.options.on_control == isa::OnControl::Activate);
}

bool FabricReader::pin_queue(const Expr& call, const GivenOptions& given,
                             const DescriptorPlan& plan) {
  if (!given.has(Option::Queue)) return true;
  const bool input = isa::receives(plan.kind);
  const ExprId value = given.value(Option::Queue);
  const std::optional<std::uint32_t> number =
      queue(value, input ? c_.profile.input_queues : c_.profile.output_queues);
  if (!number) return false;
  const std::string_view colour = c_.unit[c_.unit.arguments[call.first].value].text;
  if (c_.queue_uses.pin(input ? QueueUses::Side::Input : QueueUses::Side::Output, *number,
                        plan.colour, colour, c_.unit[value].where, c_.reporter)) {
    return true;
  }
  c_.reporter.spells(without_argument(c_.unit, call, "queue"));
  return false;
}

std::optional<std::uint32_t> FabricReader::queue(ExprId id, std::uint32_t limit) {
  const Expr& expr = c_.unit[id];
  const bool is_name = expr.kind == ExprKind::Name && !expr.grouped;
  std::optional<std::uint32_t> number;
  if (is_name) number = c_.queues.find(expr.text);
  if (number && *number < limit) return number;
  if (number) {
    c_.reporter.report(Problem::NotInRange, expr.where, "the queue", 0, limit - 1, *number);
    return std::nullopt;
  }
  if (!is_name || c_.globals.names.find(expr.text) != nullptr) {
    const auto whole = c_.formulas(Level::Fixed).whole(id, "the queue", 0, limit - 1);
    return whole ? std::optional(static_cast<std::uint32_t>(*whole)) : std::nullopt;
  }
  if (c_.unit.broken_names.contains(expr.text)) return std::nullopt;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.queues.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownQueue, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

bool FabricReader::is_input(ExprId id) const {
  if (id == kNoExpr) return false;
  const Expr& expr = c_.unit[id];
  return expr.kind == ExprKind::Call && expr.text == "fabin";
}

std::optional<OperandPlan> FabricReader::indexed(const OperandPlan& array, ExprId index,
                                                 const isa::SourceRange& where) {
  const bool plain = array.descriptor && array.descriptor->kind == isa::DescriptorKind::Memory &&
                     array.descriptor->inner.empty() && !array.descriptor->saves &&
                     array.descriptor->run_time.empty();
  if (!plain) {
    c_.reporter.report(Problem::IndexedArguments, array.where);
    return std::nullopt;
  }
  std::optional<OperandPlan> made = read(c_.unit[index], isa::DescriptorKind::FabricIn);
  if (!made) return std::nullopt;
  DescriptorPlan& plan = *made->descriptor;
  if (plan.options.packed) {
    c_.reporter.report(Problem::IndexedArguments, made->where);
    return std::nullopt;
  }
  plan.kind = isa::DescriptorKind::Indexed;
  plan.address = array.descriptor->address;
  plan.stride = array.descriptor->stride;
  plan.ring = array.descriptor->length;
  plan.element = array.descriptor->element;
  made->where = where;
  return made;
}

}  // namespace wse::assembler
