// Reads the parts of a slice; what is constant must lie inside the array.
#include "asm/program/slice_reader.h"

#include <cstdlib>

#include "asm/program/slice_formulas.h"

namespace wse::assembler {

using isa::Formula;
using isa::Result;
using Level = FormulaScope::Level;

// The slice a:b:step, or a:+n:step, along dimension k.
std::optional<Span> SliceReader::read(const Expr& slice, const isa::Symbol& array, std::size_t k) {
  if (slice.counts) return counted_span(slice, array, k);
  std::optional<Formula> bounds[2];
  for (int side = 0; side < 2; ++side) {
    const ExprId id = slice.child[side];
    if (id == kNoExpr) continue;
    if (values_.register_of(id)) {
      c_.reporter.report(Problem::RegisterBound, c_.unit[id].where, array.name, c_.unit[id].text);
      return std::nullopt;
    }
    bounds[side] = values_.integer(id);
    if (!bounds[side]) return std::nullopt;
  }
  if (values_.register_of(slice.child[2])) {
    const Expr& step = c_.unit[slice.child[2]];
    c_.reporter.report(Problem::RegisterStep, step.where, array.name, step.text);
    return std::nullopt;
  }
  const std::optional<std::int64_t> step = step_of(slice);
  if (!step) return std::nullopt;
  if (*step == 0) {
    c_.reporter.report(Problem::ZeroStep, c_.unit[slice.child[2]].where, array.name);
    return std::nullopt;
  }
  if (!check_bounds(slice, array, k, bounds, *step)) return std::nullopt;
  const Result<SliceFormulas> parts = slice_formulas(bounds[0], bounds[1], *step, array.extent(k));
  if (!parts) {
    c_.reporter.report(Problem::CannotCompute, slice.where, parts.error());
    return std::nullopt;
  }
  return Span{parts->first, parts->length, *step};
}

std::optional<std::int64_t> SliceReader::step_of(const Expr& slice) {
  if (slice.child[2] == kNoExpr) return 1;
  return c_.formulas(Level::Fixed)
      .whole(slice.child[2], "the step", -isa::kMaxStride, isa::kMaxStride);
}

// `length` elements from `first` on, each a register or a value.
std::optional<Span> SliceReader::counted_span(const Expr& slice, const isa::Symbol& array,
                                              std::size_t k) {
  const std::optional<std::uint32_t> step_register = values_.register_of(slice.child[2]);
  const std::optional<std::int64_t> step = step_register ? 1 : step_of(slice);
  if (!step) return std::nullopt;
  Span span{formula_of(0),
            formula_of(1),
            *step,
            values_.register_of(slice.child[0]),
            values_.register_of(slice.child[1]),
            step_register};
  if (slice.child[0] != kNoExpr && !span.first_register) {
    std::optional<Formula> first =
        values_.integer(slice.child[0], "the first element", 0, array.extent(k));
    if (!first) return std::nullopt;
    span.first = std::move(*first);
  }
  if (slice.child[1] == kNoExpr) {
    c_.reporter.report(Problem::NoCount, slice.where, array.name);
    return std::nullopt;
  }
  if (!span.length_register) {
    std::optional<Formula> length = values_.integer(slice.child[1], "a length", 0, isa::kMaxLength);
    if (!length) return std::nullopt;
    span.length = std::move(*length);
  }
  return check_counted(slice, array, k, span) ? std::optional(std::move(span)) : std::nullopt;
}

// Where it is constant from which element on, its last one must lie inside too.
bool SliceReader::check_counted(const Expr& slice, const isa::Symbol& array, std::size_t k,
                                const Span& span) {
  const std::optional<std::int64_t> length = constant_of(span.length);
  if (span.length_register || span.step_register || !length || *length == 0) return true;
  const std::int64_t extent = array.extent(k);
  const std::int64_t way = (*length - 1) * span.step;  // from the first element to the last
  const std::optional<std::int64_t> first = constant_of(span.first);
  const bool fits = span.first_register || !first ? std::abs(way) < extent
                                                  : *first + way >= 0 && *first + way < extent;
  if (fits) return true;
  c_.reporter.report(Problem::CountedRange, slice.where, counted(*length, "element"), array.name,
                     counted(extent, "element"));
  return false;
}

// Bounds that are constant must lie inside: 0..extent forwards, extent-1..-1 backwards.
bool SliceReader::check_bounds(const Expr& slice, const isa::Symbol& array, std::size_t k,
                               const std::optional<Formula> (&bounds)[2], std::int64_t step) {
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = std::int64_t{array.extent(k)} + least;
  for (const std::optional<Formula>& bound : bounds) {
    if (!bound || !bound->is_constant()) continue;
    const std::int64_t value = bound->nodes[0].constant.integer;
    if (value >= least && value <= most) continue;
    const auto shown = [&](const std::optional<Formula>& formula) {
      return formula && formula->is_constant() ? isa::to_text(formula->nodes[0].constant)
                                               : std::string(formula ? "..." : "");
    };
    c_.reporter.report(Problem::SliceRange, slice.where, shown(bounds[0]), shown(bounds[1]),
                       array.name, counted(array.extent(k), "element"));
    return false;
  }
  return true;
}

}  // namespace wse::assembler
