// Where the lines of the sources come from, as `.line` and `.lines` say. Knows no names of files:
// they are numbers in Unit::file_names.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "isa/image/image.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

// One of the two directives.
struct GivenLine {
  std::uint32_t stands_at = 0;  // the line of the directive
  isa::SourceLine given{};      // of what follows; line 0: it comes from nowhere
  bool counts = false;          // `.lines`: of the line that follows; the next is one more

  // Returns the place of a line after the directive.
  isa::SourceLine at(std::uint32_t line) const;
};

class LineMap {
 public:
  // Call it in the order of the text of `source`. A text that is read again, since it is included
  // twice, adds the same.
  void add(std::uint32_t source, const GivenLine& given);

  // Returns nothing if no directive is above the place, or the last one says 0.
  std::optional<isa::SourceLine> find(const isa::SourceRange& where) const;

 private:
  std::unordered_map<std::uint32_t, std::vector<GivenLine>> by_source_;
};

}  // namespace wse::assembler
