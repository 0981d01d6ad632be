// Finds the last of several conditions, and keeps the events that can fulfil others.
#include "vm/ledger/causes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace wse::vm {

// The condition that was fulfilled last; of several, the one that was considered first.
class Causes::Last {
 public:
  void consider(const Condition& condition) {
    if (condition.event == kNoEvent) return;
    if (found_.event != kNoEvent && condition.since <= found_.since) {
      second_ = std::max(second_, condition.since);
      return;
    }
    second_ = found_.event != kNoEvent ? std::max(second_, found_.since) : 0;
    found_ = condition;
  }
  const Condition& found() const { return found_; }
  std::uint32_t slack(Cycle now) const {
    return static_cast<std::uint32_t>(
        std::min<Cycle>(now - second_, std::numeric_limits<std::uint32_t>::max()));
  }

 private:
  Condition found_{};
  Cycle second_ = 0;
};

Causes::Causes(std::size_t pes, const PathTarget& target) : target_(target), pes_(pes) {
  for (Pe& pe : pes_) {
    tree_.hold(pe.main, tree_.start());
    tree_.hold(pe.issue, tree_.start());
    tree_.hold(pe.move, tree_.start());
  }
}

Causes::Thread& Causes::thread(ThreadId id) {
  std::vector<Thread>& threads = pes_[id.pe].threads;
  if (threads.size() <= id.thread) threads.resize(id.thread + 1);
  return threads[id.thread];
}

Causes::Queue& Causes::queue(std::uint32_t number) {
  if (queues_.size() <= number) queues_.resize(std::size_t{number} + number / 2 + 1);
  return queues_[number];
}

// Returns an event in a cycle that is not before that of its cause, which is the same if that is.
EventId Causes::step(EventId cause, Event event) {
  if (tree_[cause].cycle >= event.cycle) return cause;
  event.cause = cause;
  return tree_.add(event);
}

EventId Causes::caused(const Last& last, Event event) {
  const Condition& found = last.found();
  event.kind = found.kind;
  event.slack = last.slack(event.cycle);
  if (found.since != event.cycle) ++unexplained_;
  return step(found.event, event);
}

// The event may be the one that is asked for; it lasts up to cycle `end`.
void Causes::note(EventId id, Cycle end) {
  const Event& event = tree_[id];
  if (target_.mark || (target_.pe && (event.pe != *target_.pe || event.cycle > target_.until))) {
    return;
  }
  const Cycle until = target_.pe ? event.cycle : end;
  const bool is_later = target_event_ == kNoEvent || until > target_end_ ||
                        (until == target_end_ && event.pe < tree_[target_event_].pe);
  if (!is_later) return;
  tree_.hold(target_event_, id);
  target_end_ = until;
}

void Causes::computes(PeId pe, StepKind kind, std::uint32_t pc, Cycle until) {
  Pe& here = pes_[pe];
  const bool drains = kind == StepKind::Drain && here.former != kNoEvent &&
                      tree_[here.former].cycle > tree_[here.main].cycle;
  const EventId cause = drains ? here.former : here.main;
  tree_.hold(here.computed, step(cause, {.cycle = until, .pe = pe, .pc = pc, .kind = kind}));
  note(here.computed, until);
}

void Causes::comes(PeId pe) {
  Pe& here = pes_[pe];
  if (here.computed != kNoEvent) tree_.hold(here.main, here.computed);
  tree_.drop(here.computed);
}

void Causes::holds_slot(PeId pe, std::uint32_t pc, Cycle until) {
  Pe& here = pes_[pe];
  const Event event{.cycle = until, .pe = pe, .pc = pc, .kind = StepKind::Scalar};
  here.scalar.add(tree_, until, step(here.main, event));
}

void Causes::follows(PeId pe, std::uint32_t number, Cycle now) {
  Pe& here = pes_[pe];
  const EventId finish = thread({pe, number}).finish;
  if (finish != kNoEvent && tree_[finish].cycle > tree_[here.main].cycle) {
    tree_.hold(here.main, finish);
  }
  tree_.hold(here.main,
             step(here.main, {.cycle = now, .pe = pe, .kind = StepKind::Drain}));
}

void Causes::follows_any(PeId pe, Cycle now) {
  std::uint32_t latest = 0;
  const std::vector<Thread>& threads = pes_[pe].threads;
  for (std::uint32_t k = 1; k < threads.size(); ++k) {
    const EventId finish = threads[k].finish;
    if (finish == kNoEvent || tree_[finish].cycle > now) continue;
    const EventId best = threads[latest].finish;
    if (best == kNoEvent || tree_[finish].cycle > tree_[best].cycle) latest = k;
  }
  follows(pe, latest, now);
}

void Causes::marks(PeId pe, std::uint32_t mark, Cycle cycle) {
  if (target_.mark != mark || (target_.pe && *target_.pe != pe) || cycle > target_.until) return;
  if (target_event_ != kNoEvent && cycle <= target_end_) return;
  const Event event{.cycle = cycle, .pe = pe, .kind = StepKind::Scalar};
  tree_.hold(target_event_, step(pes_[pe].main, event));
  target_end_ = cycle;
}

