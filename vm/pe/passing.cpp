// One instruction, from start to finish.
#include "vm/pe/passing.h"

#include "vm/pe/in_flight.h"
#include "vm/pe/stretch_log.h"

namespace wse::vm {

const VectorPrice* PlannedPasser::pass(VectorStart& start, StretchRecorder* recorder) {
  const Plan* const plan = plans_.known(program_, start.pc, start.d);
  if (plan == nullptr || plan->price.cycles == 0) return nullptr;
  if (recorder != nullptr && !plan->writes.empty() &&
      !recorder->may_write(plan->writes.low(), plan->writes.high(), most_kept_)) {
    return nullptr;
  }
  InFlight f{.plan = plan,
             .accumulator = start.accumulator,
             .scalar = start.scalar,
             .word = {start.word[0], start.word[1]}};
  apply(f, start.memory, 0, static_cast<std::uint32_t>(plan->price.elements), {});
  start.accumulator = f.accumulator;
  return &plan->price;
}

}  // namespace wse::vm
