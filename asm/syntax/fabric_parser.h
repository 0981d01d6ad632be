// The directives about routers: routes and their positions, filters, streams; and what a program
// can write at run time.
#pragma once

#include <optional>
#include <vector>

#include "asm/syntax/line_parser.h"
#include "asm/syntax/open_program.h"
#include "asm/syntax/phrase_parser.h"

namespace wse::assembler {

class FabricParser {
 public:
  FabricParser(TokenStream& tokens, ExpressionParser& exprs, PhraseParser& phrases,
               const LineParser& lines, OpenProgram& open, Unit& unit, Reporter& reporter)
      : tokens_(tokens),
        exprs_(exprs),
        phrases_(phrases),
        lines_(lines),
        open_(open),
        unit_(unit),
        reporter_(reporter) {}

  // One rule for each directive.
#define FABRIC_DIRECTIVE(word, rule, ...) void rule();
#include "asm/syntax/directives.def"

 private:
  void position_list(RoutingSyntax& routing);
  void position(RoutingSyntax& routing);
  std::vector<isa::Port> ports();
  isa::SourceRange up_to_here(isa::SourceRange first) const;
  void refuse_sides(const std::vector<isa::Port>& rx, const std::vector<isa::Port>& tx,
                    const isa::SourceRange& where, const isa::SourceRange& begin);
  void routing_options(RoutingSyntax& routing, bool of_route);
  FilterSyntax filter_kind();
  void filter_option(FilterSyntax& filter, const isa::FilterKindInfo& kind);
  void filter_word(FilterSyntax& filter, const Named& option);
  isa::Type element_type();
  std::optional<isa::Port> link_port();

  TokenStream& tokens_;
  ExpressionParser& exprs_;
  PhraseParser& phrases_;
  const LineParser& lines_;
  OpenProgram& open_;
  Unit& unit_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
