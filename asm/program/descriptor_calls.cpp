// Descriptors that are written as calls: fabin(...), fabout(...), mem(...), circular(...),
// save(...), indexed(...).
#include <algorithm>

#include "asm/program/operands.h"

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
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.kind = kind;
  plan.colour = std::move(*taken);
  if (!fabric_options(*given, plan)) return std::nullopt;
  if (!pin_queue(*given, plan, c_.unit[*first].text)) return std::nullopt;
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
  if (!on_control(given, plan)) return false;
  if (!given.has(Option::Length)) return true;
  plan.length = integer(given.value(Option::Length), "a length", 0, isa::kMaxLength);
  return plan.length.has_value();
}

// on_control=terminate, on_control=activate(task), on_control=unblock(task)
bool OperandReader::on_control(const GivenOptions& given, DescriptorPlan& plan) {
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
  const std::optional<Operand> task = read_task(id);
  if (!task) return false;
  if (task->kind != OperandKind::Value) {
    report_choice(c_.reporter, Problem::OnControlValue, task->where, "", words);
    return false;
  }
  plan.task = task->formula;
  return check_task(*task, id, plan.options.on_control == isa::OnControl::Activate);
}

bool OperandReader::pin_queue(const GivenOptions& given, const DescriptorPlan& plan,
                              std::string_view name) {
  if (!given.has(Option::Queue)) return true;
  const bool input = isa::receives(plan.kind);
  const ExprId value = given.value(Option::Queue);
  const std::optional<std::uint32_t> number =
      queue(value, input ? c_.profile.input_queues : c_.profile.output_queues);
  return number && c_.queue_uses.pin(input ? QueueUses::Side::Input : QueueUses::Side::Output,
                                     *number, plan.colour, name, c_.unit[value].where, c_.reporter);
}

std::optional<std::uint32_t> OperandReader::queue(ExprId id, std::uint32_t limit) {
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
  c_.queues.table.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownQueue, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

// mem(address) is a word of memory, mem(address, length=..., stride=...) a descriptor. Programs
// write symbols; the disassembler writes this where no symbol fits.
std::optional<Operand> OperandReader::read_memory(const Expr& expr) {
  const std::optional<ExprId> first = first_argument(expr, "an address, then options");
  if (!first) return std::nullopt;
  const std::optional<std::uint32_t> base = index_register(*first);
  std::optional<Formula> address = base ? formula_of(0) : integer(*first);
  const std::optional<GivenOptions> given = read_options(c_.unit, expr, c_.reporter);
  if (!address || !given) return std::nullopt;
  if (!given->has(Option::Length)) return element_at(expr, *given, base, std::move(*address));
  if (given->has(Option::Index)) {
    c_.reporter.report(Problem::OptionsClash, given->where(Option::Index), "length", "index",
                       "one is of a vector operand, the other of an element");
    return std::nullopt;
  }
  Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.address = std::move(*address);
  if (base) plan.run_time.terms.push_back({*base, 1});
  if (!memory_dimensions(*given, plan)) return std::nullopt;
  return made;
}

// mem(address) and mem(address, index=register).
std::optional<Operand> OperandReader::element_at(const Expr& expr, const GivenOptions& given,
                                                 std::optional<std::uint32_t> base,
                                                 Formula address) {
  if (given.has(Option::Stride)) {
    c_.reporter.report(Problem::OptionValue, given.where(Option::Stride), "stride",
                       "a length beside it", "length=..., stride=...");
    return std::nullopt;
  }
  Operand made{.kind = OperandKind::Memory, .where = expr.where, .formula = std::move(address)};
  made.base = base;
  if (!given.has(Option::Index)) return made;
  made.index = index_register(given.value(Option::Index));
  if (made.index) return made;
  c_.reporter.report(Problem::OptionValue, given.where(Option::Index), "index", "a register here",
                     "mem(address, index=r1)");
  return std::nullopt;
}

// `[a, b]`, or one value.
std::vector<ExprId> OperandReader::list_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::List) return {id};
  std::vector<ExprId> ids;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    ids.push_back(c_.unit.arguments[expr.first + k].value);
  }
  return ids;
}

