// Elements and slices of arrays: one subscript for each dimension, as in NumPy. An index drops its
// dimension; dimensions that one stride can walk through become one.
#include <algorithm>
#include <cstdlib>

#include "asm/program/operands.h"
#include "isa/support/mutant.h"

namespace wse::assembler {

using isa::Formula;
using isa::FormulaOp;
using isa::Number;
using isa::Result;
using Level = FormulaScope::Level;

namespace {

// A byte address: a constant and terms that differ from PE to PE, in the order of the subscripts.
class AddressSum {
 public:
  explicit AddressSum(std::int64_t base) : base_(base) {}

  void add(std::int64_t bytes, const Formula& index) {
    if (index.is_constant()) {
      base_ += bytes * index.nodes[0].constant.integer;
    } else {
      terms_.push_back({bytes, index});
    }
  }
  Result<Formula> result() const {
    Result<Formula> sum = formula_of(base_);
    for (const Term& term : terms_) {
      const Result<Formula> product = join(FormulaOp::Multiply, formula_of(term.bytes), term.index);
      if (!sum || !product) return sum ? product : sum;
      const bool neutral = sum->is_constant() && sum->nodes[0].constant.integer == 0;
      sum = neutral ? product : join(FormulaOp::Add, *sum, *product);
    }
    return sum;
  }

 private:
  struct Term {
    std::int64_t bytes;
    Formula index;
  };
  std::int64_t base_;
  std::vector<Term> terms_;
};

std::optional<std::int64_t> constant_of(const Formula& formula) {
  if (!formula.is_constant()) return std::nullopt;
  return formula.nodes[0].constant.integer;
}

// Elements between neighbours along dimension k.
std::int64_t pitch_of(const isa::Symbol& array, std::size_t k) {
  std::int64_t pitch = 1;
  for (std::size_t j = k + 1; j < array.dimensions(); ++j) pitch *= array.extent(j);
  return pitch;
}

// Fewer dimensions with the same elements in the same order, where constants show it.
Result<std::vector<Walk>> collapsed(const std::vector<Walk>& walks) {
  std::vector<Walk> made;
  for (const Walk& inner : walks) {
    const std::optional<std::int64_t> length = constant_of(inner.length);
    if (length == 0) return std::vector<Walk>{inner};
    if (length == 1 && walks.size() > 1) continue;
    const bool adjoins = isa::mutant(isa::Mutant::WalksJoin) || !length || made.empty() ||
                         made.back().stride == *length * inner.stride;
    const bool joins = !made.empty() && length && adjoins;
    if (!joins) {
      made.push_back(inner);
      continue;
    }
    Result<Formula> both = join(FormulaOp::Multiply, made.back().length, inner.length);
    if (!both) return std::unexpected(both.error());
    made.back() = {std::move(*both), inner.stride};
  }
  if (made.empty()) made.push_back(walks.back());
  return made;
}

// "a[0, :]" for an array of two dimensions.
std::string example_of(const isa::Symbol& array) {
  std::string text = array.name + "[0";
  for (std::size_t k = 1; k < array.dimensions(); ++k) text += ", :";
  return text + "]";
}

}  // namespace

std::vector<ExprId> OperandReader::subscripts_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Subscripts) return {id};
  std::vector<ExprId> ids;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    ids.push_back(c_.unit.arguments[expr.first + k].value);
  }
  return ids;
}

std::optional<Operand> OperandReader::read_subscripts(ExprId id) {
  const Expr& expr = c_.unit[id];
  const isa::Symbol* array = array_of(expr);
  if (array == nullptr) return std::nullopt;
  const std::vector<ExprId> ids = subscripts_of(id);
  const Expr& first = c_.unit[ids[0]];
  if (ids.size() == 1 && first.kind == ExprKind::Index && is_fabric_call(first.child[0])) {
    return indexed(whole_array(*array, expr.where), first.child[0], expr.where);
  }
  if (ids.size() != array->dimensions()) {
    c_.reporter.report(Problem::SubscriptCount, expr.where, array->name,
                       counted(static_cast<std::int64_t>(array->dimensions()), "dimension"),
                       ids.size(), example_of(*array));
    return std::nullopt;
  }
  const std::int64_t bytes = isa::info(array->type).bytes;
  const bool walks_on =
      std::ranges::any_of(ids, [this](ExprId k) { return c_.unit[k].kind == ExprKind::Slice; });
  Operand made{.kind = OperandKind::Memory, .where = expr.where, .element = array->type};
  AddressSum address(array->address);
  std::vector<Walk> walks;
  RunTimePart part;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const Expr& subscript = c_.unit[ids[k]];
    const std::int64_t pitch = pitch_of(*array, k);
    if (subscript.kind == ExprKind::Slice) {
      const std::optional<Span> span = read_span(subscript, *array, k);
      if (!span) return std::nullopt;
      address.add(bytes * pitch, span->first);
      walks.push_back({span->length, span->step * pitch});
      if (span->first_register) part.terms.push_back({*span->first_register, bytes * pitch});
      if (span->length_register) part.length_register = span->length_register;
      if (span->step_register) part.stride = RegisterTerm{*span->step_register, pitch};
    } else if (const auto number = index_register(subscript.child[0])) {
      part.terms.push_back({*number, (walks_on ? bytes : 1) * pitch});
    } else {
      std::optional<Formula> index = read_index(subscript, *array, k);
      if (!index) return std::nullopt;
      address.add(bytes * pitch, *index);
    }
  }
  std::optional<Formula> sum = computed(address.result(), expr);
  if (!sum) return std::nullopt;
  made.formula = std::move(*sum);
  if (walks.empty()) {
    const bool is_index = part.terms.size() == 1 && part.terms[0].times == 1;
    if (is_index) made.index = part.terms[0].number;
    if (!is_index) made.terms = std::move(part.terms);
    return made;
  }
  if ((part.length_register || part.stride) && walks.size() > 1) {
    c_.reporter.report(Problem::RegisterLength, expr.where,
                       part.length_register ? "the number of elements" : "a step");
    return std::nullopt;
  }
  return walked(made, walks, std::move(part), expr);
}

