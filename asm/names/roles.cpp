// Evaluates the constants of placements and groups PEs by them.
#include "asm/names/roles.h"

#include <algorithm>
#include <limits>
#include <map>

#include "asm/names/formulas.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;
using Columns = std::vector<isa::StridedRange>;

constexpr std::size_t kMaxRoles = 256;  // of a program
constexpr std::int64_t kFarthestPe = std::numeric_limits<std::int32_t>::max();

// Ascending numbers as few ranges: the longest that begins at the first, and so on.
Columns ranges_of(const std::vector<std::int32_t>& members) {
  Columns ranges;
  for (std::size_t k = 0; k < members.size();) {
    std::size_t end = k + 1;
    const std::int32_t step = end < members.size() ? members[end] - members[k] : 1;
    while (end < members.size() && members[end] - members[end - 1] == step) ++end;
    if (end - k == 2 && end < members.size()) end = k + 1;  // two alone may break a longer one
    const std::int32_t last = members[end - 1];
    ranges.push_back({members[k], last, end - k == 1 ? 1 : step});
    k = end;
  }
  return ranges;
}

class RoleFinder {
 public:
  RoleFinder(const ProgramSyntax& program, Unit& unit, const Globals& globals, Reporter& reporter)
      : program_(program), unit_(unit), globals_(globals), reporter_(reporter) {}

  std::vector<Role> run() {
    for (std::size_t k = 0; k < unit_.placements.size(); ++k) {
      if (unit_.placements[k].program.text == program_.name.text) add_placement(k);
    }
    const bool blocks_only = std::ranges::none_of(program_.parameters, [](const auto& parameter) {
      return parameter.is_constant || parameter.is_optional;
    });
    if (roles_.empty() && blocks_only) roles_.push_back({.where = program_.name.where});
    return std::move(roles_);
  }

 private:
  void add_placement(std::size_t index) {
    PlaceSyntax syntax = unit_.placements[index];
    Role role{.where = syntax.program.where};
    std::vector<ExprId> values;
    std::vector<isa::Formula> formulas;
    if (!read_arguments(syntax, role, values, formulas)) return;
    const bool everywhere_same =
        std::ranges::all_of(formulas, [](const isa::Formula& f) { return f.is_constant(); });
    std::optional<isa::StridedRect> rect;
    if (!everywhere_same) rect = rect_of(syntax.rect);
    if (!everywhere_same && !rect) return;
    if (everywhere_same) {
      for (const isa::Formula& f : formulas) role.constants.push_back(f.nodes[0].constant);
      add(role, {index, std::move(syntax)});
    } else {
      split(role, {index, std::move(syntax)}, *rect, values, formulas);
    }
  }

  // Takes the constants off the arguments: their values and formulas, in the order of parameters.
  bool read_arguments(PlaceSyntax& syntax, Role& role, std::vector<ExprId>& values,
                      std::vector<isa::Formula>& formulas) {
    bool good = true;
    for (const ParameterSyntax& parameter : program_.parameters) {
      const auto named = [&parameter](const Binding& binding) {
        return binding.name.text == parameter.name.text;
      };
      const auto found = std::ranges::find_if(syntax.arguments, named);
      const bool given = found != syntax.arguments.end();
      const bool has_value = given || parameter.value != kNoExpr;
      if (parameter.is_optional) role.given.push_back(has_value);
      if (!parameter.is_constant) continue;
      const ExprId value = given ? found->value : parameter.value;
      if (given) syntax.arguments.erase(found);
      if (const auto again = std::ranges::find_if(syntax.arguments, named);
          again != syntax.arguments.end()) {
        reporter_.report(Problem::Duplicate, again->name.where, again->name.text);
        good = false;
      }
      if (!has_value) {
        reporter_.report(Problem::MissingParameter, syntax.program.where, program_.name.text,
                         parameter.name.text);
        reporter_.note(Remark::DefinedHere, parameter.name.where, parameter.name.text);
        good = false;
        continue;
      }
      std::optional<isa::Formula> formula =
          FormulaBuilder(unit_, globals_, reporter_, {.level = Level::Constants, .place = true})
              .build(value);
      good &= formula.has_value();
      if (formula) formulas.push_back(std::move(*formula));
      values.push_back(value);
    }
    return good;
  }

