// The values that differ from PE to PE of one placement: parameter slots and initial data.
//
// One object is moved from PE to PE, so that loading a wafer allocates nothing per PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/formula_row.h"
#include "isa/image.h"

namespace wse::isa {

class PlacementValues {
 public:
  // `image` and `placement` must live longer than this object.
  PlacementValues(const Image& image, const Placement& placement);

  // Computes the slots at (x, y). Errors: a formula fails or its value does not fit its type; the
  // text names the parameter.
  Status move_to(std::uint32_t x, std::uint32_t y);

  // In slot order: x, y, width, height, parameters, derived values.
  std::span<const std::uint32_t> slots() const { return slots_; }

  // Element `i` of the initial value of `symbol` at the present PE; 0 without an initial value.
  Result<std::uint32_t> initial(const Symbol& symbol, std::uint32_t i);

  // Writes the initial value of a whole symbol of the program to `to`, which holds zeros; what is
  // zero is not written where that is known, so that nobody touches its memory. Errors: of the
  // first element that has none.
  Status fill(const Symbol& symbol, std::byte* to);

 private:
  Status fill_elements(const Symbol& symbol, std::byte* to);

  const Image& image_;
  const Placement& placement_;
  const Program& program_;
  std::vector<Number> globals_;
  std::vector<Number> parameters_;
  std::vector<std::uint32_t> slots_;
  FormulaPlace place_;
  FormulaRow row_;
  // By symbol: what it is at every PE of the placement, without zeros at its end.
  std::vector<std::optional<std::vector<std::byte>>> alike_;
};

}  // namespace wse::isa
