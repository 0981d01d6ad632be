// Reads what a router of a PE is to do; which PEs can do it is asked later.
#include "asm/syntax/fabric_parser.h"

#include <algorithm>

#include "asm/text/suggest.h"

namespace wse::assembler {

void FabricParser::route() {
  RouteSyntax made{.where = tokens_.statement_place(), .line = lines_.here()};
  made.colour = exprs_.expression();
  made.rect = phrases_.rect();
  tokens_.expect(":");
  if (tokens_.peek().is("[")) {
    position_list(made.routing);
  } else {
    position(made.routing);
  }
  routing_options(made.routing, true);
  if (!tokens_.failed()) unit_.routes.push_back(std::move(made));
}

// `.routing NAME = [...] [...] ring pop=MODE`
void FabricParser::routing() {
  if (!open_.check_open(".routing", tokens_.statement_place())) return;
  NamedRoutingSyntax made;
  made.name = tokens_.expect_name("the name of the routing");
  tokens_.expect("=");
  if (!tokens_.peek().is("[")) tokens_.fail_expected("'['");
  position_list(made.routing);
  routing_options(made.routing, false);
  if (!tokens_.failed()) open_.program()->routings.push_back(std::move(made));
}

void FabricParser::position_list(RoutingSyntax& routing) {
  while (tokens_.peek().is("[")) {
    if (routing.positions.size() == isa::kMaxPositions) {
      reporter_.report(Problem::ManyPositions, tokens_.peek().where, isa::kMaxPositions);
      return tokens_.fail();
    }
    tokens_.take();
    position(routing);
    tokens_.expect("]");
  }
}

// port, port ...    each once
std::vector<isa::Port> FabricParser::ports() {
  std::vector<isa::Port> found;
  do {
    const std::optional<isa::Port> port = phrases_.port();
    if (port && std::ranges::find(found, *port) == found.end()) found.push_back(*port);
  } while (tokens_.accept(","));
  return found;
}

// rx -> tx, tx    |    rx ->    |    -> tx, tx
void FabricParser::position(RoutingSyntax& routing) {
  PositionSyntax made;
  made.where = tokens_.peek().where;
  std::vector<isa::Port> rx;
  if (!tokens_.peek().is("->")) rx = ports();
  const isa::SourceRange sides = up_to_here(made.where);
  tokens_.expect("->");
  std::vector<isa::Port> tx;
  if (rx.empty() || tokens_.peek().kind == TokenKind::Name) tx = ports();
  if (tokens_.failed()) return;
  if (rx.size() > 1) return refuse_sides(rx, tx, sides, made.where);
  if (!rx.empty()) made.rx = rx[0];
  for (const isa::Port port : tx) made.tx |= isa::bit(port);
  made.where = up_to_here(made.where);
  routing.positions.push_back(made);
}

// The place from `first` to the last token; `first` alone if they are on different lines.
isa::SourceRange FabricParser::up_to_here(isa::SourceRange first) const {
  const isa::SourceRange& end = tokens_.last_place();
  if (end.line == first.line) first.length = end.column + end.length - first.column;
  return first;
}

// Reports a position with several sides to come from, which begins at `begin`, and says which
// positions to write instead.
void FabricParser::refuse_sides(const std::vector<isa::Port>& rx, const std::vector<isa::Port>& tx,
                                const isa::SourceRange& where, const isa::SourceRange& begin) {
  const auto joined = [](const std::vector<isa::Port>& list) {
    std::string text;
    for (const isa::Port port : list) {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", isa::text(port));
    }
    return text;
  };
  std::string positions;
  for (const isa::Port side : rx) {
    const bool is_first = positions.empty();
    const std::string to = is_first && !tx.empty() ? " " + joined(tx) : "";
    positions += fmt::format("{}[{} ->{}]", is_first ? "" : " ", isa::text(side), to);
  }
  reporter_.report(Problem::SeveralSides, where, joined(rx),
                   rx.size() > isa::kMaxPositions ? "" : positions, isa::kMaxPositions);
  const bool in_line = tokens_.last_place().line == begin.line;
  if (in_line && rx.size() <= isa::kMaxPositions) {
    const bool in_brackets = tokens_.peek().is("]");
    if (in_brackets) positions = positions.substr(1, positions.size() - 2);
    reporter_.spells(Edit{.where = up_to_here(begin), .text = positions});
  }
  tokens_.fail();
}

void FabricParser::routing_options(RoutingSyntax& routing, bool of_route) {
  while (tokens_.peek().kind == TokenKind::Name) {
    if (phrases_.refuse_vendor_word()) return;
    if (tokens_.accept_word("ring")) {
      routing.ring = true;
      continue;
    }
    if (of_route && tokens_.accept_word("torn_down")) {
      routing.torn_down = true;
      continue;
    }
    if (of_route && tokens_.accept_word("start")) {
      tokens_.expect("=");
      routing.start = exprs_.postfix();
      continue;
    }
    tokens_.expect_word("pop");
    tokens_.expect("=");
    const Named mode = tokens_.expect_name("a pop mode");
    if (tokens_.failed()) return;
    const auto* found = std::ranges::find(isa::kPopModeTexts, mode.text);
    if (found == std::end(isa::kPopModeTexts)) {
      report_choice(reporter_, Problem::UnknownPopMode, mode.where, mode.text,
                    {std::begin(isa::kPopModeTexts), std::end(isa::kPopModeTexts)});
      return tokens_.fail();
    }
    routing.pop = static_cast<isa::PopMode>(found - isa::kPopModeTexts);
  }
}

void FabricParser::filter() {
  FilterPlaceSyntax made{.line = lines_.here()};
  made.colour = exprs_.expression();
  made.rect = phrases_.rect();
  tokens_.expect(":");
  made.filter = filter_kind();
  if (!tokens_.failed()) unit_.filters.push_back(made);
}

// `.filtering NAME = KIND ...`
void FabricParser::filtering() {
  if (!open_.check_open(".filtering", tokens_.statement_place())) return;
  NamedFilterSyntax made;
  made.name = tokens_.expect_name("the name of the filter");
  tokens_.expect("=");
  made.filter = filter_kind();
  if (!tokens_.failed()) open_.program()->filters.push_back(made);
}

// range LO..HI    |    counter NAME=value ...    |    sparse NAME=value ...    |    none
FilterSyntax FabricParser::filter_kind() {
  FilterSyntax made;
  const Named kind = tokens_.expect_name("a kind of filter");
  made.where = kind.where;
  if (tokens_.failed()) return made;
  const auto* row = std::ranges::find(isa::kFilterKindTexts, kind.text, &isa::FilterKindInfo::text);
  if (row == std::end(isa::kFilterKindTexts)) {
    std::vector<std::string> words;
    for (const isa::FilterKindInfo& known : isa::kFilterKindTexts) words.emplace_back(known.text);
    report_choice(reporter_, Problem::UnknownFilter, kind.where, kind.text, words);
    tokens_.fail();
    return made;
  }
  made.shape.kind = static_cast<isa::FilterKind>(row - isa::kFilterKindTexts);
  if (made.shape.kind == isa::FilterKind::Range) {
    made.values[0] = exprs_.expression();
    tokens_.expect("..");
    made.values[1] = exprs_.expression();
    return made;
  }
  while (tokens_.peek().kind == TokenKind::Name && !tokens_.failed()) filter_option(made, *row);
  return made;
}

void FabricParser::filter_option(FilterSyntax& filter, const isa::FilterKindInfo& kind) {
  const Named name = tokens_.expect_name("an option");
  const std::span names(kind.names, kind.values);
  const auto value = std::ranges::find(names, name.text);
  if (value != names.end()) {
    tokens_.expect("=");
    filter.values[value - names.begin()] = exprs_.expression();
    return;
  }
  const bool counts = kind.values > 2;  // all that count have more than two values
  if (counts && (name.text == "counts" || name.text == "control")) {
    tokens_.expect("=");
    return filter_word(filter, name);
  }
  std::vector<std::string> words;
  if (counts) {
    for (const std::string_view option : names) words.push_back(fmt::format("{}=...", option));
    words.insert(words.end(), {"counts=...", "control=filtered"});
  }
  report_choice(reporter_, Problem::FilterOption, name.where, name.text, words, kind.text);
  tokens_.fail();
}

void FabricParser::filter_word(FilterSyntax& filter, const Named& option) {
  if (option.text == "control") {
    tokens_.expect_word("filtered");
    filter.shape.control_filtered = true;
    return;
  }
  const auto* found = std::ranges::find_if(
      isa::kFilterCountsTexts, [this](std::string_view word) { return tokens_.accept_word(word); });
  if (found == std::end(isa::kFilterCountsTexts)) return tokens_.fail_expected("");
  filter.shape.counts = static_cast<isa::FilterCounts>(found - isa::kFilterCountsTexts);
}

// `.stream NAME: TYPE[COUNT] at (...): SIDE -> COLOUR`, or COLOUR -> SIDE if it leaves.
void FabricParser::stream() {
  StreamSyntax made{.line = lines_.here()};
  made.name.name = tokens_.expect_name("the name of the stream");
  tokens_.expect(":");
  made.name.type = element_type();
  if (tokens_.accept("[")) {
    made.count = exprs_.expression();
    tokens_.expect("]");
  }
  made.rect = phrases_.rect();
  tokens_.expect(":");
  std::optional<isa::Port> side = link_port();
  made.enters = side.has_value();
  if (!side) made.colour = exprs_.expression();
  tokens_.expect("->");
  if (side) {
    made.colour = exprs_.expression();
  } else {
    side = link_port();
    if (!side) tokens_.fail_expected("");
  }
  if (tokens_.failed()) return;
  made.side = *side;
  unit_.streams.push_back(made);
}

// A type that memory can hold.
isa::Type FabricParser::element_type() {
  const Named name = tokens_.expect_name("a type");
  if (tokens_.failed()) return isa::Type::I32;
  const auto fits = [](const isa::TypeInfo& row) { return row.type != isa::Type::Colour; };
  const std::optional<isa::Type> found = isa::type_named(name.text);
  if (found && fits(isa::info(*found))) return *found;
  report_unknown_type(reporter_, name.text, name.where);
  tokens_.fail();
  return isa::Type::I32;
}

std::optional<isa::Port> FabricParser::link_port() {
  for (const isa::Port side :
       {isa::Port::West, isa::Port::East, isa::Port::North, isa::Port::South}) {
    if (tokens_.accept_word(isa::text(side))) return side;
  }
  const Token token = tokens_.peek();
  if (token.kind != TokenKind::Name) return std::nullopt;
  const std::optional<isa::Port> found = isa::port_named(token.text);  // no stream has such a one
  if (!found || *found == isa::Port::Ramp) return std::nullopt;
  tokens_.take();
  return found;
}

}  // namespace wse::assembler
