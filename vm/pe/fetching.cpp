// A look at a core needs what lies behind pointers, far from caches: cores that are due are fetched
// ahead, then what they point to. Hosts fetch a line in some 7 ns, however many at a time: what few
// looks need is left out.
#include <bit>

#include "vm/pe/cores.h"
#include "vm/support/prefetch.h"

namespace wse::vm {
namespace {

// Most stretches change nothing that their log keeps, or do so again and again.
[[gnu::always_inline]] inline void prefetch_what_it_points_to(const Core& core) {
  if (core.state.d != nullptr) prefetch_all(*core.state.d);
  for (std::uint32_t rest = core.in_flight.threads(); rest != 0; rest &= rest - 1) {
    prefetch(&core.in_flight.slot(static_cast<std::uint32_t>(std::countr_zero(rest))));
  }
  prefetch(core.state.memory);
  prefetch(core.state.view);
  if (core.log.has_changes) prefetch_all(*core.log.changes);
}

}  // namespace

void Cores::step(Cycle now) {
  ends_.forget_quiet(now);
  in_steps(
      parts_.agenda.take(now),
      [this](PeId pe) __attribute__((always_inline)) {
        if (!cores_.has(pe)) return;
        if (cores_.lane(pe) == nullptr) {
          prefetch_all(cores_.own_part(pe));
        } else {
          prefetch(parts_.loaded.data(pe));
        }
        parts_.ledger.activity.prefetch(pe);
        parts_.transport.fetch(pe);
      },
      [this](PeId pe) __attribute__((always_inline)) {
        if (cores_.has(pe) && cores_.lane(pe) == nullptr)
          prefetch_what_it_points_to(cores_.own_part(pe));
      },
      [this, now](PeId pe) __attribute__((always_inline)) {
        if (cores_.has(pe)) step_core(pe, now);
      });
}

// A lane has nothing apart but its memory.
void Cores::fetch(ThreadId thread, Fetch what, std::uint64_t first) {
  const AlikeCore* const state = cores_.lane(thread.pe);
  const Core& core = state != nullptr ? state->core() : cores_.own_part(thread.pe);
  if (what == Fetch::Core) {
    if (state == nullptr) {
      prefetch(&core.state.memory);  // and its instructions in flight
      prefetch(&core.main);
    }
    return parts_.ledger.activity.prefetch(thread.pe);
  }
  const InFlight& f = core.in_flight.slot(thread.thread);
  if (what == Fetch::Instruction) return prefetch_all(f);
  const Plan& plan = *f.plan;
  const std::byte* const memory = parts_.loaded.data(thread.pe);
  const auto prefetch_first = [&](const WordSet& set) __attribute__((always_inline)) {
    if (!set.empty()) prefetch(memory + set.path().run_at(first).first);
  };
  prefetch_first(plan.writes);
  prefetch_first(plan.reads[0]);
  for (std::uint32_t rest = plan.receives | plan.sends; rest != 0; rest &= rest - 1) {
    const auto colour = static_cast<std::uint32_t>(std::countr_zero(rest));
    parts_.ledger.history.prefetch_words(parts_.channels.find(thread.pe, colour));
  }
}

}  // namespace wse::vm
