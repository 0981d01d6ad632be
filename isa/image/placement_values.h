// The values that differ from PE to PE of one placement: parameter slots and initial data.
//
// One object is moved from PE to PE, so that loading a wafer allocates nothing per PE. Values
// that depend on the row alone are computed once per row, on the column alone once per column;
// so whoever visits many PEs goes row by row. Values and errors are the same in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/formula/formula_row.h"
#include "isa/image/image.h"

namespace wse::isa {

// Returns the bits if a generator can begin with them. Errors: it would make zeros alone.
Result<std::uint32_t> checked_seed(std::uint32_t bits);

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

  // Computes the seed of the generator at the present PE. Errors: the formula fails, its value is
  // no u32, or the generator would make zeros alone; the text names program and PE.
  Result<std::uint32_t> seed();

  // Whether the initial value of a symbol of the program is the same at all PEs of the placement.
  bool is_same_at_all_pes(const Symbol& symbol) const { return data_[index_of(symbol)].axes == 0; }
  bool is_same_in_a_row(const Symbol& symbol) const {
    return (data_[index_of(symbol)].axes & kX) == 0;
  }
  bool is_same_in_a_column(const Symbol& symbol) const {
    return (data_[index_of(symbol)].axes & kY) == 0;
  }

  // Writes the initial value of a whole symbol of the program to `to`, which holds zeros; what is
  // zero is not written where that is known, so that nobody touches its memory. Errors: of the
  // first element that has none.
  Status fill(const Symbol& symbol, std::byte* to);

 private:
  // The inputs of a formula, directly or through parameters, as bits.
  static constexpr unsigned kX = 1;
  static constexpr unsigned kY = 2;

  struct ComputedSlot {
    const Formula* formula;
    Type type;
    std::string_view name;
    unsigned axes;
    std::vector<std::optional<std::uint32_t>> by_column;  // if that alone decides, of many rows
  };
  struct InitialData {
    unsigned axes = 0;
    std::optional<std::vector<std::byte>> bytes;  // at the present PE, without zeros at their end
  };

  static unsigned axes_of(const Formula& formula, std::span<const ComputedSlot> parameters);
  std::size_t index_of(const Symbol& symbol) const {
    return static_cast<std::size_t>(&symbol - program_.symbols.data());
  }
  unsigned move(std::uint32_t x, std::uint32_t y);
  Result<std::uint32_t> compute(ComputedSlot& slot);
  Result<std::uint32_t> initial(const Symbol& symbol, std::uint32_t i, const Formula& formula);
  Status fill_elements(const Symbol& symbol, std::byte* to);
  Status fill_list(const Symbol& symbol, std::size_t bytes, std::byte* to);

  const Image& image_;
  const Program& program_;
  const StridedRect& rect_;
  std::vector<Number> globals_;
  std::vector<Number> parameters_;
  std::vector<std::uint32_t> slots_;
  std::vector<ComputedSlot> computed_;  // parameters, derived values
  std::vector<InitialData> data_;       // by symbol
  FormulaPlace place_;
  FormulaRow row_;
  bool has_values_ = false;  // the slots are those of place_
};

}  // namespace wse::isa
