// What a look at a core needs lies behind a chain of pointers, each of them far from caches: cores
// that are due are fetched ahead, link by link.
#include <bit>
#include <span>

#include "vm/pe/cores.h"
#include "vm/pe/scalar_step.h"
#include "vm/prefetch.h"

namespace wse::vm {
namespace {

[[gnu::always_inline]] inline void prefetch_what_it_points_to(const Core& core) {
  if (core.state.d != nullptr) prefetch_all(*core.state.d);
  for (const InFlight& f : core.in_flight.slots(core.program->threads)) prefetch(&f);
  prefetch(core.state.memory);
  prefetch(core.state.view);
  if (core.log.changes != nullptr) prefetch_all(*core.log.changes);
}

// The values of its parameters, the descriptors of the instruction that comes next, and where its
// log begins.
[[gnu::always_inline]] inline void prefetch_what_that_points_to(const Core& core) {
  prefetch(core.state.view->slots);
  for (std::uint32_t rest = descriptor_registers(core.instruction()); rest != 0; rest &= rest - 1) {
    prefetch_all((*core.state.d)[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  if (core.log.changes == nullptr) return;
  prefetch(core.log.changes->blocks.data());
  prefetch(core.log.changes->bytes.data());
  prefetch(core.log.changes->descriptors.data());
}

}  // namespace

void Cores::step(Cycle now) {
  if (quiet_until_ <= now) quiet_until_ = 0;
  in_steps(
      parts_.agenda.take(now),
      [this](PeId pe) __attribute__((always_inline)) {
        const std::uint32_t number = index(pe);
        if (number != kNoProgram) prefetch_all(cores_[number]);
        parts_.activity.prefetch(pe);
      },
      [this](PeId pe) __attribute__((always_inline)) {
        const std::uint32_t number = index(pe);
        if (number != kNoProgram) prefetch_what_it_points_to(cores_[number]);
      },
      [this](PeId pe) __attribute__((always_inline)) {
        const std::uint32_t number = index(pe);
        if (number == kNoProgram) return;
        prefetch_what_that_points_to(cores_[number]);
        parts_.history.prefetch_runs(cores_[number].first_run);
      },
      [this, now](PeId pe) __attribute__((always_inline)) {
        if (index(pe) != kNoProgram) step_core(pe, core_of(pe), now);
      });
}

void Cores::fetch(ThreadId thread, Fetch what) {
  const Core& core = core_of(thread.pe);
  if (what == Fetch::Core) {
    prefetch(&core.state.memory);
    prefetch(&core.in_flight);
    return parts_.activity.prefetch(thread.pe);
  }
  const InFlight& f = core.in_flight.slot(thread.thread);
  if (what == Fetch::Instruction) return prefetch_all(f);
  const Plan& plan = *f.plan;
  if (!plan.writes.empty()) prefetch(core.state.memory + plan.writes.path().run_at(0).first);
  for (std::uint32_t rest = plan.receives | plan.sends; rest != 0; rest &= rest - 1) {
    const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
    parts_.history.prefetch_words(parts_.channels.find(thread.pe, colour));
  }
}

}  // namespace wse::vm
