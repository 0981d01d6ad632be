// Looks which coordinates the formulas name.
#include "asm/mesh/varying_pes.h"

#include <algorithm>

namespace wse::assembler {

isa::StridedRect varying_pes(const isa::Program& program, const isa::Placement& placement) {
  const auto part = [&](const isa::StridedRange& range, isa::FormulaOp variable) {
    const auto in = [variable](const isa::Formula& f) { return isa::uses(f, variable); };
    const bool varies = std::ranges::any_of(placement.arguments, in) ||
                        std::ranges::any_of(program.derived, in, &isa::DerivedSlot::formula) ||
                        (program.seed && in(program.seed->value));
    return varies || range.count() == 0 ? range : isa::StridedRange{range.first, range.first, 1};
  };
  return {part(placement.rect.x, isa::FormulaOp::X), part(placement.rect.y, isa::FormulaOp::Y)};
}

}  // namespace wse::assembler
