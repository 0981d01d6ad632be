// Constants first, then colours, parameters and the grid; at last the command line is checked for
// values that nothing took.
#include "asm/names/globals.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "asm/names/colour_aliases.h"
#include "asm/names/colour_numbers.h"
#include "asm/names/entry_numbers.h"
#include "asm/names/formulas.h"
#include "asm/syntax/rewrites.h"
#include "isa/machine/control_word.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;

class GlobalResolver {
 public:
  GlobalResolver(const Unit& unit, const Options& options, Reporter& reporter)
      : unit_(unit), options_(options), reporter_(reporter) {
    for (const Binding& given : unit.overrides) overrides_[given.name.text] = {given, false};
  }

  Globals run(const std::function<void(const Globals&)>& expand) {
    define_names();
    for (std::size_t k = 0; k < constants_.size(); ++k) {
      const Binding& constant = unit_.constants[constants_[k]];
      globals_.constants[k] =
          builder(Level::Constants).constant(overridden(constant.name, constant.value));
    }
    const bool is_early = std::ranges::any_of(unit_.programs, has_constants);
    if (is_early) set_grid(Level::Constants);
    expand(globals_);
    if (unit_.incomplete) return std::move(globals_);
    number_colours();
    number_entries();
    for (const std::size_t k : parameters_) add_parameter(unit_.parameters[k]);
    if (!is_early) set_grid(Level::Fixed);
    report_unused();
    return std::move(globals_);
  }

 private:
  struct Override {
    Binding given;
    bool used = false;
  };

  FormulaBuilder builder(Level level) const {
    return FormulaBuilder(unit_, globals_, reporter_, {.level = level});
  }

  bool define(const Named& name, NameKind kind, std::size_t index) {
    return may_define(name, kind, reporter_) &&
           globals_.names.define(name, kind, static_cast<std::uint32_t>(index), reporter_);
  }

  void define_names() {
    for (std::size_t k = 0; k < unit_.constants.size(); ++k) {
      if (define(unit_.constants[k].name, NameKind::Constant, constants_.size())) {
        constants_.push_back(k);
      }
    }
    for (std::size_t k = 0; k < unit_.colours.size(); ++k) {
      if (define(unit_.colours[k].name, NameKind::Colour, colours_.size())) colours_.push_back(k);
    }
    for (std::size_t k = 0; k < unit_.entries.size(); ++k) {
      if (define(unit_.entries[k].name, NameKind::Entry, entries_.size())) entries_.push_back(k);
    }
    for (std::size_t k = 0; k < unit_.parameters.size(); ++k) {
      if (define(unit_.parameters[k].name, NameKind::Global, parameters_.size())) {
        parameters_.push_back(k);
      }
    }
    globals_.constants.resize(constants_.size());
    globals_.colour_numbers.resize(colours_.size());
    globals_.entry_numbers.resize(entries_.size());
  }

  // The value that the command line gives, else `value`.
  ExprId overridden(const Named& name, ExprId value) {
    const auto found = overrides_.find(name.text);
    if (found == overrides_.end()) return value;
    found->second.used = true;
    return found->second.given.value;
  }

  // Names that get numbers below `limit`.
  struct Numbering {
    const std::vector<Binding>& bindings;     // of the unit
    const std::vector<std::size_t>& indices;  // of those that are no duplicates
    std::string_view noun;
    std::uint32_t limit;
    std::vector<std::optional<isa::Number>>& numbers;
    std::vector<std::string>& names;   // by number
    std::vector<std::size_t> roots{};  // of colours: whose number each has; empty: all their own
    std::vector<const Binding*> owner{};

    const Binding& binding(std::size_t k) const { return bindings[indices[k]]; }
    bool has_own(std::size_t k) const { return roots.empty() || roots[k] == k; }
    // The lowest one that nothing has and `may_take` allows.
    template <class MayTake>
    std::optional<std::uint32_t> free(MayTake may_take) const {
      for (std::uint32_t number = 0; number < limit; ++number) {
        if (owner[number] == nullptr && may_take(number)) return number;
      }
      return std::nullopt;
    }
  };

