// Compares cores.
#include "vm/pe/visit_state.h"

#include <algorithm>
#include <cstring>

#include "isa/support/mutant.h"
#include "vm/pe/succession.h"

namespace wse::vm {
namespace {

bool equal(const isa::Succession& a, const isa::Succession& b) {
  return a.drained == b.drained && a.settled == b.settled && a.former == b.former &&
         a.same_from == b.same_from && a.others_from == b.others_from;
}

// Whether they are alike from the cycle on. Times that are over count no more; most are equal in
// these, too.
bool same(const isa::Succession& a, const isa::Succession& b, Cycle now) {
  return equal(a, b) || equal(from_start(a, now), from_start(b, now));
}

// Wherever they lie.
bool same(const InFlight& a, const InFlight& b) {
  return a.plan == b.plan && a.finish == b.finish && a.length == b.length && a.drain == b.drain &&
         a.is_timer == b.is_timer && a.stalls_ahead == b.stalls_ahead &&
         a.completes == b.completes && a.accumulator == b.accumulator && a.scalar == b.scalar &&
         a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

// Where its last stretch ended, if it stalled and nobody has looked at that: 0 if not.
Cycle stalled(const Core& core) { return core.log.stalls > 0 ? core.log.end : 0; }

bool same(const TaskIds& a, const TaskIds& b, Cycle now) {
  return a == b || a.at(now).same(b.at(now));
}

}  // namespace

bool VisitState::is_possible(const Core& core) {
  constexpr std::uint32_t kAll = (1u << isa::kDescriptorRegisters) - 1;
  return core.rare == nullptr && !core.is_mid_stretch &&
         (core.state.d == nullptr || core.state.d->all_shared(kAll)) &&
         std::ranges::none_of(core.in_flight,
                              [](const InFlight& f) { return f.own_plan != nullptr; });
}

void VisitState::keep(const Core& core, const isa::Succession& after, Cycle now) {
  program_ = core.program;
  view_ = core.state.view;
  tasks_ = core.tasks;
  pc_ = core.state.pc;
  left_ = core.state.left;
  burst_ = burst(core, now);
  task_ = core.task;
  has_picked_ = core.picked == now;
  main_ = core.main;
  awaited_ = core.awaited;
  stalled_ = stalled(core);
  resume_ = core.resume;
  std::memcpy(r_, core.state.r, sizeof r_);
  after_ = after;
  ids_ = core.ids;
  flying_.clear();
  for (const InFlight& f : core.in_flight) flying_.push_back(f);
  for (std::size_t number = 0; core.state.d != nullptr && number < d_.size(); ++number) {
    d_[number] = &(*core.state.d)[number];
  }
}

bool VisitState::is_of(const Core& core, const isa::Succession& after, Cycle now) const {
  const isa::PeState& state = core.state;
  if (pc_ != state.pc || view_ != state.view || program_ != core.program) return false;
  if (main_ != core.main || awaited_ != core.awaited || resume_ != core.resume) return false;
  if (tasks_ != core.tasks || left_ != state.left || burst_ != burst(core, now)) return false;
  const bool has_registers = std::memcmp(r_, state.r, sizeof r_) == 0;
  if (!has_registers && !isa::mutant(isa::Mutant::CohortRegisters)) return false;
  const bool picks_alike = task_ == core.task && has_picked_ == (core.picked == now);
  if (!picks_alike || !same(ids_, core.ids, now)) return false;
  if (stalled_ != stalled(core)) return false;
  if (!has_flying(core) && !isa::mutant(isa::Mutant::CohortFlying)) return false;
  if (!same(after_, after, now)) return false;
  return state.d == nullptr || has_descriptors(core);
}

// An own one lies where no other core has one.
bool VisitState::has_descriptors(const Core& core) const {
  for (std::size_t number = 0; number < d_.size(); ++number) {
    if (d_[number] != &(*core.state.d)[number]) return false;
  }
  return true;
}

bool VisitState::has_flying(const Core& core) const {
  auto kept = flying_.begin();
  for (const InFlight& f : core.in_flight) {
    if (kept == flying_.end() || !same(*kept, f)) return false;
    ++kept;
  }
  return kept == flying_.end();
}

}  // namespace wse::vm
