// Slices along one dimension of an array: a:b:step, or a:+n:step, where registers may be.
#pragma once

#include <optional>

#include "asm/program/value_reader.h"

namespace wse::assembler {

// The elements first, first + step ... of a dimension.
struct Span {
  isa::Formula first{};
  isa::Formula length{};
  std::int64_t step = 1;
  std::optional<std::uint32_t> first_register{};  // added to `first`
  std::optional<std::uint32_t> length_register{};
  std::optional<std::uint32_t> step_register{};
};

class SliceReader {
 public:
  SliceReader(ProgramContext& context, ValueReader& values) : c_(context), values_(values) {}

  // Reads the slice along dimension k. Returns nothing after an error, which is reported.
  std::optional<Span> read(const Expr& slice, const isa::Symbol& array, std::size_t k);

 private:
  std::optional<Span> counted_span(const Expr& slice, const isa::Symbol& array, std::size_t k);
  std::optional<std::int64_t> step_of(const Expr& slice);
  bool check_counted(const Expr& slice, const isa::Symbol& array, std::size_t k, const Span& span);
  bool check_bounds(const Expr& slice, const isa::Symbol& array, std::size_t k,
                    const std::optional<isa::Formula> (&bounds)[2], std::int64_t step);

  ProgramContext& c_;
  ValueReader& values_;
};

}  // namespace wse::assembler