  // Where some colours have no switch, those that need one come first to those that have one.
  void number_colours() {
    const std::uint32_t limit = std::min(options_.profile.colours, isa::kMaxColours);
    Numbering n{unit_.colours,           colours_,        "colour", limit,
                globals_.colour_numbers, globals_.colours};
    n.roots = colour_roots(unit_, colours_, globals_.names, reporter_);
    take_pinned(n);
    const std::uint32_t switches = options_.profile.switch_colours;
    const std::vector<bool> switched = switched_roots(n);
    const auto waits = [&](std::size_t k) { return n.binding(k).value == kNoExpr && switched[k]; };
    std::size_t waiting = 0;
    for (std::size_t k = 0; k < n.indices.size(); ++k) waiting += waits(k) ? 1 : 0;
    take_free(n, [&](std::size_t k) {
      const bool needs = waits(k);
      if (needs) --waiting;
      std::size_t left = 0;  // switches that nothing has
      for (std::uint32_t c = 0; c < limit; ++c) left += n.owner[c] == nullptr && switches >> c & 1;
      const auto number = n.free([&](std::uint32_t c) {
        const bool has = (switches >> c & 1) != 0;
        return needs ? has : !has || left > waiting;
      });
      return number ? number : n.free([](std::uint32_t) { return true; });
    });
    for (std::size_t k = 0; k < n.roots.size(); ++k) {
      if (n.roots[k] != kNoColour) n.numbers[k] = n.numbers[n.roots[k]];
    }
  }

  // The colours that have several positions by any of their names.
  std::vector<bool> switched_roots(const Numbering& n) const {
    const std::unordered_set<std::string_view> names = switched_colours(unit_);
    std::vector<bool> switched(n.roots.size());
    for (std::size_t k = 0; k < n.roots.size(); ++k) {
      if (n.roots[k] != kNoColour && names.contains(n.binding(k).name.text)) {
        switched[n.roots[k]] = true;
      }
    }
    return switched;
  }

  // Entries without a number avoid colours with names, and the ids of tasks in their programs.
  void number_entries() {
    Numbering n{unit_.entries,          entries_,        "entry", isa::kTaskIds,
                globals_.entry_numbers, globals_.entries};
    take_pinned(n);
    take_free(n, [&](std::size_t k) {
      const std::uint64_t beside = ids_beside(unit_, globals_, n.binding(k).name.text);
      return n.free([this, beside](std::uint32_t number) {
        const auto& colours = globals_.colours;
        return number != isa::kTeardownId && number != isa::kNoEntry &&
               (beside >> number & 1) == 0 && (number >= colours.size() || colours[number].empty());
      });
    });
  }

  void take_pinned(Numbering& n) {
    n.owner.assign(n.limit, nullptr);
    const std::string what =
        fmt::format("the number of {} {}", n.noun == "entry" ? "an" : "a", n.noun);
    for (std::size_t k = 0; k < n.indices.size(); ++k) {
      const ExprId value = n.binding(k).value;
      if (value == kNoExpr || !n.has_own(k)) continue;
      const std::optional<std::int64_t> number =
          builder(Level::Constants).whole(value, what, 0, n.limit - 1);
      if (number) take_number(n, k, static_cast<std::uint32_t>(*number));
    }
  }

  // Numbers those that are not pinned; choose(k) returns the number, if there is one.
  template <class Choose>
  void take_free(Numbering& n, Choose choose) {
    for (std::size_t k = 0; k < n.indices.size(); ++k) {
      const Binding& binding = n.binding(k);
      if (binding.value != kNoExpr) continue;
      const std::optional<std::uint32_t> number = choose(k);
      if (!number) {
        reporter_.report(Problem::TooMany, binding.name.where, binding.name.text, n.noun, n.limit);
        return;
      }
      take_number(n, k, *number);
    }
  }

  void take_number(Numbering& n, std::size_t index, std::uint32_t number) {
    const Binding& binding = n.bindings[n.indices[index]];
    n.numbers[index] = isa::Number::of(std::int64_t{number});
    if (n.owner[number] != nullptr) {
      const Named& first = n.owner[number]->name;
      const std::string_view sharing = n.noun == "colour" ? binding.name.text : "";
      reporter_.report(Problem::SameNumber, binding.name.where, n.noun, number, first.text,
                       sharing);
      reporter_.note(Remark::FirstDefined, first.where, first.text);
      if (binding.value == kNoExpr) return;
      reporter_.spells(without_value(unit_, binding));
      if (!sharing.empty()) {
        reporter_.spells(replaced(unit_[binding.value], std::string(first.text)));
      }
      return;
    }
    n.owner[number] = &binding;
    if (n.names.size() <= number) n.names.resize(number + 1);
    n.names[number] = binding.name.text;
  }

