// Adds events, and finds those that fulfilled their conditions.
#include "vm/ledger/cause_state.h"

#include <algorithm>

namespace wse::vm::causes {

State::State(std::size_t count, const PathTarget& wanted) : pes(count), target(wanted) {
  for (Pe& pe : pes) {
    tree.hold(pe.main, tree.start());
    tree.hold(pe.issue, tree.start());
    tree.hold(pe.move, tree.start());
  }
}

Thread& State::thread(ThreadId id) {
  std::vector<Thread>& threads = pes[id.pe].threads;
  if (threads.size() <= id.thread) threads.resize(id.thread + 1);
  return threads[id.thread];
}

Queue& State::queue(std::uint32_t number) {
  if (queues.size() <= number) queues.resize(std::size_t{number} + number / 2 + 1);
  return queues[number];
}

void State::stand(std::uint32_t number, std::uint32_t words) {
  for (std::uint32_t k = 0; k < words; ++k) {
    tree.hold(queue(number).words.emplace_back(kNoEvent), tree.start());
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
    tree.hold(watch.event, tree.is_step(event) ? event : tree[event].cause);
    watch.ended = now;
    for (const Head& head : words.heads) {
      const Queue& from = queue(head.queue);
      if (from.words.empty() || head.visible <= std::max(watch.from, watch.came)) continue;
      tree.hold(watch.word, from.words.front());
      watch.came = head.visible;
    }
    --open_watches;
  }
}

EventId State::step(EventId cause, Event event) {
  if (cause == kNoEvent) cause = tree.start();
  const Cycle since = tree[cause].cycle;
  const bool tells = event.slack != Event::kNoSlack && !isa::mutant(isa::Mutant::CauseSlack);
  if (since > event.cycle || (since == event.cycle && !tells)) return cause;
  if (since == event.cycle) event.count = 0;
  event.cause = cause;
  return tree.add(event);
}

EventId State::caused(const Last& last, Event event) {
  Condition found = last.found();
  if (found.event == kNoEvent) found.event = tree.start();
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
  tree.hold(target_event, id);
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
    if (!from.words.empty()) {
      tree.drop(from.words.front());
      from.words.erase(from.words.begin());
    }
    from.pops.add(tree, now + 1, event);
  }
  for (const Place& place : words.places) {
    tree.hold(queue(place.queue).words.emplace_back(kNoEvent), event);
  }
}

}  // namespace wse::vm::causes
