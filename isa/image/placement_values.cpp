// Evaluates the formulas of a placement PE by PE.
#include "isa/image/placement_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/formula/formula_progression.h"
#include "isa/semantics/state.h"

namespace wse::isa {

namespace {

// As evaluate() and to_bits(); without the price of an error for integers, which are what most
// slots hold.
Result<std::uint32_t> bits_of(const Formula& formula, const FormulaPlace& place, Type type) {
  if (const std::optional<Progression> one = progression_of(formula, place, 1)) {
    return to_bits(Number::of(one->first), type);
  }
  const Result<Number> value = evaluate(formula, place);
  return value ? to_bits(*value, type) : Result<std::uint32_t>(std::unexpected(value.error()));
}

}  // namespace

Result<std::uint32_t> checked_seed(std::uint32_t bits) {
  if (is_random_seed(bits)) return bits;
  return fail(fmt::format("the lowest {} bits of {:#x} are 0, so that every draw would be 0",
                          kRandomBits, bits));
}

unsigned PlacementValues::axes_of(const Formula& formula,
                                  std::span<const ComputedSlot> parameters) {
  unsigned axes = 0;
  for (const FormulaNode& node : formula.nodes) {
    if (node.op == FormulaOp::X) axes |= kX;
    if (node.op == FormulaOp::Y) axes |= kY;
    if (node.op == FormulaOp::Parameter && node.index < parameters.size()) {
      axes |= parameters[node.index].axes;
    }
  }
  return axes;
}

PlacementValues::PlacementValues(const Image& image, const Placement& placement)
    : image_(image), program_(image.programs[placement.program]), rect_(placement.rect) {
  for (const GlobalParameter& global : image.parameters) globals_.push_back(global.value);
  parameters_.resize(program_.parameters.size());
  slots_.resize(program_.slot_count());
  place_.width = image.width;
  place_.height = image.height;
  place_.globals = globals_;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const Parameter& parameter = program_.parameters[k];
    const Formula& argument = placement.arguments[k];
    computed_.push_back({&argument, parameter.type, parameter.name, axes_of(argument, {}), {}});
  }
  for (const DerivedSlot& derived : program_.derived) {
    const std::span parameters = std::span(computed_).first(parameters_.size());
    const unsigned axes = axes_of(derived.formula, parameters);
    computed_.push_back({&derived.formula, derived.type, "a value", axes, {}});
  }
  data_.resize(program_.symbols.size());
  for (std::size_t k = 0; k < data_.size(); ++k) {
    const Symbol& symbol = program_.symbols[k];
    const std::span parameters = std::span(computed_).first(parameters_.size());
    if (symbol.initial) data_[k].axes = axes_of(*symbol.initial, parameters);
    for (const ListedFormula& listed : symbol.formulas) {
      data_[k].axes |= axes_of(listed.formula, parameters);
    }
  }
}

// Which axes the step changes; all of them if there are no values yet.
unsigned PlacementValues::move(std::uint32_t x, std::uint32_t y) {
  unsigned changed = 0;
  if (!has_values_ || x != slots_[0]) changed |= kX;
  if (!has_values_ || y != slots_[1]) changed |= kY;
  place_.x = x;
  place_.y = y;
  place_.i = 0;
  slots_[0] = x;
  slots_[1] = y;
  slots_[2] = image_.width;
  slots_[3] = image_.height;
  if ((changed & kY) == 0) return changed;
  for (InitialData& data : data_) {
    if (data.axes == kY) data.bytes.reset();
  }
  return changed;
}

Status PlacementValues::move_to(std::uint32_t x, std::uint32_t y) {
  const bool first = !has_values_;
  const unsigned changed = move(x, y);
  has_values_ = false;
  place_.parameters = {};
  for (std::size_t k = 0; k < computed_.size(); ++k) {
    if (k == parameters_.size()) place_.parameters = parameters_;
    ComputedSlot& slot = computed_[k];
    if (!first && (slot.axes & changed) == 0) continue;
    const Result<std::uint32_t> bits = compute(slot);
    if (!bits) {
      return fail(fmt::format("{} of program {} at ({}, {}): {}", slot.name, program_.name, x, y,
                              bits.error()));
    }
    slots_[kBuiltinSlotCount + k] = *bits;
    if (k < parameters_.size()) parameters_[k] = from_bits(*bits, slot.type);
  }
  place_.parameters = parameters_;
  has_values_ = true;
  return {};
}

