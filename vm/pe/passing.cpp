// Through rows and rings, run by run.
#include "vm/pe/passing.h"

#include "vm/pe/in_flight.h"

namespace wse::vm {

void VectorPasser::apply_bent(const Plan& plan, std::byte* memory, PassedWords& words) {
  InFlight f{.plan = &plan,
             .accumulator = words.accumulator,
             .scalar = words.scalar,
             .word = {words.source[0], words.source[1]}};
  apply(f, memory, 0, static_cast<std::uint32_t>(plan.length()), {});
  words.accumulator = f.accumulator;
}

}  // namespace wse::vm
