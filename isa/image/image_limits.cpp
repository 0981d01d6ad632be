// Whether an image is larger than the format allows: everything that has a size, once.
#include <fmt/format.h>

#include <algorithm>

#include "isa/image/image.h"

namespace wse::isa {
namespace {

// A field of an instruction can name each of them.
static_assert(most(Limit::Slots) == std::size_t{1} << kScalarBits);
static_assert(most(Limit::Literals) == std::size_t{1} << kScalarBits);

// Keeps the first breach; every question after it is a no-op.
class LimitChecker {
 public:
  std::optional<LimitBreach> run(const Image& image) {
    count(Limit::GridSide, std::max(image.width, image.height));
    count(Limit::Colours, image.colours.size());
    count(Limit::Programs, image.programs.size());
    entries(image.parameters, image.placements, image.routes, image.filters, image.streams,
            image.expectations, image.marks, image.sources);
    texts(image.colours);
    texts(image.marks);
    texts(image.sources);
    for (const GlobalParameter& parameter : image.parameters) text(parameter.name);
    for (const Program& program : image.programs) check(program);
    for (const Placement& placement : image.placements) {
      for (const Formula& argument : placement.arguments) formula(argument, placement.where);
    }
    for (const Route& route : image.routes) {
      count(Limit::Positions, route.routing.positions.size(), route.where);
    }
    for (const Filter& filter : image.filters) {
      for (const Formula& value : filter.values) formula(value, filter.where);
    }
    for (const Stream& stream : image.streams) text(stream.name, stream.where);
    for (const Expectation& expectation : image.expectations) {
      text(expectation.symbol, expectation.where);
      text(expectation.profile, expectation.where);
      formula(expectation.value, expectation.where);
    }
    return std::move(breach_);
  }

 private:
  void count(Limit limit, std::size_t count, SourceLine where = {}) {
    if (!breach_ && count > most(limit)) breach_ = LimitBreach{breach_text(limit, count), where};
  }
  template <class... Lists>
  void entries(const Lists&... lists) {
    (count(Limit::Entries, lists.size()), ...);
  }
  void text(std::string_view text, SourceLine where = {}) {
    count(Limit::TextBytes, text.size(), where);
  }
  void texts(const std::vector<std::string>& all) {
    for (const std::string& one : all) text(one);
  }
  void formula(const Formula& formula, SourceLine where = {}) {
    count(Limit::FormulaNodes, formula.nodes.size(), where);
  }

  void check(const Program& program) {
    const SourceLine begin = program.line_of(0);
    text(program.role, begin);
    count(Limit::CodeWords, program.code.size(), begin);
    count(Limit::Literals, program.literals.size(), begin);
    count(Limit::Slots, program.slot_count(), begin);
    count(Limit::Descriptors, program.descriptors.size(), begin);
    count(Limit::Fifos, program.fifos.size(), begin);
    for (const Fifo& fifo : program.fifos) text(fifo.name, begin);
    count(Limit::Routings, program.routings.size(), begin);
    count(Limit::Filters, program.filters.size(), begin);
    for (const NamedRouting& named : program.routings) {
      text(named.name, begin);
      count(Limit::Positions, named.routing.positions.size(), begin);
    }
    for (const NamedFilter& named : program.filters) text(named.name, begin);
    entries(program.symbols, program.tasks, program.prints, program.lines);
    text(program.name, begin);
    for (const Parameter& parameter : program.parameters) text(parameter.name, begin);
    for (const DerivedSlot& slot : program.derived) formula(slot.formula, begin);
    if (program.seed) formula(program.seed->value, program.seed->where);
    for (const Task& task : program.tasks) text(task.name, program.line_of(task.entry));
    for (const Symbol& symbol : program.symbols) {
      text(symbol.name, symbol.where);
      if (symbol.initial) formula(*symbol.initial, symbol.where);
      for (const ListedFormula& listed : symbol.formulas) formula(listed.formula, symbol.where);
    }
    for (const PrintText& print : program.prints) {
      count(Limit::PrintPieces, print.size(), begin);
      for (const PrintPiece& piece : print) text(piece.text, begin);
    }
  }

  std::optional<LimitBreach> breach_;
};

}  // namespace

std::string breach_text(Limit limit, std::size_t count) {
  return fmt::format("{} {}; at most {} are possible", count, info(limit).meaning, most(limit));
}

std::optional<LimitBreach> limit_breach(const Image& image) { return LimitChecker().run(image); }

}  // namespace wse::isa
