// Which queue of the processor each colour of a program has, as far as the source pins it.
#pragma once

#include <string_view>
#include <vector>

#include "asm/text/report.h"
#include "isa/formula/formula.h"

namespace wse::assembler {

class QueueUses {
 public:
  enum class Side : std::uint8_t { Input, Output };

  // Pins `queue` to the colour, which messages call `name`. False (and a diagnostic) if either is
  // pinned to another one on that side.
  bool pin(Side side, std::uint32_t queue, const isa::Formula& colour, std::string_view name,
           const isa::SourceRange& where, Reporter& reporter);

 private:
  struct Use {
    Side side{};
    std::uint32_t queue = 0;
    isa::Formula colour{};
    std::string_view name{};
    isa::SourceRange where{};
  };

  std::vector<Use> uses_;
};

}  // namespace wse::assembler