void Causes::tell(PeId pe, std::uint32_t id, Cycle seen, EventId event) {
  std::vector<Told>& told = pes_[pe].told;
  auto place = std::ranges::find(told, id, &Told::id);
  if (place == told.end()) place = told.insert(place, {.id = id});
  place->tellers.add(tree_, seen, event);
}

void Causes::finish_tells(PeId pe, std::uint32_t number, std::uint32_t id, Cycle seen) {
  tell(pe, id, seen, thread({pe, number}).finish);
}

void Causes::picks(PeId pe, std::uint32_t id, Cycle now) {
  Pe& here = pes_[pe];
  Last last;
  const auto word = std::exchange(here.word, std::nullopt);
  Words words;
  if (word) words.heads = {&word->second, 1};
  consider_words(last, words, StepKind::Ramp, now);
  consider_told(last, pe, id, now);
  if (word) consider_told(last, pe, word->first, now);
  const Cycle free = tree_[here.main].cycle;
  last.consider({free, here.main, StepKind::Task});
  for (const Head& head : words.heads) {
    consider(last, queue(head.queue).pops, StepKind::Queue, now);
  }
  if (last.found().since < now) {
    if (free + 1 == now) last.consider({now, here.main, StepKind::Task});  // one task a cycle
    for (const Thread& other : here.threads) {  // that took its control wavelets
      consider(last, other.issues, StepKind::Queue, now);
    }
  }
  const std::uint8_t colour = word ? word->first : Event::kNoStepColour;
  const EventId event = caused(last, {.cycle = now, .pe = pe, .colour = colour});
  take_and_put(words, event, now);
  tree_.hold(here.main, event);
}

void Causes::consider_told(Last& last, PeId pe, std::uint32_t id, Cycle now) {
  const std::vector<Told>& told = pes_[pe].told;
  const auto found = std::ranges::find(told, id, &Told::id);
  if (found != told.end()) consider(last, found->tellers, StepKind::Task, now);
}

void Causes::begins(ThreadId id, std::uint32_t pc, Cycle set_up, Cycle earliest) {
  Pe& here = pes_[id.pe];
  const bool follows = earliest > set_up && here.former != kNoEvent;
  Event event{.cycle = earliest,
              .pe = id.pe,
              .pc = pc,
              .kind = follows ? StepKind::Drain : StepKind::SetUp,
              .thread = static_cast<std::uint8_t>(id.thread)};
  if (follows) event.slack = static_cast<std::uint32_t>(earliest - set_up);
  Thread& starting = thread(id);
  tree_.hold(starting.at, step(follows ? here.former : here.main, event));
  starting.next = earliest;
  starting.kind = StepKind::SetUp;
  starting.pc = pc;
  note(starting.at, earliest);
}

void Causes::consider_words(Last& last, const Words& words, StepKind way, Cycle now) {
  for (const Head& head : words.heads) {
    const Queue& from = queue(head.queue);
    if (!from.words.empty()) last.consider({head.visible, from.words.front(), way});
  }
  for (const Place& place : words.places) {
    if (place.is_last) consider(last, queue(place.queue).pops, StepKind::Room, now);
  }
}

void Causes::take_and_put(const Words& words, EventId event, Cycle now) {
  for (const Head& head : words.heads) {
    Queue& from = queue(head.queue);
    if (!from.words.empty()) {
      tree_.drop(from.words.front());
      from.words.erase(from.words.begin());
    }
    from.pops.add(tree_, now + 1, event);
  }
  for (const Place& place : words.places) {
    tree_.hold(queue(place.queue).words.emplace_back(kNoEvent), event);
  }
}

void Causes::consider(Last& last, const Recent& recent, StepKind kind, Cycle now) {
  const std::size_t k = recent.last_in(now);
  last.consider({recent.since[k], recent.events[k], kind});
}

void Causes::consider_fifos(Last& last, PeId pe, std::span<const Fifo> fifos, Cycle now) {
  std::vector<FifoEvents>& events = pes_[pe].fifos;
  for (const Fifo& fifo : fifos) {
    if (events.size() <= fifo.number) events.resize(fifo.number + 1);
    if (!fifo.was_tight) continue;
    const FifoEvents& of_fifo = events[fifo.number];
    const StepKind kind = fifo.pushes ? StepKind::Room : StepKind::Queue;
    consider(last, fifo.pushes ? of_fifo.pops : of_fifo.pushes, kind, now);
  }
}

// The slot may have been another thread's, or scalar code's.
void Causes::consider_slots(Last& last, PeId pe, const Thread& issuing, Cycle now) {
  const Pe& here = pes_[pe];
  for (const Thread& other : here.threads) {
    if (&other != &issuing) consider(last, other.issues, StepKind::Slot, now);
  }
  consider(last, here.scalar, StepKind::Slot, now);
}

