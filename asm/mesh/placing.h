// Where programs, routes and expectations apply: names and ranges of the top level resolved into
// the image. Whether PEs agree with each other is checked in mesh_checks.
#pragma once

#include <optional>
#include <vector>

#include "asm/names/formulas.h"
#include "asm/names/globals.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

// An item of the image with the statement it comes from, for messages.
template <class Item, class Syntax>
struct Placed {
  Item item{};
  const Syntax* syntax = nullptr;
};
using PlacedProgram = Placed<isa::Placement, PlaceSyntax>;
using PlacedRoute = Placed<isa::Route, RouteSyntax>;
using PlacedFilter = Placed<isa::Filter, FilterPlaceSyntax>;
using PlacedStream = Placed<isa::Stream, StreamSyntax>;
using PlacedExpectation = Placed<isa::Expectation, ExpectSyntax>;

class Placer {
 public:
  // `program_syntax` has one entry per program of the image.
  Placer(const Unit& unit, const Globals& globals, const isa::Profile& profile,
         const std::vector<const ProgramSyntax*>& program_syntax, const NameTable& programs,
         Reporter& reporter)
      : unit_(unit),
        globals_(globals),
        profile_(profile),
        program_syntax_(program_syntax),
        programs_(programs),
        reporter_(reporter) {}

  // Returns those without errors, in the order of the source. Expectations have no elements yet.
  std::vector<PlacedProgram> placements();
  std::vector<PlacedRoute> routes();
  std::vector<PlacedFilter> filters();
  std::vector<PlacedStream> streams();
  std::vector<PlacedExpectation> expectations();

 private:
  FormulaBuilder fixed() { return {unit_, globals_, reporter_, {FormulaScope::Level::Fixed}}; }
  FormulaBuilder placed(bool index) {
    return {unit_, globals_, reporter_, {FormulaScope::Level::Placed, index}};
  }

  std::optional<isa::StridedRange> range(const RangeSyntax& syntax, std::uint32_t side,
                                         bool is_column);
  std::optional<isa::StridedRect> rect(const RectSyntax& syntax);
  std::optional<std::uint32_t> program(const Named& name);
  bool given_arguments(const PlaceSyntax& syntax, const ProgramSyntax& program, NameTable& given);
  // Defaults count too: they make an image larger than its source.
  bool count_arguments(const PlaceSyntax& syntax, std::size_t count);
  bool arguments(const PlaceSyntax& syntax, isa::Placement& placement);
  std::optional<std::uint32_t> colour(ExprId id);
  std::optional<isa::Route> route(const RouteSyntax& syntax);
  std::optional<isa::Filter> filter(const FilterPlaceSyntax& syntax);
  std::optional<isa::Stream> stream(const StreamSyntax& syntax);
  bool check_edge(const StreamSyntax& syntax, const isa::StridedRect& rect);
  std::optional<isa::Expectation> expectation(const ExpectSyntax& syntax);
  bool tolerance(const ExpectSyntax& syntax, isa::Expectation& made);

  std::size_t argument_count_ = 0;
  const Unit& unit_;
  const Globals& globals_;
  const isa::Profile& profile_;
  const std::vector<const ProgramSyntax*>& program_syntax_;
  const NameTable& programs_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
