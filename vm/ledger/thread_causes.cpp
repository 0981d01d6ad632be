// Events of vector instructions.
#include "vm/ledger/thread_causes.h"

namespace wse::vm::causes {

void ThreadCauses::begins(ThreadId id, std::uint32_t pc, Cycle set_up, Cycle earliest) {
  Pe& here = state_.pes[id.pe];
  const bool follows = earliest > set_up && here.former != kNoEvent;
  Event event{.cycle = earliest,
              .pe = id.pe,
              .pc = pc,
              .kind = follows ? StepKind::Drain : StepKind::SetUp,
              .thread = static_cast<std::uint8_t>(id.thread)};
  if (follows) event.slack = static_cast<std::uint32_t>(earliest - set_up);
  Thread& starting = state_.thread(id);
  state_.tree.hold(starting.at, state_.step(follows ? here.former : here.main, event));
  starting.next = earliest;
  starting.kind = StepKind::SetUp;
  starting.pc = pc;
  state_.note(starting.at, earliest);
}

void ThreadCauses::issues(ThreadId id, Cycle now, const Issue& issue) {
  Pe& here = state_.pes[id.pe];
  Thread& issuing = state_.thread(id);
  Last last;
  last.consider({issuing.next, issuing.at, issuing.kind});
  state_.consider_words(last, issue.words, StepKind::Ramp);
  state_.consider_fronts(last, issue.words, now);
  state_.consider_places(last, issue.words, now);
  consider_fifos(last, id.pe, issue.fifos, now);
  if (last.found().since < now) consider_slots(last, id.pe, issuing, now);
  Event event{.cycle = now,
              .pe = id.pe,
              .pc = issuing.pc,
              .colour = issue.colour,
              .thread = static_cast<std::uint8_t>(id.thread)};
  const EventId issued = state_.caused(last, event);
  issuing.issues.add(state_.tree, issue.held, issued);
  state_.act(id, issued, issue.words, now);
  state_.tree.hold(here.issue, issued);
  state_.take_and_put(issue.words, issued, now);
  for (const Fifo& fifo : issue.fifos) {
    FifoEvents& events = here.fifos[fifo.number];
    (fifo.pushes ? events.pushes : events.pops).add(state_.tree, now + 1, issued);
  }
  event.cycle = now + 1;
  event.kind = StepKind::Issue;
  state_.tree.hold(issuing.at, state_.step(issued, event));
  state_.note(issuing.at, now + 1);
  issuing.kind = issue.held > now + 1 ? StepKind::Bank : StepKind::Issue;
  if (issue.next > issue.held) {  // between two scalars
    event.cycle = issue.held;
    event.kind = issuing.kind;
    state_.tree.hold(issuing.at, state_.step(issuing.at, event));
    event.cycle = issue.next;
    event.kind = StepKind::SetUp;
    state_.tree.hold(issuing.at, state_.step(issuing.at, event));
    state_.note(issuing.at, issue.next);
  }
  issuing.next = issue.next;
}

void ThreadCauses::drains(PeId pe, Cycle until) {
  const EventId former = state_.pes[pe].former;
  if (former == kNoEvent) return;
  EventId drained = kNoEvent;
  const Event event{.cycle = until, .pe = pe, .kind = StepKind::Drain};
  state_.tree.hold(drained, state_.step(former, event));
  state_.note(drained, until);
  state_.tree.drop(drained);
}

void ThreadCauses::ends(ThreadId id, Cycle cycle, Cycle finish) {
  Pe& here = state_.pes[id.pe];
  Thread& ending = state_.thread(id);
  Event event{.cycle = cycle,
              .pe = id.pe,
              .pc = ending.pc,
              .kind = ending.kind,
              .thread = static_cast<std::uint8_t>(id.thread)};
  state_.tree.hold(ending.at, state_.step(ending.at, event));
  if (id.thread == kMainThread) state_.tree.hold(here.former, ending.at);
  event.cycle = finish + (isa::mutant(isa::Mutant::CauseFinish) ? 1 : 0);
  event.kind = StepKind::Drain;
  state_.tree.hold(ending.finish, state_.step(ending.at, event));
  state_.note(ending.finish, event.cycle);
  state_.act(id, ending.at, {}, cycle);
}

void ThreadCauses::consider_fifos(Last& last, PeId pe, std::span<const Fifo> fifos, Cycle now) {
  std::vector<FifoEvents>& events = state_.pes[pe].fifos;
  for (const Fifo& fifo : fifos) {
    if (events.size() <= fifo.number) events.resize(fifo.number + 1);
    if (!fifo.was_tight || isa::mutant(isa::Mutant::CauseFifo)) continue;
    const FifoEvents& of_fifo = events[fifo.number];
    const StepKind kind = fifo.pushes ? StepKind::Room : StepKind::Queue;
    State::consider(last, fifo.pushes ? of_fifo.pops : of_fifo.pushes, kind, now);
  }
}

// The slot may have been another thread's, or scalar code's.
void ThreadCauses::consider_slots(Last& last, PeId pe, const Thread& issuing, Cycle now) {
  if (isa::mutant(isa::Mutant::CauseSlot)) return;
  const Pe& here = state_.pes[pe];
  for (const Thread& other : here.threads) {
    if (&other != &issuing) State::consider(last, other.issues, StepKind::Slot, now);
  }
  State::consider(last, here.scalar, StepKind::Slot, now);
}

}  // namespace wse::vm::causes