bool OperandReader::memory_dimensions(const GivenOptions& given, DescriptorPlan& plan) {
  const std::vector<ExprId> lengths = list_of(given.value(Option::Length));
  std::vector<ExprId> strides(lengths.size() == 1 ? 1 : 0, kNoExpr);
  if (given.has(Option::Stride)) strides = list_of(given.value(Option::Stride));
  if (lengths.size() != strides.size() || lengths.size() > isa::kMaxDimensions) {
    c_.reporter.report(Problem::DimensionCount, given.where(Option::Length), lengths.size(),
                       strides.size(), isa::kMaxDimensions);
    return false;
  }
  const std::optional<std::uint32_t> count = index_register(lengths[0]);
  const std::optional<std::uint32_t> step = index_register(strides[0]);
  if ((count || step) && lengths.size() > 1) {
    c_.reporter.report(Problem::RegisterLength, c_.unit[count ? lengths[0] : strides[0]].where,
                       count ? "the number of elements" : "a step");
    return false;
  }
  plan.run_time.length_register = count;
  if (step) plan.run_time.stride = RegisterTerm{*step, 1};
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    std::optional<Formula> length =
        count ? formula_of(1) : integer(lengths[k], "a length", 0, isa::kMaxLength);
    std::optional<std::int64_t> stride = 1;
    if (strides[k] != kNoExpr && !step) {
      stride = c_.formulas(Level::Fixed)
                   .whole(strides[k], "the stride", -isa::kMaxStride, isa::kMaxStride);
    }
    if (!length || !stride) return false;
    plan.add_dimension(std::move(*length), static_cast<std::int32_t>(*stride));
  }
  return true;
}

// circular(ring, length=n, start=k): n elements from element k of the ring on.
std::optional<Operand> OperandReader::read_circular(const Expr& expr) {
  const std::optional<ExprId> first = first_argument(expr, "a ring, then length=...");
  if (!first) return std::nullopt;
  std::optional<Operand> made = read(*first);
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
  plan.length = integer(given->value(Option::Length), "a length", 0, isa::kMaxLength);
  if (given->has(Option::Start)) {
    std::optional<Formula> start =
        integer(given->value(Option::Start), "a start", 0, isa::kMaxLength);
    if (!start) return std::nullopt;
    plan.start = std::move(*start);
  }
  made->where = expr.where;
  return plan.length ? made : std::nullopt;
}

// save(descriptor): what setd loads into a register whose position moves on.
std::optional<Operand> OperandReader::read_saved(const Expr& expr) {
  const std::optional<ExprId> first = first_argument(expr, "a descriptor");
  if (!first) return std::nullopt;
  std::optional<Operand> made = read(*first);
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

bool OperandReader::is_fabric_call(ExprId id) const {
  if (id == kNoExpr) return false;
  const Expr& expr = c_.unit[id];
  return expr.kind == ExprKind::Call && expr.text == "fabin";
}

// indexed(array, fabin(...)): the elements of the array that the wavelets name.
std::optional<Operand> OperandReader::read_indexed(const Expr& expr) {
  const bool two = expr.count == 2 && c_.unit.arguments[expr.first].name.text.empty() &&
                   c_.unit.arguments[expr.first + 1].name.text.empty();
  if (!two || !is_fabric_call(c_.unit.arguments[expr.first + 1].value)) {
    c_.reporter.report(Problem::IndexedArguments, expr.where);
    return std::nullopt;
  }
  const std::optional<Operand> array = read(c_.unit.arguments[expr.first].value);
  if (!array) return std::nullopt;
  return indexed(*array, c_.unit.arguments[expr.first + 1].value, expr.where);
}

std::optional<Operand> OperandReader::indexed(const Operand& array, ExprId index,
                                              const isa::SourceRange& where) {
  const bool plain = array.descriptor && array.descriptor->kind == isa::DescriptorKind::Memory &&
                     array.descriptor->inner.empty() && !array.descriptor->saves &&
                     array.descriptor->run_time.empty();
  if (!plain) {
    c_.reporter.report(Problem::IndexedArguments, array.where);
    return std::nullopt;
  }
  std::optional<Operand> made = read_fabric(c_.unit[index], isa::DescriptorKind::FabricIn);
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
