// Events of vector instructions.
#include "vm/ledger/thread_causes.h"

#include <algorithm>

namespace wse::vm::causes {

void ThreadCauses::begins(ThreadId id, std::uint32_t pc, Cycle set_up, Cycle earliest) {
  const Core& here = state_.cores[id.pe];
  const bool follows = earliest > set_up && here.former != kNoEvent;
  Event event{.cycle = earliest,
              .pe = id.pe,
              .pc = pc,
              .kind = follows ? StepKind::Drain : StepKind::SetUp,
              .thread = static_cast<std::uint8_t>(id.thread)};
  if (follows) event.slack = static_cast<std::uint32_t>(earliest - set_up);
  Thread& starting = state_.thread(id);
  starting.is_at_issue = false;
  starting.train = kNoEvent;
  starting.at = state_.step(follows ? here.former : here.main, event);
  starting.next = earliest;
  starting.kind = StepKind::SetUp;
  starting.pc = pc;
  state_.note(starting.at, earliest);
}

void ThreadCauses::issues(ThreadId id, Cycle now, const Issue& issue) {
  state_.forget(now);
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
  const bool follows = settle_former(last, id, issuing, event);
  const EventId issued = follows ? follow(last, issuing, event) : state_.caused(last, event);
  if (!follows) issuing.train = kNoEvent;
  issuing.issues.add(issue.held, issued);
  state_.act(id, issued, issue.words, now);
  state_.pes[id.pe].issue = issued;
  state_.take_and_put(issue.words, issued, now);
  for (const Fifo& fifo : issue.fifos) {
    FifoEvents& events = state_.cores[id.pe].fifos[fifo.number];
    (fifo.pushes ? events.pushes : events.pops).add(now + 1, issued);
  }
  event.cycle = now + 1;
  event.kind = StepKind::Issue;
  issuing.at = issued;
  issuing.colour = issue.colour;
  issuing.is_at_issue = issue.next == now + 1 && state_.target.pe != id.pe;
  issuing.kind = issue.held > now + 1 ? StepKind::Bank : StepKind::Issue;
  if (issuing.is_at_issue) {
    state_.note_issue(issued, event);
  } else {
    add_steps(issuing, event, issue);
  }
  issuing.next = issue.next;
}

// Returns whether the former issue of the thread is the cause of this one, which is like it, in the
// next cycle: it needs no step of its own then. Else it gets one if it is the cause.
bool ThreadCauses::settle_former(Last& last, ThreadId id, Thread& issuing, const Event& event) {
  const Condition found = last.found();
  const bool is_former = issuing.is_at_issue && found.event == issuing.at &&
                         found.since == issuing.next && found.kind == StepKind::Issue;
  if (!is_former) return false;
  const bool follows = event.cycle == issuing.next && event.colour == issuing.colour &&
                       !isa::mutant(isa::Mutant::CauseSlack);  // the step itself has no slack
  if (!follows) last.replace(state_.settle(id, issuing));
  return follows;
}

// Adds an issue after one like it. Where threads are watched, each issue stays by itself: answers
// name it.
EventId ThreadCauses::follow(const Last& last, Thread& issuing, Event event) {
  event.kind = StepKind::Issue;
  event.slack = last.slack(event.cycle);
  if (issuing.train == kNoEvent || state_.open_watches > 0) {
    issuing.train = issuing.at;
  } else {
    event.slack = std::min(event.slack, issuing.train_slack);
  }
  issuing.train_slack = event.slack;
  event.cause = issuing.train;
  return state_.tree.add(event);
}

// Adds what is between an issue and the next one: the cycle that it takes, where its slot is held,
// and the gap between two scalars.
void ThreadCauses::add_steps(Thread& issuing, Event event, const Issue& issue) {
  issuing.at = state_.step(issuing.at, event);
  state_.note(issuing.at, event.cycle);
  if (issue.next <= issue.held) return;
  event.cycle = issue.held;
  event.kind = issuing.kind;
  issuing.at = state_.step(issuing.at, event);
  event.cycle = issue.next;
  event.kind = StepKind::SetUp;
  issuing.at = state_.step(issuing.at, event);
  state_.note(issuing.at, issue.next);
}

void ThreadCauses::drains(PeId pe, Cycle until) {
  const EventId former = state_.cores[pe].former;
  if (former == kNoEvent) return;
  state_.note(state_.step(former, {.cycle = until, .pe = pe, .kind = StepKind::Drain}), until);
}

void ThreadCauses::ends(ThreadId id, Cycle cycle, Cycle finish) {
  Thread& ending = state_.thread(id);
  Event event{.cycle = cycle,
              .pe = id.pe,
              .pc = ending.pc,
              .kind = ending.kind,
              .thread = static_cast<std::uint8_t>(id.thread)};
  ending.at = state_.step(state_.settle(id, ending), event);
  if (id.thread == kMainThread) state_.cores[id.pe].former = ending.at;
  event.cycle = finish + (isa::mutant(isa::Mutant::CauseFinish) ? 1 : 0);
  event.kind = StepKind::Drain;
  ending.finish = state_.step(ending.at, event);
  state_.note(ending.finish, event.cycle);
  state_.act(id, ending.at, {}, cycle);
  ending.at = kNoEvent;
}

void ThreadCauses::consider_fifos(Last& last, PeId pe, std::span<const Fifo> fifos, Cycle now) {
  if (fifos.empty()) return;
  std::vector<FifoEvents>& events = state_.cores[pe].fifos;
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
  state_.for_each_thread(pe, [&](const Thread& other) {
    if (&other != &issuing) State::consider(last, other.issues, StepKind::Slot, now);
  });
  if (const Core* const core = state_.cores.find(pe)) {
    State::consider(last, core->scalar, StepKind::Slot, now);
  }
}

}  // namespace wse::vm::causes