  // A parameter without a value stays in the list, so that the numbers of the others hold.
  void add_parameter(const TypedBinding& syntax) {
    isa::GlobalParameter made{std::string(syntax.name.text), syntax.type,
                              isa::from_bits(0, syntax.type)};
    const ExprId value = overridden(syntax.name, syntax.value);
    if (value == kNoExpr) reporter_.report(Problem::NoValue, syntax.name.where, syntax.name.text);
    if (const std::optional<isa::Number> number = builder(Level::Fixed).constant(value)) {
      const isa::Result<std::uint32_t> bits = isa::to_bits(*number, syntax.type);
      if (bits) {
        made.value = isa::from_bits(*bits, syntax.type);
      } else {
        reporter_.report(Problem::BadValue, unit_[value].where, bits.error());
      }
    }
    globals_.parameters.push_back(std::move(made));
  }

  static bool has_constants(const ProgramSyntax& program) {
    return std::ranges::any_of(program.parameters, &ParameterSyntax::is_constant);
  }

  // The size may be made of what is known by then.
  void set_grid(Level level) {
    if (unit_.grids.empty()) {
      const bool broken = unit_.lacks(".grid") || unit_.lacks(".hypercube");
      if (!broken) reporter_.report(Problem::NoGrid, {});
      return;
    }
    const GridSyntax& grid = unit_.grids[0];
    for (std::size_t k = 1; k < unit_.grids.size(); ++k) {
      const GridSyntax& other = unit_.grids[k];
      const bool same = other.is_hypercube() == grid.is_hypercube();
      reporter_.report(same ? Problem::Duplicate : Problem::TwoTopologies, other.where,
                       other.text(), grid.text());
      reporter_.note(Remark::FirstDefined, grid.where, grid.text());
    }
    if (grid.is_hypercube()) return set_hypercube(grid, level);
    const auto side = [&](ExprId id, std::string_view what) {
      return builder(level).whole(id, what, 1, options_.max_grid_side);
    };
    const std::optional<std::int64_t> width = side(grid.width, "the width of the grid");
    const std::optional<std::int64_t> height = side(grid.height, "the height of the grid");
    globals_.has_grid = width && height;
    globals_.width = static_cast<std::uint32_t>(width.value_or(1));
    globals_.height = static_cast<std::uint32_t>(height.value_or(1));
  }

  void set_hypercube(const GridSyntax& grid, Level level) {
    const int most =
        std::min<int>(isa::kMaxHypercubeDimensions, std::bit_width(options_.max_grid_side) - 1);
    const std::optional<std::int64_t> dimensions =
        builder(level).whole(grid.dimensions, "the number of dimensions", 1, most);
    if (!dimensions) return;
    globals_.has_grid = true;
    globals_.hypercube_dimensions = static_cast<std::uint32_t>(*dimensions);
    globals_.width = 1u << *dimensions;
  }

  void report_unused() {
    for (const Binding& given : unit_.overrides) {
      const std::string_view name = given.name.text;
      if (overrides_[name].used || unit_.broken_names.contains(name)) continue;
      overrides_[name].used = true;  // said once
      Suggestion suggestion(name, reporter_);
      for (const Binding& constant : unit_.constants) suggestion.offer(constant.name.text);
      for (const TypedBinding& parameter : unit_.parameters) {
        suggestion.offer(parameter.name.text);
      }
      reporter_.report(Problem::UnknownOverride, given.name.where, name, suggestion.best());
    }
  }

  const Unit& unit_;
  const Options& options_;
  Reporter& reporter_;
  Globals globals_;
  std::unordered_map<std::string_view, Override> overrides_;
  std::vector<std::size_t> constants_;  // those of the unit that are no duplicates
  std::vector<std::size_t> colours_;
  std::vector<std::size_t> entries_;
  std::vector<std::size_t> parameters_;
};

}  // namespace

Globals resolve_globals(const Unit& unit, const Options& options,
                        const std::function<void(const Globals&)>& expand, Reporter& reporter) {
  return GlobalResolver(unit, options, reporter).run(expand);
}

}  // namespace wse::assembler