void Causes::issues(ThreadId id, Cycle now, const Issue& issue) {
  Pe& here = pes_[id.pe];
  Thread& issuing = thread(id);
  Last last;
  consider_words(last, issue.words, StepKind::Ramp, now);
  last.consider({issuing.next, issuing.at, issuing.kind});
  for (const Head& head : issue.words.heads) {
    consider(last, queue(head.queue).pops, StepKind::Queue, now);
  }
  consider_fifos(last, id.pe, issue.fifos, now);
  if (last.found().since < now) consider_slots(last, id.pe, issuing, now);
  Event event{.cycle = now,
              .pe = id.pe,
              .pc = issuing.pc,
              .colour = issue.colour,
              .thread = static_cast<std::uint8_t>(id.thread)};
  const EventId issued = caused(last, event);
  issuing.issues.add(tree_, issue.has_conflict ? issue.next : now + 1, issued);
  tree_.hold(here.issue, issued);
  take_and_put(issue.words, issued, now);
  for (const Fifo& fifo : issue.fifos) {
    FifoEvents& events = here.fifos[fifo.number];
    (fifo.pushes ? events.pushes : events.pops).add(tree_, now + 1, issued);
  }
  event.cycle = now + 1;
  event.kind = StepKind::Issue;
  tree_.hold(issuing.at, step(issued, event));
  note(issuing.at, now + 1);
  issuing.kind = issue.has_conflict ? StepKind::Bank : StepKind::Issue;
  if (!issue.has_conflict && issue.next > now + 1) {  // between two scalars
    event.cycle = issue.next;
    event.kind = StepKind::SetUp;
    tree_.hold(issuing.at, step(issuing.at, event));
    note(issuing.at, issue.next);
  }
  issuing.next = issue.next;
}

void Causes::ends(ThreadId id, Cycle cycle, Cycle finish) {
  Pe& here = pes_[id.pe];
  Thread& ending = thread(id);
  Event event{.cycle = cycle,
              .pe = id.pe,
              .pc = ending.pc,
              .kind = ending.kind,
              .thread = static_cast<std::uint8_t>(id.thread)};
  tree_.hold(ending.at, step(ending.at, event));
  if (id.thread == kMainThread) tree_.hold(here.former, ending.at);
  event.cycle = finish;
  event.kind = StepKind::Drain;
  tree_.hold(ending.finish, step(ending.at, event));
  note(ending.finish, finish);
}

void Causes::moves(const Move& move, Cycle now) {
  Pe& here = pes_[move.pe];
  Last last;
  consider_words(last, move.words, move.is_from_ramp ? StepKind::Ramp : StepKind::Link, now);
  here.ports.resize(std::max<std::size_t>(here.ports.size(), std::bit_width(move.ports)));
  for (std::uint32_t rest = move.ports; rest != 0; rest &= rest - 1) {
    const Port& port = here.ports[static_cast<std::size_t>(std::countr_zero(rest))];
    if (port.event != kNoEvent) {
      last.consider({port.free, port.event, StepKind::Link});
    }
  }
  for (const Head& head : move.words.heads) {
    consider(last, queue(head.queue).pops, StepKind::Queue, now);
  }
  const auto change = changes_.find(move.channel);
  if (change != changes_.end()) {
    last.consider({change->second.cycle + 1, change->second.event, StepKind::Switch});
  }
  const EventId moved = caused(last, {.cycle = now, .pe = move.pe, .colour = move.colour});
  tree_.hold(here.move, moved);
  note(moved, now + 1);
  for (std::uint32_t rest = move.ports; rest != 0; rest &= rest - 1) {
    const bool is_link = (rest & (~rest + 1) & move.links) != 0;
    Port& port = here.ports[static_cast<std::size_t>(std::countr_zero(rest))];
    port.free = now + (is_link ? move.interval : 1);
    tree_.hold(port.event, moved);
  }
  take_and_put(move.words, moved, now);
}

void Causes::switches(PeId pe, std::uint32_t channel, bool by_move, Cycle now) {
  Change& change = changes_[channel];
  change.cycle = now;
  tree_.hold(change.event, by_move ? pes_[pe].move : pes_[pe].main);
}

void Causes::enters(PeId pe, std::uint8_t colour, const Place& place, Cycle now) {
  Last last;
  consider_words(last, {{}, {&place, 1}}, StepKind::Link, now);
  last.consider({now, tree_.start(), StepKind::Link});
  const EventId entered = caused(last, {.cycle = now, .pe = pe, .colour = colour});
  note(entered, now + 1);
  take_and_put({{}, {&place, 1}}, entered, now);
}

void Causes::drops(PeId pe, std::uint8_t colour, const Head& head, Cycle now) {
  Last last;
  consider_words(last, {{&head, 1}, {}}, StepKind::Ramp, now);
  last.consider({now, pes_[pe].move, StepKind::Queue});
  const EventId dropped = caused(last, {.cycle = now, .pe = pe, .colour = colour});
  take_and_put({{&head, 1}, {}}, dropped, now);
}

}  // namespace wse::vm
