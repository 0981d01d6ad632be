// Starts timers, applies what they have done, and takes back what they were to do.
#include "vm/pe/timers.h"

#include <algorithm>

namespace wse::vm {

// The main thread waits for its instruction, so nobody starts another one on the PE meanwhile. A
// trace shows every issue, so the transport has to step it.
bool Timers::is_timer(const Core& core, const Plan& plan, Cycle earliest) const {
  if (!plan.is_steady() || parts_.ledger.tracer.is_open()) return false;
  if (!plan.is_even()) return core.in_flight.empty() && parts_.ledger.slices() == nullptr;
  return std::ranges::none_of(core.in_flight,
                              [earliest](const InFlight& f) { return f.drains_from() > earliest; });
}

void Timers::start(PeId pe, const Core& core, InFlight& starting, Cycle earliest, bool alone) {
  const std::uint32_t period = starting.plan->flow.cycles_per_issue;
  const Cycle end = earliest + starting.plan->issue_cycles;
  starting.is_timer = true;
  starting.applied() = 0;
  starting.drain = starting.plan->drain & InFlight::kMostDrain;
  starting.finish = end + starting.drain;
  parts_.otherwise_idle(pe);
  parts_.wake(pe, starting.finish);
  if (period == 1) {
    parts_.busy_until(pe, starting.finish);
    parts_.ledger.counters.finished(starting.finish);
  } else if (alone) {
    starting.stalls_ahead = 1;
    parts_.busy_until(pe, starting.finish);
    const std::uint64_t stalls = successions_.own_stalls(core, starting);
    parts_.count(pe, {.stalls = stalls});
    parts_.note(pe, LineNote::vector_stalls(stalls));
    tell_times(pe, starting, stalls, stalls);
  } else {  // others may drain while it stalls
    parts_.steady(pe, period, end);
    parts_.wake(pe, end);  // the drain begins there, not now
  }
}

// Tells the first `some` stalls of an instruction with `all` of its own; hidden ones come before.
void Timers::tell_times(PeId pe, const InFlight& f, std::uint64_t all, std::uint64_t some) {
  const Cycle first = f.drains_from() - f.plan->issue_cycles;
  const std::uint64_t hidden = f.plan->stalls() - all;
  parts_.stalls_at(pe, {first + 2 * hidden, some, f.finish});
}

void Timers::move(PeId pe, Core& core, InFlight& f, Cycle end) {
  const Plan& plan = *f.plan;
  const Cycle begin = f.drains_from() - plan.issue_cycles;
  if (end <= begin) return;
  const std::uint64_t count = std::min(plan.length(), plan.elements_in(end - begin));
  const auto more = static_cast<std::uint32_t>(count - f.applied());
  if (more > 0) {
    if (parts_.tape.is_open()) parts_.tape.moves(f, more);
    apply(f, core.state.memory, f.applied(), more, {});
  }
  f.applied() = static_cast<std::uint32_t>(count);
  parts_.count(pe, {.elements = more, .flops = std::uint64_t{more} * plan.flow.flops});
  if (count == plan.length()) return parts_.ledger.counters.finished(f.finish);
  const Cycle last = end - begin - 1;  // a gap is work, a stall is not
  parts_.ledger.counters.finished(begin + last + (plan.stalls_in(last) ? 0 : 1));
}

void Timers::note_drain(PeId pe, const InFlight& f, Cycle now) const {
  if (f.drains_from() > now) return;
  parts_.busy_until(pe, f.finish);
  parts_.ledger.counters.finished(f.finish);
}

// The PE was to be busy up to the finish but for the stalls, and some of that may have been
// charged.
void Timers::look_at_stalls(PeId pe, const Core& core, const InFlight& timer, Cycle last) {
  const Plan& plan = *timer.plan;
  const Cycle begin = timer.drains_from() - plan.issue_cycles;
  const Cycle until = std::min(timer.drains_from(), last);
  const isa::Succession& before = successions_.after(core);
  const std::uint64_t hidden = hidden_stalls(before, plan, begin);
  Cycle charged = parts_.ledger.activity.take_back_busy(pe, begin);
  if (successions_.keeps(core)) parts_.ledger.activity.busy_until(pe, before.drained);
  if (!plan.is_even() && until > begin) {
    parts_.ledger.activity.busy_until(pe, until);
    charged = std::max(charged, until - begin);
  }
  parts_.ledger.take_back(pe, {.stalls = plan.stalls() - hidden});
  const std::uint64_t stalled = std::min(plan.stalls(), plan.stalls_before(charged));
  const std::uint64_t own = stalled - std::min(stalled, hidden);
  parts_.ledger.count(pe, {.stalls = own});
  parts_.note(pe, LineNote::vector_stalls(own));
  parts_.ledger.forget_stalls(pe, begin);
  tell_times(pe, timer, plan.stalls() - hidden, own);
  if (plan.is_even()) {
    parts_.ledger.activity.steady(pe, plan.flow.cycles_per_issue, timer.drains_from());
  }
  parts_.ledger.activity.settle(pe, until);
  note_drain(pe, timer, last);
  if (plan.is_even() || until < begin || until == timer.drains_from()) return;
  if (plan.stalls_in(until - begin)) {  // what it does in the last cycle
    parts_.ledger.activity.otherwise(pe, Activity::MemoryStall);
  } else {
    parts_.ledger.activity.busy_until(pe, until + 1);
  }
}
static_assert(ActivityLog::kMostSteadyCycles == 2);  // every other cycle stalls

}  // namespace wse::vm
