// Through rows and rings, run by run.
#include "vm/pe/passing.h"

#include "vm/pe/in_flight.h"
#include "vm/pe/visit_tape.h"

namespace wse::vm {

// Out of line: compiled code has no vectors of its own.
void PassedStalls::add(const StallSpan& span) {
  while (!spans_.empty() && spans_.back().from >= span.from) spans_.pop_back();
  spans_.push_back(span);
}

void VectorPasser::note(const isa::ScalarState& s, const Plan& plan, const isa::Instruction& i,
                        const PassedWords& words) const {
  tape_->passes({&plan, &i, words, s.instructions});
}

void VectorPasser::apply_bent(const Plan& plan, std::byte* memory, PassedWords& words) {
  InFlight f{.plan = &plan,
             .accumulator = words.accumulator,
             .scalar = words.scalar,
             .word = {words.source[0], words.source[1]}};
  apply(f, memory, 0, static_cast<std::uint32_t>(plan.length()), {});
  words.accumulator = f.accumulator;
}

}  // namespace wse::vm
