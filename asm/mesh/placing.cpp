// Resolves .place, .route and .expect.
#include "asm/mesh/placing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "asm/names/routings.h"

namespace wse::assembler {
namespace {

constexpr std::int64_t kFarthest = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::optional<isa::StridedRange> Placer::range(const RangeSyntax& syntax, std::uint32_t side,
                                               bool is_column) {
  const std::string_view what = is_column ? "a column" : "a row";
  const auto bound = [&](ExprId id) { return fixed().whole(id, what, -kFarthest, kFarthest); };
  const std::optional<std::int64_t> first = bound(syntax.first);
  const std::optional<std::int64_t> last = syntax.last == kNoExpr ? first : bound(syntax.last);
  std::optional<std::int64_t> step = 1;
  if (syntax.step != kNoExpr) step = fixed().whole(syntax.step, "the step", 1, kFarthest);
  if (!first || !last || !step) return std::nullopt;
  const isa::StridedRange made{static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last),
                               static_cast<std::int32_t>(*step)};
  const bool outside = made.count() > 0 && (made.first < 0 || made.end() >= side);
  if (!outside || !globals_.has_grid) return made;
  const std::string members =
      made.first == made.end() ? fmt::format("{} {}", what.substr(2), made.first)
                               : fmt::format("{}s {}..{}", what.substr(2), made.first, made.end());
  reporter_.report(Problem::OutsideGrid, syntax.where, members, side, is_column ? "wide" : "high");
  return std::nullopt;
}

std::optional<isa::StridedRect> Placer::rect(const RectSyntax& syntax) {
  const std::optional<isa::StridedRange> x = range(syntax.x, globals_.width, true);
  const std::optional<isa::StridedRange> y = range(syntax.y, globals_.height, false);
  if (!x || !y) return std::nullopt;
  return isa::StridedRect{*x, *y};
}

std::optional<std::uint32_t> Placer::program(const Named& name) {
  if (const Meaning* meaning = programs_.find(name.text)) return meaning->index;
  if (unit_.broken_names.contains(name.text)) return std::nullopt;
  Suggestion suggestion(name.text, reporter_);
  programs_.offer_all(suggestion);
  reporter_.report(Problem::UnknownProgram, name.where, name.text, suggestion.best());
  return std::nullopt;
}

std::vector<PlacedProgram> Placer::placements() {
  std::vector<PlacedProgram> placed;
  for (const PlaceSyntax& syntax : unit_.placements) {
    const std::optional<std::uint32_t> index = program(syntax.program);
    const std::optional<isa::StridedRect> where = rect(syntax.rect);
    if (!index) continue;
    isa::Placement made;
    made.program = *index;
    made.rect = where.value_or(isa::StridedRect{});
    made.where = syntax.line;
    if (arguments(syntax, made) && where) placed.push_back({std::move(made), &syntax});
  }
  return placed;
}

bool Placer::given_arguments(const PlaceSyntax& syntax, const ProgramSyntax& program,
                             NameTable& given) {
  bool good = true;
  std::unordered_set<std::string_view> names;
  for (const TypedBinding& parameter : program.parameters) names.insert(parameter.name.text);
  for (std::size_t k = 0; k < syntax.arguments.size(); ++k) {
    const Named& name = syntax.arguments[k].name;
    good &= given.define(name, NameKind::Other, static_cast<std::uint32_t>(k), reporter_);
    if (names.contains(name.text) || program.broken) continue;
    Suggestion suggestion(name.text, reporter_);
    for (const TypedBinding& parameter : program.parameters) suggestion.offer(parameter.name.text);
    reporter_.report(Problem::UnknownParameter, name.where, program.name.text, name.text,
                     suggestion.best());
    good = false;
  }
  return good;
}

bool Placer::count_arguments(const PlaceSyntax& syntax, std::size_t count) {
  const bool had_room = argument_count_ <= kMaxArguments;
  argument_count_ += count;
  if (argument_count_ <= kMaxArguments) return true;
  if (had_room) {  // said once
    reporter_.report(Problem::TooMany, syntax.program.where, syntax.program.text,
                     "placement with so many arguments", fmt::format("{} in all", kMaxArguments));
  }
  return false;
}

bool Placer::arguments(const PlaceSyntax& syntax, isa::Placement& placement) {
  const ProgramSyntax& program = *program_syntax_[placement.program];
  const std::size_t count = program.parameters.size() + syntax.arguments.size();
  if (!count_arguments(syntax, count)) return false;
  NameTable given;
  const bool known = given_arguments(syntax, program, given);
  bool good = known;
  for (const TypedBinding& parameter : program.parameters) {
    const Meaning* meaning = given.find(parameter.name.text);
    const ExprId value =
        meaning != nullptr ? syntax.arguments[meaning->index].value : parameter.value;
    // After a mistyped name nobody wants to hear that the right one is missing.
    if (value == kNoExpr && known && !is_reserved(parameter.name.text, NameKind::Parameter)) {
      reporter_.report(Problem::MissingParameter, syntax.program.where, program.name.text,
                       parameter.name.text);
      reporter_.note(Remark::DefinedHere, parameter.name.where, parameter.name.text);
    }
    std::optional<isa::Formula> formula = placed(false).build(value);
    good &= formula.has_value();
    placement.arguments.push_back(formula ? std::move(*formula) : isa::Formula{});
  }
  return good && !program.broken;
}

std::vector<PlacedRoute> Placer::routes() {
  std::vector<PlacedRoute> placed;
  for (const RouteSyntax& syntax : unit_.routes) {
    std::optional<isa::Route> made = route(syntax);
    if (made) placed.push_back({std::move(*made), &syntax});
  }
  return placed;
}

std::optional<std::uint32_t> Placer::colour(ExprId id) {
  const std::int64_t limit = std::min(profile_.colours, isa::kMaxColours);
  const std::optional<std::int64_t> number = fixed().whole(id, "a colour", 0, limit - 1);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<isa::Route> Placer::route(const RouteSyntax& syntax) {
  const std::optional<std::uint32_t> number = colour(syntax.colour);
  const std::optional<isa::StridedRect> where = rect(syntax.rect);
  if (!number || !where) return std::nullopt;
  std::optional<isa::Routing> routing =
      expand_routing(syntax.routing, unit_[syntax.colour].text, globals_, profile_, reporter_);
  if (!routing) return std::nullopt;
  const auto positions = static_cast<std::int64_t>(routing->positions.size());
  std::optional<std::int64_t> start = 0;
  if (syntax.routing.start != kNoExpr) {
    start = fixed().whole(syntax.routing.start, "the start position", 0, positions - 1);
  }
  if (!start) return std::nullopt;
  return isa::Route{.colour = *number,
                    .rect = *where,
                    .routing = std::move(*routing),
                    .torn_down = syntax.routing.torn_down,
                    .start = static_cast<std::uint32_t>(*start),
                    .where = syntax.line};
}

std::vector<PlacedFilter> Placer::filters() {
  std::vector<PlacedFilter> placed;
  for (const FilterPlaceSyntax& syntax : unit_.filters) {
    std::optional<isa::Filter> made = filter(syntax);
    if (made) placed.push_back({std::move(*made), &syntax});
  }
  return placed;
}

std::optional<isa::Filter> Placer::filter(const FilterPlaceSyntax& syntax) {
  const std::optional<std::uint32_t> number = colour(syntax.colour);
  const std::optional<isa::StridedRect> where = rect(syntax.rect);
  auto values = filter_values(syntax.filter, unit_, placed(false), reporter_);
  if (!number || !where || !values) return std::nullopt;
  return isa::Filter{*number, *where, syntax.filter.shape, std::move(*values), syntax.line};
}

std::vector<PlacedStream> Placer::streams() {
  std::vector<PlacedStream> placed;
  NameTable names;
  for (std::size_t k = 0; k < unit_.streams.size(); ++k) {
    const StreamSyntax& syntax = unit_.streams[k];
    const Named& name = syntax.name.name;
    std::optional<isa::Stream> made = stream(syntax);
    if (!names.define(name, NameKind::Other, static_cast<std::uint32_t>(k), reporter_)) continue;
    if (made) placed.push_back({std::move(*made), &syntax});
  }
  return placed;
}

std::optional<isa::Stream> Placer::stream(const StreamSyntax& syntax) {
  const std::optional<std::uint32_t> number = colour(syntax.colour);
  const std::optional<isa::StridedRect> where = rect(syntax.rect);
  std::optional<std::int64_t> count = 1;
  if (syntax.count != kNoExpr) {
    count = fixed().whole(syntax.count, "the number of elements", 0, kFarthest);
  }
  if (!number || !where || !count || !check_edge(syntax, *where)) return std::nullopt;
  return isa::Stream{.name = std::string(syntax.name.name.text),
                     .type = syntax.name.type,
                     .is_array = syntax.count != kNoExpr,
                     .count = static_cast<std::uint32_t>(*count),
                     .rect = *where,
                     .side = syntax.side,
                     .colour = *number,
                     .enters = syntax.enters,
                     .where = syntax.line};
}

bool Placer::check_edge(const StreamSyntax& syntax, const isa::StridedRect& rect) {
  if (globals_.hypercube_dimensions > 0) {
    reporter_.report(Problem::StreamNoEdge, syntax.name.name.where, syntax.name.name.text);
    return false;
  }
  if (!check_ports(isa::bit(syntax.side), syntax.name.name.where, globals_, reporter_))
    return false;
  const bool columns = syntax.side == isa::Port::West || syntax.side == isa::Port::East;
  const bool first = syntax.side == isa::Port::West || syntax.side == isa::Port::North;
  const std::int64_t edge = first ? 0 : (columns ? globals_.width : globals_.height) - 1;
  const isa::StridedRange& range = columns ? rect.x : rect.y;
  const bool at_edge = rect.empty() || (range.first == edge && range.end() == edge);
  if (at_edge || !globals_.has_grid) return at_edge;
  reporter_.report(Problem::StreamInside, syntax.name.name.where, syntax.name.name.text,
                   isa::text(syntax.side), columns ? "x" : "y", edge);
  return false;
}

std::vector<PlacedExpectation> Placer::expectations() {
  std::vector<PlacedExpectation> placed;
  for (const ExpectSyntax& syntax : unit_.expectations) {
    std::optional<isa::Expectation> made = expectation(syntax);
    if (made) placed.push_back({std::move(*made), &syntax});
  }
  return placed;
}

std::optional<isa::Expectation> Placer::expectation(const ExpectSyntax& syntax) {
  isa::Expectation made;
  made.where = syntax.line;
  bool good = tolerance(syntax, made);
  if (syntax.cycles) {
    made.subject = isa::Expectation::Subject::Cycles;
  } else {
    const std::optional<isa::StridedRect> where = rect(syntax.rect);
    good &= where.has_value();
    if (where) made.rect = *where;
    made.symbol = std::string(unit_[syntax.subject].text);
  }
  std::optional<isa::Formula> value = placed(!syntax.cycles).build(syntax.value);
  if (!value || !good) return std::nullopt;
  made.value = std::move(*value);
  if (syntax.profile.text.empty()) return made;
  made.profile = std::string(syntax.profile.text);
  const std::vector<std::string> profiles = isa::profile_names();
  if (std::ranges::find(profiles, made.profile) != profiles.end()) return made;
  report_choice(reporter_, Problem::UnknownProfile, syntax.profile.where, made.profile, profiles);
  return std::nullopt;
}

bool Placer::tolerance(const ExpectSyntax& syntax, isa::Expectation& made) {
  if (syntax.within == kNoExpr) return true;
  const std::optional<isa::Number> number = fixed().constant(syntax.within);
  if (!number) return false;
  made.within = number->as_double();
  if (made.within >= 0 && std::isfinite(made.within)) return true;
  reporter_.report(Problem::BadValue, unit_[syntax.within].where,
                   "the allowed difference must be a number that is not negative");
  return false;
}

}  // namespace wse::assembler
