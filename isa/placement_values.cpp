// Evaluates the formulas of a placement PE by PE.
#include "isa/placement_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace wse::isa {
namespace {

bool same_at_all_pes(const Formula& formula) {
  return !uses(formula, FormulaOp::X) && !uses(formula, FormulaOp::Y) &&
         !uses(formula, FormulaOp::Parameter);
}

}  // namespace

PlacementValues::PlacementValues(const Image& image, const Placement& placement)
    : image_(image), placement_(placement), program_(image.programs[placement.program]) {
  for (const GlobalParameter& global : image.parameters) globals_.push_back(global.value);
  parameters_.resize(program_.parameters.size());
  slots_.resize(program_.slot_count());
  place_.width = image.width;
  place_.height = image.height;
  place_.globals = globals_;
  alike_.resize(program_.symbols.size());
}

Status PlacementValues::move_to(std::uint32_t x, std::uint32_t y) {
  place_.x = x;
  place_.y = y;
  place_.parameters = {};
  slots_[0] = x;
  slots_[1] = y;
  slots_[2] = image_.width;
  slots_[3] = image_.height;
  std::size_t slot = kBuiltinSlotCount;
  const auto store = [&](const Result<Number>& value, Type type, std::string_view name) -> Status {
    const Result<std::uint32_t> bits =
        value ? to_bits(*value, type) : Result<std::uint32_t>(std::unexpected(value.error()));
    if (!bits) {
      return fail(
          fmt::format("{} of program {} at ({}, {}): {}", name, program_.name, x, y, bits.error()));
    }
    slots_[slot++] = *bits;
    return {};
  };
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const Parameter& parameter = program_.parameters[k];
    const Result<Number> value = evaluate(placement_.arguments[k], place_);
    if (Status status = store(value, parameter.type, parameter.name); !status) return status;
    parameters_[k] = from_bits(slots_[slot - 1], parameter.type);
  }
  place_.parameters = parameters_;
  for (const DerivedSlot& derived : program_.derived) {
    const Result<Number> value = evaluate(derived.formula, place_);
    if (Status status = store(value, derived.type, "a value"); !status) return status;
  }
  return {};
}

Result<std::uint32_t> PlacementValues::initial(const Symbol& symbol, std::uint32_t i) {
  if (!symbol.initial) return 0u;
  place_.i = i;
  const Result<Number> value = evaluate(*symbol.initial, place_);
  const Result<std::uint32_t> bits =
      value ? to_bits(*value, symbol.type) : Result<std::uint32_t>(std::unexpected(value.error()));
  if (!bits) {
    return fail(fmt::format("initial value of {}[{}] at ({}, {}): {}", symbol.name, i, place_.x,
                            place_.y, bits.error()));
  }
  return *bits;
}

Status PlacementValues::fill(const Symbol& symbol, std::byte* to) {
  if (!symbol.initial) return {};
  if (!same_at_all_pes(*symbol.initial)) return fill_elements(symbol, to);
  std::optional<std::vector<std::byte>>& alike =
      alike_[static_cast<std::size_t>(&symbol - program_.symbols.data())];
  if (!alike) {
    std::vector<std::byte> bytes(symbol.bytes());
    if (Status status = fill_elements(symbol, bytes.data()); !status) return status;
    while (!bytes.empty() && bytes.back() == std::byte{0}) bytes.pop_back();
    alike = std::move(bytes);
  }
  std::ranges::copy(*alike, to);
  return {};
}

Status PlacementValues::fill_elements(const Symbol& symbol, std::byte* to) {
  if (row_.fill(*symbol.initial, place_, symbol.type, symbol.count, to)) return {};
  const std::size_t bytes = info(symbol.type).bytes;
  for (std::uint32_t i = 0; i < symbol.count; ++i) {
    const Result<std::uint32_t> value = initial(symbol, i);
    if (!value) return std::unexpected(value.error());
    std::memcpy(to + i * bytes, &*value, bytes);
  }
  return {};
}

}  // namespace wse::isa