// A descriptor from the element at `start` on.
std::optional<Operand> OperandReader::walked(const Operand& start, const std::vector<Walk>& walks,
                                             RunTimePart part, const Expr& expr) {
  const Result<std::vector<Walk>> fewer = collapsed(walks);
  if (!fewer) {
    c_.reporter.report(Problem::CannotCompute, expr.where, fewer.error());
    return std::nullopt;
  }
  Operand made{.kind = OperandKind::Descriptor, .where = expr.where};
  DescriptorPlan& plan = made.descriptor.emplace();
  plan.address = start.formula;
  plan.element = start.element;
  plan.run_time = std::move(part);
  for (const Walk& walk : *fewer) {
    if (walk.stride < -isa::kMaxStride || walk.stride > isa::kMaxStride) {
      c_.reporter.report(Problem::NotInRange, expr.where, "the distance of two elements",
                         -isa::kMaxStride, isa::kMaxStride, walk.stride);
      return std::nullopt;
    }
    std::optional<Formula> length = computed(walk.length, expr);
    if (!length) return std::nullopt;
    plan.add_dimension(std::move(*length), static_cast<std::int32_t>(walk.stride));
  }
  return made;
}

// The index along dimension k, which is no register.
std::optional<Formula> OperandReader::read_index(const Expr& subscript, const isa::Symbol& array,
                                                 std::size_t k) {
  const ExprId id = subscript.child[0];
  if (id == kNoExpr) return std::nullopt;
  std::optional<Formula> index = integer(id);
  if (!index || !index->is_constant()) return index;
  const std::int64_t value = index->nodes[0].constant.integer;
  if (value >= 0 && value < array.extent(k)) return index;
  c_.reporter.report(Problem::IndexRange, c_.unit[id].where, value, array.name,
                     counted(array.extent(k), "element"));
  return std::nullopt;
}

std::optional<std::uint32_t> OperandReader::index_register(ExprId id) const {
  if (id == kNoExpr) return std::nullopt;
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name || expr.grouped) return std::nullopt;
  const std::optional<std::uint32_t> number = register_number(expr.text, 'r');
  if (number && *number < isa::kRegisters) return number;
  const Meaning* meaning = c_.names.find(expr.text);
  if (meaning == nullptr || meaning->kind != NameKind::Register) return std::nullopt;
  const std::uint32_t named = c_.registers[meaning->index];
  return named == kNoRegister ? std::nullopt : std::optional(named);
}

// The slice a:b:step, or a:+n:step, along dimension k.
std::optional<OperandReader::Span> OperandReader::read_span(const Expr& slice,
                                                            const isa::Symbol& array,
                                                            std::size_t k) {
  if (slice.counts) return read_counted(slice, array, k);
  std::optional<Formula> bounds[2];
  for (int side = 0; side < 2; ++side) {
    const ExprId id = slice.child[side];
    if (id == kNoExpr) continue;
    if (index_register(id)) {
      c_.reporter.report(Problem::RegisterBound, c_.unit[id].where, array.name, c_.unit[id].text);
      return std::nullopt;
    }
    bounds[side] = integer(id);
    if (!bounds[side]) return std::nullopt;
  }
  if (index_register(slice.child[2])) {
    const Expr& step = c_.unit[slice.child[2]];
    c_.reporter.report(Problem::RegisterStep, step.where, array.name, step.text);
    return std::nullopt;
  }
  const std::optional<std::int64_t> step = read_step(slice);
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

std::optional<std::int64_t> OperandReader::read_step(const Expr& slice) {
  if (slice.child[2] == kNoExpr) return 1;
  return c_.formulas(Level::Fixed)
      .whole(slice.child[2], "the step", -isa::kMaxStride, isa::kMaxStride);
}

// `length` elements from `first` on, each a register or a value.
std::optional<OperandReader::Span> OperandReader::read_counted(const Expr& slice,
                                                               const isa::Symbol& array,
                                                               std::size_t k) {
  const std::optional<std::uint32_t> step_register = index_register(slice.child[2]);
  const std::optional<std::int64_t> step = step_register ? 1 : read_step(slice);
  if (!step) return std::nullopt;
  Span span{formula_of(0),
            formula_of(1),
            *step,
            index_register(slice.child[0]),
            index_register(slice.child[1]),
            step_register};
  if (slice.child[0] != kNoExpr && !span.first_register) {
    std::optional<Formula> first = integer(slice.child[0], "the first element", 0, array.extent(k));
    if (!first) return std::nullopt;
    span.first = std::move(*first);
  }
  if (slice.child[1] == kNoExpr) {
    c_.reporter.report(Problem::NoCount, slice.where, array.name);
    return std::nullopt;
  }
  if (!span.length_register) {
    std::optional<Formula> length = integer(slice.child[1], "a length", 0, isa::kMaxLength);
    if (!length) return std::nullopt;
    span.length = std::move(*length);
  }
  return check_counted(slice, array, k, span) ? std::optional(std::move(span)) : std::nullopt;
}

// Where it is constant from which element on, its last one must lie inside too.
bool OperandReader::check_counted(const Expr& slice, const isa::Symbol& array, std::size_t k,
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

// What is constant must lie inside: 0..extent forwards, extent-1..-1 backwards.
bool OperandReader::check_bounds(const Expr& slice, const isa::Symbol& array, std::size_t k,
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
