// Checks that need values: what expectations are about, and parameters PE by PE.
#include <algorithm>

#include "asm/mesh/mesh_checks.h"
#include "asm/mesh/varying_pes.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {

using isa::FormulaOp;

void MeshChecker::resolve_expectations(std::vector<PlacedExpectation>& expectations) {
  std::erase_if(expectations, [this](PlacedExpectation& e) { return !resolve(e); });
}

bool MeshChecker::resolve(PlacedExpectation& expectation) {
  const isa::Expectation& e = expectation.item;
  if (e.subject == isa::Expectation::Subject::Cycles) return true;
  std::optional<std::uint32_t> checked;  // the program of the former PE
  return isa::for_each_until(e.rect, [&](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t placement = program_at_[cell(x, y)];
    const std::uint32_t program = placement == kNobody ? kNobody : placed_programs_[placement];
    if (program == checked) return true;
    const isa::Symbol* symbol = expected_symbol(expectation, program, x, y);
    if (symbol == nullptr) return false;
    if (!checked && !resolve_elements(expectation, *symbol)) return false;
    checked = program;
    const std::uint64_t end = std::uint64_t{e.first} + e.count;
    if (end <= symbol->count) return true;
    reporter_.report(Problem::ExpectRange, unit_[expectation.syntax->subject].where, e.symbol, x, y,
                     counted(symbol->count, "element"), fmt::format("element {}", end - 1));
    return false;
  });
}

// The data of that name in the program at (x, y); reported if there are none.
const isa::Symbol* MeshChecker::expected_symbol(const PlacedExpectation& expectation,
                                                std::uint32_t program, std::int64_t x,
                                                std::int64_t y) {
  const std::string& name = expectation.item.symbol;
  const isa::Program* here = program == kNobody ? nullptr : &image_.programs[program];
  const isa::Symbol* symbol = here == nullptr ? nullptr : here->find_symbol(name);
  if (symbol != nullptr) return symbol;
  Suggestion suggestion(name, reporter_);
  if (here != nullptr) {
    for (const isa::Symbol& other : here->symbols) suggestion.offer(other.name);
  }
  reporter_.report(Problem::ExpectNothing, unit_[expectation.syntax->subject].where, x, y, name,
                   suggestion.best());
  return nullptr;
}

// The element that constant subscripts name, one for each dimension.
std::optional<std::uint32_t> MeshChecker::flat_index(const Expr& subject,
                                                     const isa::Symbol& symbol) {
  if (subject.count != symbol.dimensions()) {
    std::string all = symbol.name + "[0";
    for (std::size_t k = 1; k < symbol.dimensions(); ++k) all += ", 0";
    reporter_.report(Problem::SubscriptCount, subject.where, symbol.name,
                     counted(static_cast<std::int64_t>(symbol.dimensions()), "dimension"),
                     subject.count, all + "]");
    return std::nullopt;
  }
  std::uint32_t flat = 0;
  for (std::uint32_t k = 0; k < subject.count; ++k) {
    const Expr& subscript = unit_[unit_.arguments[subject.first + k].value];
    if (subscript.kind == ExprKind::Slice) {
      reporter_.report(Problem::Expected, subscript.where, "the number of an element", "a slice");
      return std::nullopt;
    }
    FormulaBuilder builder(unit_, globals_, reporter_, {FormulaScope::Level::Fixed});
    const std::optional<std::int64_t> index = builder.whole(
        subscript.child[0], "the number of an element", 0, std::int64_t{symbol.extent(k)} - 1);
    if (!index) return std::nullopt;
    flat = flat * symbol.extent(k) + static_cast<std::uint32_t>(*index);
  }
  return flat;
}

