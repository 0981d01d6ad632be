// Elements and slices of arrays: one subscript for each dimension, as in NumPy. An index drops its
// dimension; dimensions that one stride can walk through become one.
#pragma once

#include <optional>
#include <vector>

#include "asm/program/fabric_reader.h"
#include "asm/program/slice_reader.h"

namespace wse::assembler {

// `length` elements, `stride` elements of the array apart.
struct Walk {
  isa::Formula length{};
  std::int64_t stride = 1;
};

class SubscriptReader {
 public:
  SubscriptReader(ProgramContext& context, ValueReader& values, FabricReader& fabric)
      : c_(context), values_(values), fabric_(fabric), slices_(context, values) {}

  // Reads `array[...]`: a place in memory, or a descriptor if a slice is in it. Returns nothing
  // after an error, which is reported.
  std::optional<OperandPlan> read(ExprId id);

 private:
  const isa::Symbol* array_of(const Expr& expr);
  std::vector<ExprId> subscripts_of(ExprId id) const;
  std::optional<isa::Formula> read_index(const Expr& subscript, const isa::Symbol& array,
                                         std::size_t k);
  std::optional<OperandPlan> walked(const OperandPlan& start, const std::vector<Walk>& walks,
                                    RunTimePart part, const Expr& expr);

  ProgramContext& c_;
  ValueReader& values_;
  FabricReader& fabric_;
  SliceReader slices_;
};

}  // namespace wse::assembler
