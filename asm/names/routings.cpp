// Fills in the side that a position does not name, and the values that a filter may leave out.
#include "asm/names/routings.h"

#include <bit>
#include <optional>

namespace wse::assembler {
namespace {

std::string port_list(std::uint32_t ports) {
  std::string out;
  for (std::uint32_t port = 0; port < isa::kPorts; ++port) {
    if ((ports >> port & 1) == 0) continue;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", isa::kPortTexts[port]);
  }
  return out;
}

std::string position_text(isa::Port rx, std::uint32_t tx) {
  return fmt::format("[{} -> {}]", isa::text(rx), port_list(tx));
}

// Returns whether a position may be between two others: wavelets do not go back to where they come
// from.
bool fits(isa::Port rx, std::uint32_t tx) { return (tx & isa::bit(rx)) == 0; }

// Returns what to put between two positions of which both sides differ, so that each step changes
// one side; `ports` are those of a router.
std::string positions_between(const isa::SwitchPosition& before, const isa::SwitchPosition& next,
                              std::uint32_t ports) {
  if (fits(before.rx, next.tx)) return position_text(before.rx, next.tx);
  if (fits(next.rx, before.tx)) return position_text(next.rx, before.tx);
  const std::uint32_t free = ports & ~isa::bit(before.rx) & ~isa::bit(next.rx);
  if (free == 0) return position_text(isa::Port::Ramp, isa::bit(isa::Port::Ramp));
  const std::uint32_t ramp = free & isa::bit(isa::Port::Ramp);
  const std::uint32_t tx = ramp != 0 ? ramp : free & (~free + 1);
  return position_text(before.rx, tx) + " " + position_text(next.rx, tx);
}

std::uint32_t router_ports(const Globals& globals) {
  return globals.has_grid ? globals.topology().ports() : isa::Topology::mesh(1, 1).ports();
}

// Returns the position with a side in place of the one that it lacks: the ramp, or a link where
// that is the other one.
std::string completed(const PositionSyntax& position, std::uint32_t ports) {
  const std::uint32_t ramp = isa::bit(isa::Port::Ramp);
  const std::uint32_t links = ports & ~ramp;
  const std::uint32_t named = position.rx ? isa::bit(*position.rx) : position.tx;
  const std::uint32_t other = named == ramp && links != 0 ? links & (~links + 1) : ramp;
  const std::uint32_t from = position.rx ? named : other;
  const std::uint32_t to = position.rx ? other : named;
  return fmt::format("{} -> {}", port_list(from), port_list(to));
}

// Returns the edit that writes `text` for the position. A place that ends with the first word may
// be a part of a position of several lines.
std::optional<Edit> rewritten_position(const PositionSyntax& position, std::string text) {
  const std::size_t first_word = position.rx ? isa::text(*position.rx).size() : 2;
  if (position.where.length <= first_word) return std::nullopt;
  return Edit{.where = position.where, .text = std::move(text)};
}

// Returns the edit that writes other positions, `[...] [...]`, before a position.
Edit inserted_before(const PositionSyntax& position, std::string_view positions) {
  Edit edit{.where = position.where, .text = fmt::format("{} [", positions.substr(1))};
  edit.where.length = 0;
  return edit;
}

// Returns the value that a filter has if none is given.
std::optional<std::int64_t> default_value(std::string_view name) {
  return name == "start" ? std::optional<std::int64_t>(0) : std::nullopt;
}

}  // namespace

bool check_ports(std::uint32_t ports, const isa::SourceRange& where, const Globals& globals,
                 Reporter& reporter) {
  if (!globals.has_grid) return true;
  const isa::Topology topology = globals.topology();
  const std::uint32_t others = ports & ~topology.ports();
  if (others == 0) return true;
  reporter.report(Problem::PortNotHere, where, isa::kPortTexts[std::countr_zero(others)],
                  topology.text(), port_list(topology.ports()));
  return false;
}

std::optional<isa::Routing> expand_routing(const RoutingSyntax& syntax, std::string_view name,
                                           const Globals& globals, const isa::Profile& profile,
                                           Reporter& reporter) {
  isa::Routing made{.positions = {}, .ring = syntax.ring, .pop = syntax.pop};
  for (const PositionSyntax& position : syntax.positions) {
    const std::uint32_t used = position.tx | (position.rx ? isa::bit(*position.rx) : 0);
    if (!check_ports(used, position.where, globals, reporter)) return std::nullopt;
    const bool first = made.positions.empty();
    if (first && (!position.rx || position.tx == 0)) {
      const std::string both = completed(position, router_ports(globals));
      reporter.report(Problem::HalfPosition, position.where, fmt::format("'{}'", name), both);
      reporter.spells(rewritten_position(position, both));
      return std::nullopt;
    }
    const isa::SwitchPosition before = first ? isa::SwitchPosition{} : made.positions.back();
    const isa::SwitchPosition next{position.rx.value_or(before.rx),
                                   position.tx != 0 ? position.tx : before.tx};
    const bool changes_both = !first && isa::changes_both_sides(before, next);
    if (changes_both && profile.switch_position_sides < 2) {
      const std::string between = positions_between(before, next, router_ports(globals));
      reporter.report(Problem::BothSides, position.where, name, profile.name, between);
      reporter.spells(inserted_before(position, between));
      return std::nullopt;
    }
    if (next.rx != isa::Port::Ramp && (next.tx & isa::bit(next.rx)) != 0) {
      reporter.report(Problem::RouteBack, position.where, name, isa::text(next.rx));
      return std::nullopt;
    }
    made.positions.push_back(next);
  }
  return made;
}

std::optional<std::vector<isa::Formula>> filter_values(const FilterSyntax& syntax, const Unit& unit,
                                                       FormulaBuilder builder, Reporter& reporter) {
  const isa::FilterKindInfo& kind = isa::info(syntax.shape.kind);
  std::vector<isa::Formula> values;
  for (std::uint32_t k = 0; k < kind.values; ++k) {
    const ExprId id = syntax.values[k];
    const std::optional<std::int64_t> otherwise = default_value(kind.names[k]);
    if (id == kNoExpr && !otherwise) {
      reporter.report(Problem::FilterValue, syntax.where, kind.text, kind.names[k]);
      return std::nullopt;
    }
    std::optional<isa::Formula> formula =
        id == kNoExpr ? isa::Formula::of(isa::Number::of(*otherwise)) : builder.build(id);
    if (!formula) return std::nullopt;
    if (formula->is_constant()) {
      const isa::Number& number = formula->nodes[0].constant;
      if (number.is_float || number.integer < 0 || number.integer > isa::kMaxFilterValue) {
        reporter.report(Problem::NotInRange, unit[id].where, fmt::format("'{}'", kind.names[k]), 0,
                        isa::kMaxFilterValue, isa::to_text(number));
        return std::nullopt;
      }
    }
    values.push_back(std::move(*formula));
  }
  return values;
}

}  // namespace wse::assembler
