// One instruction, from start to finish.
#include "vm/pe/passing.h"

#include "vm/pe/in_flight.h"
#include "vm/pe/stretch_log.h"

namespace wse::vm {
namespace {

void apply_all(const Plan& plan, VectorStart& start) {
  InFlight f{.plan = &plan,
             .accumulator = start.accumulator,
             .scalar = start.scalar,
             .word = {start.word[0], start.word[1]}};
  apply(f, start.memory, 0, static_cast<std::uint32_t>(plan.length()), {});
  start.accumulator = f.accumulator;
}

// The same where it takes one call.
void apply_linear(const Plan& plan, VectorStart& start) {
  if (plan.clears_destination) start.accumulator &= 0xffffu;
  std::byte* const bases[] = {start.memory, reinterpret_cast<std::byte*>(&start.accumulator),
                              reinterpret_cast<std::byte*>(&start.word[0]),
                              reinterpret_cast<std::byte*>(&start.word[1])};
  const auto range = [&](std::size_t k) {
    const PassedRange& passed = plan.passage.range[k];
    return isa::ElementRange{bases[static_cast<std::size_t>(passed.base)] + passed.first,
                             static_cast<std::ptrdiff_t>(passed.step)};
  };
  plan.function(range(0), range(1), range(2), start.scalar, plan.length());
}

}  // namespace

const VectorPrice* PlannedPasser::pass(VectorStart& start, StretchRecorder* recorder) {
  const Plan* const plan = plans_.known(program_, start.pc, start.d);
  if (plan == nullptr || plan->passage.price.cycles == 0) return nullptr;
  if (recorder != nullptr && !plan->writes.empty() &&
      !recorder->may_write(plan->writes.low(), plan->writes.high(), most_kept_)) {
    return nullptr;
  }
  if (plan->passage.is_linear) {
    apply_linear(*plan, start);
  } else {
    apply_all(*plan, start);
  }
  return &plan->passage.price;
}

}  // namespace wse::vm