// `v`: all elements; `v[k]`, `v[a:b]`: counted through all dimensions; `a[j, k]`. Bounds are
// constants.
bool MeshChecker::resolve_elements(PlacedExpectation& expectation, const isa::Symbol& symbol) {
  isa::Expectation& e = expectation.item;
  const Expr& subject = unit_[expectation.syntax->subject];
  e.first = 0;
  e.count = symbol.count;
  if (subject.kind == ExprKind::Name) return true;
  if (subject.kind == ExprKind::Subscripts) {
    const std::optional<std::uint32_t> flat = flat_index(subject, symbol);
    e.first = flat.value_or(0);
    e.count = 1;
    return flat.has_value();
  }
  if (subject.child[2] != kNoExpr) {
    reporter_.report(Problem::Expected, unit_[subject.child[2]].where, "a slice without a step",
                     "a step");
    return false;
  }
  const auto bound = [&](ExprId id, std::int64_t otherwise) -> std::optional<std::int64_t> {
    if (id == kNoExpr) return otherwise;
    FormulaBuilder builder(unit_, globals_, reporter_, {FormulaScope::Level::Fixed});
    return builder.whole(id, "the number of an element", 0, ~0u);
  };
  const std::optional<std::int64_t> from = bound(subject.child[0], 0);
  if (!from) return false;
  std::optional<std::int64_t> to = *from + 1;
  if (subject.kind == ExprKind::Slice) to = bound(subject.child[1], symbol.count);
  if (!to) return false;
  e.first = static_cast<std::uint32_t>(*from);
  e.count = static_cast<std::uint32_t>(std::max<std::int64_t>(0, *to - *from));
  return true;
}

// Stops where placements cover more PEs than there are: they overlap, which is reported.
void MeshChecker::check_values(const std::vector<PlacedProgram>& placements) {
  std::int64_t free = std::int64_t{image_.width} * image_.height;
  for (const PlacedProgram& placed : placements) {
    const isa::StridedRect& rect = placed.item.rect;
    if (rect.empty()) continue;
    free -= rect.x.count() * rect.y.count();
    if (free < 0) return;
    check_values_of(placed);
  }
}

void MeshChecker::check_values_of(const PlacedProgram& placed) {
  const isa::Program& program = image_.programs[placed.item.program];
  const isa::StridedRect rect = varying_pes(program, placed.item);
  isa::PlacementValues values(image_, placed.item);
  const isa::SourceRange& where = placed.syntax->program.where;
  bool first = true;
  bool good = true;
  for (std::int64_t y = rect.y.first; y <= rect.y.last && good; y += rect.y.step) {
    for (std::int64_t x = rect.x.first; x <= rect.x.last && good; x += rect.x.step) {
      const auto status =
          values.move_to(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
      good = status.has_value();
      if (!good) reporter_.report(Problem::BadValue, where, status.error());
      good = good && check_colours(program, values, where, x, y);
      good = good && check_seed(values, where);
      good = good && check_task_ids(placed, values, x, y);
      if (good && first) good = check_initial_values(program, values, where);
      first = false;
    }
  }
}

bool MeshChecker::check_colours(const isa::Program& program, const isa::PlacementValues& values,
                                const isa::SourceRange& where, std::int64_t x, std::int64_t y) {
  for (std::size_t k = 0; k < program.parameters.size(); ++k) {
    const std::uint32_t value = values.slots()[isa::kBuiltinSlotCount + k];
    if (program.parameters[k].type != isa::Type::Colour || value < isa::kMaxColours) continue;
    reporter_.report(Problem::BadValue, where,
                     fmt::format("{} of program {} at ({}, {}): {} is no colour",
                                 program.parameters[k].name, program.name, x, y, value));
    return false;
  }
  return true;
}

bool MeshChecker::check_seed(isa::PlacementValues& values, const isa::SourceRange& where) {
  const isa::Result<std::uint32_t> seed = values.seed();
  if (!seed) reporter_.report(Problem::BadValue, where, seed.error());
  return seed.has_value();
}

bool MeshChecker::check_initial_values(const isa::Program& program, isa::PlacementValues& values,
                                       const isa::SourceRange& where) {
  for (const isa::Symbol& symbol : program.symbols) {
    const auto is_good = [&](std::uint32_t i) {
      const isa::Result<std::uint32_t> bits = values.initial(symbol, i);
      if (!bits) reporter_.report(Problem::BadValue, where, bits.error());
      return bits.has_value();
    };
    for (const isa::ListedFormula& listed : symbol.formulas) {
      if (!is_good(listed.element)) return false;
    }
    if (!symbol.initial) continue;
    const bool varies = isa::uses(*symbol.initial, FormulaOp::I);
    for (std::uint32_t i = 0; i < (varies ? symbol.count : std::min(symbol.count, 1u)); ++i) {
      if (!is_good(i)) return false;
    }
  }
  return true;
}

}  // namespace wse::assembler
