// Events of main threads and tasks.
#include "vm/ledger/core_causes.h"

#include <algorithm>
#include <utility>

namespace wse::vm::causes {

void CoreCauses::computes(PeId pe, StepKind kind, std::uint32_t pc, Cycle until) {
  Core& here = state_.cores[pe];
  const bool drains = kind == StepKind::Drain && here.former != kNoEvent &&
                      state_.tree[here.former].cycle > state_.tree[here.main].cycle;
  const EventId cause = drains ? here.former : here.main;
  here.computed = state_.step(cause, {.cycle = until, .pe = pe, .pc = pc, .kind = kind});
  state_.note(here.computed, until);
}

void CoreCauses::comes(PeId pe) {
  state_.forget(state_.tree[state_.cores[pe].main].cycle);
  Core& here = state_.cores[pe];
  if (here.computed != kNoEvent) here.main = here.computed;
  here.computed = kNoEvent;
}

void CoreCauses::holds_slot(PeId pe, std::uint32_t pc, Cycle until) {
  Core& here = state_.cores[pe];
  const Event event{.cycle = until, .pe = pe, .pc = pc, .kind = StepKind::Scalar};
  here.scalar.add(until, state_.step(here.main, event));
}

void CoreCauses::follows(PeId pe, std::uint32_t number, Cycle now) {
  state_.forget(now);
  Core& here = state_.cores[pe];
  const EventId finish = state_.thread({pe, number}).finish;
  if (finish != kNoEvent && state_.tree[finish].cycle > state_.tree[here.main].cycle) {
    here.main = finish;
  }
  here.main = state_.step(here.main, {.cycle = now, .pe = pe, .kind = StepKind::Drain});
  state_.act({pe, kMainThread}, here.main, {}, now);
}

void CoreCauses::follows_any(PeId pe, Cycle now) {
  std::uint32_t latest = kMainThread;
  Core& here = state_.cores[pe];
  for (std::uint32_t k = 1; k <= here.microthreads.size(); ++k) {
    const EventId finish = state_.thread({pe, k}).finish;
    if (finish == kNoEvent || state_.tree[finish].cycle > now) continue;
    const EventId best = state_.thread({pe, latest}).finish;
    if (best == kNoEvent || state_.tree[finish].cycle > state_.tree[best].cycle) latest = k;
  }
  follows(pe, latest, now);
}

void CoreCauses::marks(PeId pe, std::uint32_t mark, Cycle cycle) {
  if (state_.target.mark != mark || (state_.target.pe && *state_.target.pe != pe) ||
      cycle > state_.target.until)
    return;
  if (state_.target_event != kNoEvent && cycle <= state_.target_end) return;
  const Event event{.cycle = cycle, .pe = pe, .kind = StepKind::Scalar};
  state_.target_event = state_.step(state_.cores[pe].main, event);
  state_.target_end = cycle;
}

void CoreCauses::tell(PeId pe, std::uint32_t id, Cycle seen, EventId event) {
  std::vector<Told>& told = state_.cores[pe].told;
  auto place = std::ranges::find(told, id, &Told::id);
  if (place == told.end()) place = told.insert(place, {.id = id});
  place->tellers.add(seen, event);
}

void CoreCauses::finish_tells(PeId pe, std::uint32_t number, std::uint32_t id, Cycle seen) {
  tell(pe, id, seen, state_.thread({pe, number}).finish);
}

void CoreCauses::rests(PeId pe, Cycle drained) {
  Core& here = state_.cores[pe];
  here.rests_from = state_.tree[here.main].cycle;
  here.drained = drained;
}

void CoreCauses::picks(PeId pe, std::uint32_t id, Cycle now) {
  state_.forget(now);
  Core& here = state_.cores[pe];
  Last last;
  const auto word = std::exchange(here.word, std::nullopt);
  Words words;
  if (word) words.heads = {&word->second, 1};
  if (!isa::mutant(isa::Mutant::CausePicker)) state_.consider_words(last, words, StepKind::Ramp);
  consider_told(last, pe, id, now);
  if (word) consider_told(last, pe, word->first, now);
  const Cycle free = here.rests_from.value_or(state_.tree[here.main].cycle);
  here.rests_from.reset();
  last.consider({free, here.main, StepKind::Task});
  state_.consider_fronts(last, words, now);
  if (last.found().since < now) {
    if (free + 1 == now) last.consider({now, here.main, StepKind::Task});  // one task a cycle
    state_.for_each_thread(pe, [&](const Thread& other) {  // that took its control wavelets
      State::consider(last, other.issues, StepKind::Queue, now);
    });
  }
  const std::uint8_t colour = word ? word->first : Event::kNoStepColour;
  const EventId event = state_.caused(last, {.cycle = now, .pe = pe, .colour = colour});
  state_.act({pe, kMainThread}, event, words, now);
  state_.take_and_put(words, event, now);
  here.main = event;
}

void CoreCauses::consider_told(Last& last, PeId pe, std::uint32_t id, Cycle now) {
  const std::vector<Told>& told = state_.cores[pe].told;
  const auto found = std::ranges::find(told, id, &Told::id);
  if (found != told.end() && !isa::mutant(isa::Mutant::CauseTold))
    State::consider(last, found->tellers, StepKind::Task, now);
}

}  // namespace wse::vm::causes