Result<std::uint32_t> PlacementValues::compute(ComputedSlot& slot) {
  const auto column = static_cast<std::size_t>(place_.x - rect_.x.first);
  const auto columns = static_cast<std::size_t>(rect_.x.last - rect_.x.first) + 1;
  const bool kept = slot.axes == kX && rect_.y.count() > 1 && column < columns;
  if (kept) {
    slot.by_column.resize(columns);
    if (slot.by_column[column]) return *slot.by_column[column];
  }
  const Result<std::uint32_t> bits = bits_of(*slot.formula, place_, slot.type);
  if (bits && kept) slot.by_column[column] = *bits;
  return bits;
}

Result<std::uint32_t> PlacementValues::seed() {
  if (!program_.seed) return kRandomSeed;
  place_.i = 0;
  Result<std::uint32_t> bits = bits_of(program_.seed->value, place_, Type::U32);
  if (bits) bits = checked_seed(*bits);
  if (bits) return bits;
  return fail(fmt::format("the seed of program {} at ({}, {}): {}", program_.name, place_.x,
                          place_.y, bits.error()));
}

Result<std::uint32_t> PlacementValues::initial(const Symbol& symbol, std::uint32_t i) {
  if (symbol.initial) return initial(symbol, i, *symbol.initial);
  const auto listed = std::ranges::lower_bound(symbol.formulas, i, {}, &ListedFormula::element);
  if (listed != symbol.formulas.end() && listed->element == i) {
    return initial(symbol, i, listed->formula);
  }
  return i < symbol.values.size() ? symbol.values[i] : 0u;
}

Result<std::uint32_t> PlacementValues::initial(const Symbol& symbol, std::uint32_t i,
                                               const Formula& formula) {
  place_.i = i;
  const Result<Number> value = evaluate(formula, place_);
  const Result<std::uint32_t> bits =
      value ? to_bits(*value, symbol.type) : Result<std::uint32_t>(std::unexpected(value.error()));
  if (!bits) {
    return fail(fmt::format("initial value of {}[{}] at ({}, {}): {}", symbol.name, i, place_.x,
                            place_.y, bits.error()));
  }
  return *bits;
}

Status PlacementValues::fill(const Symbol& symbol, std::byte* to) {
  if (!symbol.has_initial()) return {};
  InitialData& data = data_[index_of(symbol)];
  if ((data.axes & kX) != 0) return fill_elements(symbol, to);
  if (!data.bytes) {
    std::vector<std::byte> bytes(symbol.bytes());
    if (Status status = fill_elements(symbol, bytes.data()); !status) return status;
    while (!bytes.empty() && bytes.back() == std::byte{0}) bytes.pop_back();
    data.bytes = std::move(bytes);
  }
  std::ranges::copy(*data.bytes, to);
  return {};
}

Status PlacementValues::fill_elements(const Symbol& symbol, std::byte* to) {
  const std::size_t bytes = info(symbol.type).bytes;
  if (!symbol.initial) return fill_list(symbol, bytes, to);
  if (row_.fill(*symbol.initial, place_, symbol.type, symbol.count, to)) return {};
  for (std::uint32_t i = 0; i < symbol.count; ++i) {
    const Result<std::uint32_t> value = initial(symbol, i);
    if (!value) return std::unexpected(value.error());
    std::memcpy(to + i * bytes, &*value, bytes);
  }
  return {};
}

Status PlacementValues::fill_list(const Symbol& symbol, std::size_t bytes, std::byte* to) {
  for (std::size_t i = 0; i < symbol.values.size(); ++i) {
    if (symbol.values[i] != 0) std::memcpy(to + i * bytes, &symbol.values[i], bytes);
  }
  for (const ListedFormula& listed : symbol.formulas) {
    const Result<std::uint32_t> value = initial(symbol, listed.element, listed.formula);
    if (!value) return std::unexpected(value.error());
    std::memcpy(to + listed.element * bytes, &*value, bytes);
  }
  return {};
}

}  // namespace wse::isa
