// Sums up the address and collects the dimensions that are left; joins what one stride can walk.
#include "asm/program/subscript_reader.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::assembler {

namespace {

using isa::Formula;
using isa::FormulaOp;
using isa::Result;

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

std::vector<ExprId> SubscriptReader::subscripts_of(ExprId id) const {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Subscripts) return {id};
  std::vector<ExprId> ids;
  for (std::uint32_t k = 0; k < expr.count; ++k) {
    ids.push_back(c_.unit.arguments[expr.first + k].value);
  }
  return ids;
}

std::optional<OperandPlan> SubscriptReader::read(ExprId id) {
  const Expr& expr = c_.unit[id];
  const isa::Symbol* array = array_of(expr);
  if (array == nullptr) return std::nullopt;
  const std::vector<ExprId> ids = subscripts_of(id);
  const Expr& first = c_.unit[ids[0]];
  if (ids.size() == 1 && first.kind == ExprKind::Index && fabric_.is_input(first.child[0])) {
    return fabric_.indexed(whole_array(*array, expr.where), first.child[0], expr.where);
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
  OperandPlan made{.kind = OperandKind::Memory, .where = expr.where, .element = array->type};
  AddressSum address(array->address);
  std::vector<Walk> walks;
  RunTimePart part;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const Expr& subscript = c_.unit[ids[k]];
    const std::int64_t pitch = pitch_of(*array, k);
    if (subscript.kind == ExprKind::Slice) {
      const std::optional<Span> span = slices_.read(subscript, *array, k);
      if (!span) return std::nullopt;
      address.add(bytes * pitch, span->first);
      walks.push_back({span->length, span->step * pitch});
      if (span->first_register) part.terms.push_back({*span->first_register, bytes * pitch});
      if (span->length_register) part.length_register = span->length_register;
      if (span->step_register) part.stride = RegisterTerm{*span->step_register, pitch};
    } else if (const auto number = values_.register_of(subscript.child[0])) {
      part.terms.push_back({*number, (walks_on ? bytes : 1) * pitch});
    } else {
      std::optional<Formula> index = read_index(subscript, *array, k);
      if (!index) return std::nullopt;
      address.add(bytes * pitch, *index);
    }
  }
  std::optional<Formula> sum = values_.computed(address.result(), expr);
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
std::optional<OperandPlan> SubscriptReader::walked(const OperandPlan& start,
                                                   const std::vector<Walk>& walks, RunTimePart part,
                                                   const Expr& expr) {
  const Result<std::vector<Walk>> fewer = collapsed(walks);
  if (!fewer) {
    c_.reporter.report(Problem::CannotCompute, expr.where, fewer.error());
    return std::nullopt;
  }
  OperandPlan made{.kind = OperandKind::Descriptor, .where = expr.where};
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
    std::optional<Formula> length = values_.computed(walk.length, expr);
    if (!length) return std::nullopt;
    plan.add_dimension(std::move(*length), static_cast<std::int32_t>(walk.stride));
  }
  return made;
}

// The index along dimension k, which is no register.
std::optional<Formula> SubscriptReader::read_index(const Expr& subscript, const isa::Symbol& array,
                                                   std::size_t k) {
  const ExprId id = subscript.child[0];
  if (id == kNoExpr) return std::nullopt;
  std::optional<Formula> index = values_.integer(id);
  if (!index || !index->is_constant()) return index;
  const std::int64_t value = index->nodes[0].constant.integer;
  if (value >= 0 && value < array.extent(k)) return index;
  c_.reporter.report(Problem::IndexRange, c_.unit[id].where, value, array.name,
                     counted(array.extent(k), "element"));
  return std::nullopt;
}

// The array before the bracket.
const isa::Symbol* SubscriptReader::array_of(const Expr& expr) {
  isa::SourceRange where = expr.where;
  where.length = static_cast<std::uint32_t>(expr.text.size());
  const Meaning* meaning = c_.names.find(expr.text);
  if (meaning != nullptr && meaning->kind == NameKind::Data) {
    const isa::Symbol& symbol = c_.program.symbols[meaning->index];
    if (symbol.is_array) return c_.broken_names.contains(expr.text) ? nullptr : &symbol;
  }
  if (meaning == nullptr) meaning = c_.globals.names.find(expr.text);
  if (meaning != nullptr) {
    c_.reporter.report(Problem::NotArray, where, describe(meaning->kind), expr.text);
  } else if (!c_.unit.broken_names.contains(expr.text)) {
    Suggestion suggestion(expr.text, c_.reporter);
    for (const isa::Symbol& symbol : c_.program.symbols) suggestion.offer(symbol.name);
    c_.reporter.report(Problem::UnknownName, where, expr.text, suggestion.best());
  }
  return nullptr;
}

}  // namespace wse::assembler