  // Of PEs that the grid has; what is outside is told where programs are placed.
  std::optional<isa::StridedRect> rect_of(const RectSyntax& syntax) {
    const auto range = [this](const RangeSyntax& r, std::int64_t side) {
      FormulaBuilder builder(unit_, globals_, reporter_, {.level = Level::Constants});
      const auto bound = [&](ExprId id) {
        return builder.whole(id, "a place", -kFarthestPe, kFarthestPe);
      };
      std::optional<isa::StridedRange> made;
      const std::optional<std::int64_t> first = bound(r.first);
      const std::optional<std::int64_t> last = r.last == kNoExpr ? first : bound(r.last);
      std::optional<std::int64_t> step = 1;
      if (r.step != kNoExpr) step = builder.whole(r.step, "the step", 1, kFarthestPe);
      if (!first || !last || !step) return made;
      made = {static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last),
              static_cast<std::int32_t>(*step)};
      if (made->count() > 0 && (made->first < 0 || made->end() >= side)) {
        const isa::StridedRange shown{made->first, static_cast<std::int32_t>(made->end()), 1};
        reporter_.report(Problem::OutsideGrid, r.where,
                         fmt::format("{}..{}", shown.first, shown.last), side, "long");
        made.reset();
      }
      return made;
    };
    if (!globals_.has_grid) return std::nullopt;
    const std::optional<isa::StridedRange> x = range(syntax.x, globals_.width);
    const std::optional<isa::StridedRange> y = range(syntax.y, globals_.height);
    if (!x || !y) return std::nullopt;
    return isa::StridedRect{*x, *y};
  }

  // PEs by their constants: for each set the columns of a row, and the rows that have the same.
  void split(const Role& role, const RolePlacement& placement, const isa::StridedRect& rect,
             const std::vector<ExprId>& values, const std::vector<isa::Formula>& formulas) {
    std::vector<Role> found;
    std::vector<std::vector<std::pair<Columns, std::vector<std::int32_t>>>> rows;  // by role
    for (std::int64_t y = rect.y.first; y <= rect.y.last; y += rect.y.step) {
      std::vector<std::vector<std::int32_t>> columns(found.size());
      for (std::int64_t x = rect.x.first; x <= rect.x.last; x += rect.x.step) {
        Role here = role;
        if (!evaluate_at(x, y, values, formulas, here)) return;
        const auto same =
            std::ranges::find_if(found, [&here](const Role& other) { return other.is_same(here); });
        const auto k = static_cast<std::size_t>(same - found.begin());
        if (same == found.end()) {
          if (found.size() == kMaxRoles) return refuse_more(placement.syntax);
          found.push_back(std::move(here));
          columns.emplace_back();
          rows.emplace_back();
        }
        columns[k].push_back(static_cast<std::int32_t>(x));
      }
      for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k].empty()) continue;
        Columns ranges = ranges_of(columns[k]);
        auto alike = std::ranges::find(rows[k], ranges,
                                       &std::pair<Columns, std::vector<std::int32_t>>::first);
        if (alike == rows[k].end())
          alike = rows[k].emplace(alike, std::move(ranges), std::vector<std::int32_t>());
        alike->second.push_back(static_cast<std::int32_t>(y));
      }
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      for (const auto& [columns, members] : rows[k])
        add_rects(found[k], placement, columns, members);
    }
  }

  bool evaluate_at(std::int64_t x, std::int64_t y, const std::vector<ExprId>& values,
                   const std::vector<isa::Formula>& formulas, Role& role) {
    isa::FormulaPlace place;
    place.x = x;
    place.y = y;
    place.width = globals_.width;
    place.height = globals_.height;
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      const isa::Result<isa::Number> value = isa::evaluate(formulas[k], place);
      if (!value) {
        reporter_.report(Problem::CannotCompute, unit_[values[k]].where,
                         fmt::format("{} at PE ({}, {})", value.error(), x, y));
        return false;
      }
      role.constants.push_back(*value);
    }
    return true;
  }

  void add_rects(const Role& role, const RolePlacement& placement, const Columns& columns,
                 const std::vector<std::int32_t>& rows) {
    for (const isa::StridedRange& y : ranges_of(rows)) {
      for (const isa::StridedRange& x : columns) {
        RolePlacement part = placement;
        part.syntax.rect.x = syntax_of(x, placement.syntax.rect.x.where);
        part.syntax.rect.y = syntax_of(y, placement.syntax.rect.y.where);
        add(role, std::move(part));
      }
    }
  }

  RangeSyntax syntax_of(const isa::StridedRange& range, const isa::SourceRange& where) {
    const auto number = [&](std::int64_t value) {
      unit_.numbers.push_back(isa::Number::of(value));
      const auto index = static_cast<std::uint32_t>(unit_.numbers.size() - 1);
      unit_.exprs.push_back({.kind = ExprKind::Number, .first = index, .where = where});
      return static_cast<ExprId>(unit_.exprs.size() - 1);
    };
    return {.first = number(range.first),
            .last = number(range.last),
            .step = number(range.step),
            .where = where};
  }

  void refuse_more(const PlaceSyntax& syntax) {
    reporter_.report(Problem::ManyRoles, syntax.program.where, program_.name.text, kMaxRoles);
  }

  void add(const Role& role, RolePlacement placement) {
    auto found =
        std::ranges::find_if(roles_, [&role](const Role& other) { return other.is_same(role); });
    if (found == roles_.end() && roles_.size() == kMaxRoles) return refuse_more(placement.syntax);
    if (found == roles_.end()) found = roles_.insert(found, role);
    found->placements.push_back(std::move(placement));
  }

  const ProgramSyntax& program_;
  Unit& unit_;
  const Globals& globals_;
  Reporter& reporter_;
  std::vector<Role> roles_;
};

}  // namespace

bool has_roles(const ProgramSyntax& program) {
  return !program.broken && (!program.blocks.empty() ||
                             std::ranges::any_of(program.parameters, [](const auto& parameter) {
                               return parameter.is_constant || parameter.is_optional;
                             }));
}

std::string role_text(const ProgramSyntax& program, const std::vector<Role>& roles,
                      const Role& role) {
  std::string out;
  const auto add = [&out](std::string_view name, const std::string& value) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", name, value);
  };
  std::size_t constant = 0;
  std::size_t optional = 0;
  for (const ParameterSyntax& parameter : program.parameters) {
    if (parameter.is_constant) {
      const std::size_t k = constant++;
      const bool differs = std::ranges::any_of(
          roles, [&](const Role& other) { return other.constants[k] != role.constants[k]; });
      if (differs) add(parameter.name.text, isa::to_text(role.constants[k]));
    } else if (parameter.is_optional) {
      const std::size_t k = optional++;
      const bool differs = std::ranges::any_of(
          roles, [&](const Role& other) { return other.given[k] != role.given[k]; });
      if (differs) add(parameter.name.text, role.given[k] ? "given" : "absent");
    }
  }
  return fmt::format("{}({})", program.name.text, out);
}

std::vector<Role> roles_of(const ProgramSyntax& program, Unit& unit, const Globals& globals,
                           Reporter& reporter) {
  return RoleFinder(program, unit, globals, reporter).run();
}

}  // namespace wse::assembler
