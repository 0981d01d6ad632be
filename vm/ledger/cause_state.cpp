// Adds events, and finds those that fulfilled their conditions.
#include "vm/ledger/cause_state.h"

#include <algorithm>

namespace wse::vm::causes {
namespace {

// Events that are kept at least: so many that it does not matter that all PEs are looked at when
// the others are forgotten.
constexpr std::size_t kLeastWindow = std::size_t{1} << 16;
constexpr std::size_t kWindowOfPe = 32;

}  // namespace

void Pe::forget(const EventTree& tree, Cycle now) {
  const auto forget_event = [&](EventId& event) {
    if (event != kNoEvent && is_past(tree[event].cycle, now)) event = EventTree::kStart;
  };
  if (rests_from && is_past(drained, now)) {
    forget_event(main);
    former = kNoEvent;
  }
  forget_event(issue);
  forget_event(move);
  scalar.forget(now);
  for (Thread& thread : threads) {
    thread.issues.forget(now);
    forget_event(thread.finish);
  }
  for (Told& one : told) one.tellers.forget(now);
  for (FifoEvents& fifo : fifos) {
    fifo.pushes.forget(now);
    fifo.pops.forget(now);
  }
  for (Port& port : ports) {
    if (is_past(port.free, now)) port.event = EventTree::kStart;
  }
}

State::State(std::size_t count, const PathTarget& wanted)
    : tree(wanted.window.value_or(std::max(kLeastWindow, kWindowOfPe * count))), target(wanted) {}

template <class Visit>
void State::visit(const Visit& visit_event) {
  pes.for_each([&](Pe& pe) { pe.visit(visit_event); });
  queues.for_each([&](Queue& one) {
    one.words.visit(visit_event);
    one.pops.visit(visit_event);
  });
  for (auto& [channel, change] : changes) visit_event(change.event);
  for (auto& [queue, event] : entries) visit_event(event);
  for (Watch& watch : watches) {
    visit_event(watch.event);
    visit_event(watch.word);
  }
  visit_event(target_event);
}

void State::collect(Cycle now) {
  pes.for_each([&](Pe& pe) { pe.forget(tree, now); });
  queues.for_each([&](Queue& one) { one.pops.forget(now); });
  for (auto& [channel, change] : changes) {
    if (is_past(change.cycle, now)) change.event = EventTree::kStart;
  }
  tree.collect([this](const auto& visit_event) { visit(visit_event); });
}

Thread& State::thread(ThreadId id) {
  std::vector<Thread>& threads = pes[id.pe].threads;
  if (threads.size() <= id.thread) threads.resize(id.thread + 1);
  return threads[id.thread];
}

void State::stand(std::uint32_t number, std::uint32_t words) {
  for (std::uint32_t k = 0; k < words; ++k) {
    queue(number).words.push(EventTree::kStart);
  }
}

void State::watch(ThreadId thread, Cycle from) {
  watches.push_back({.thread = thread, .from = from});
  ++open_watches;
}

void State::end_watches(ThreadId thread, EventId event, const Words& words, Cycle now) {
  for (Watch& watch : watches) {
    if (watch.ended != kNever || watch.thread.pe != thread.pe ||
        watch.thread.thread != thread.thread) {
      continue;
    }
    watch.event = tree.is_step(event) ? event : tree[event].cause;
    watch.ended = now;
    for (const Head& head : words.heads) {
      const Queue& from = queue(head.queue);
      if (from.words.empty() || head.visible <= std::max(watch.from, watch.came)) continue;
      watch.word = from.words.front();
      watch.came = head.visible;
    }
    --open_watches;
  }
}

EventId State::step(EventId cause, Event event) {
  if (cause == kNoEvent) cause = EventTree::kStart;
  const Cycle since = tree[cause].cycle;
  const bool tells = event.slack != Event::kNoSlack && !isa::mutant(isa::Mutant::CauseSlack);
  if (since > event.cycle || (since == event.cycle && !tells)) return cause;
  event.cause = cause;
  return tree.add(event);
}

EventId State::caused(const Last& last, Event event) {
  Condition found = last.found();
  if (found.event == kNoEvent) found.event = EventTree::kStart;
  event.kind = found.kind;
  event.slack = last.slack(event.cycle);
  if (found.since != event.cycle) ++unexplained;
  return step(found.event, event);
}

void State::note(EventId id, Cycle end) {
  const Event& event = tree[id];
  if (target.mark || (target.pe && (event.pe != *target.pe || event.cycle > target.until))) {
    return;
  }
  const Cycle until = target.pe ? event.cycle : end;
  const bool is_later = target_event == kNoEvent || until > target_end ||
                        (until == target_end && event.pe < tree[target_event].pe);
  if (!is_later) return;
  target_event = id;
  target_end = until;
}

void State::consider(Last& last, const Recent& recent, StepKind kind, Cycle now) {
  const std::size_t k = recent.last_in(now);
  last.consider({recent.since[k], recent.events[k], kind});
}

void State::consider_words(Last& last, const Words& words, StepKind way) {
  for (const Head& head : words.heads) {
    const Queue& from = queue(head.queue);
    if (!from.words.empty()) last.consider({head.visible, from.words.front(), way});
  }
}

void State::consider_fronts(Last& last, const Words& words, Cycle now) {
  for (const Head& head : words.heads) {
    consider(last, queue(head.queue).pops, StepKind::Queue, now);
  }
}

void State::consider_places(Last& last, const Words& words, Cycle now) {
  for (const Place& place : words.places) {
    if (place.is_last && !isa::mutant(isa::Mutant::CauseRoom))
      consider(last, queue(place.queue).pops, StepKind::Room, now);
  }
}

void State::take_and_put(const Words& words, EventId event, Cycle now) {
  for (const Head& head : words.heads) {
    Queue& from = queue(head.queue);
    if (!from.words.empty()) from.words.pop();
    from.pops.add(now + 1, event);
  }
  for (const Place& place : words.places) {
    queue(place.queue).words.push(event);
  }
}

}  // namespace wse::vm::causes
