// Adds events, and finds those that fulfilled their conditions.
#include "vm/ledger/cause_state.h"

#include <algorithm>

namespace wse::vm::causes {
namespace {

// Young events: so few that caches hold them, so many that it does not matter how many PEs and
// queues are looked at when most of them are forgotten.
constexpr std::size_t kLeastYoung = std::size_t{1} << 16;
constexpr std::size_t kMostYoung = std::size_t{1} << 19;
constexpr std::size_t kYoungOfPe = 2;
// Events that stay before all PEs are looked at.
constexpr std::size_t kOldOfPe = 8;
// A PE has about so many queues and channels.
constexpr std::size_t kQueuesOfPe = 8;

std::size_t young_window(std::size_t pes, const PathTarget& wanted) {
  return wanted.window.value_or(std::clamp(kYoungOfPe * pes, kLeastYoung, kMostYoung));
}
std::size_t old_window(std::size_t pes, const PathTarget& wanted) {
  return wanted.window.value_or(std::max(kLeastYoung, kOldOfPe * pes));
}

void forget_event(EventId& event, const EventTree& tree, Cycle now) {
  if (event != kNoEvent && is_past(tree[event].cycle, now)) event = EventTree::kStart;
}

// The event that took a port, which is free from a cycle on; none: nothing ever took it.
void forget_taking(EventId& taken, Cycle free, Cycle now) {
  if (taken != kNoEvent && is_past(free, now)) taken = EventTree::kStart;
}

void forget_thread(Thread& thread, const EventTree& tree, Cycle now) {
  thread.issues.forget(now);
  forget_event(thread.finish, tree, now);
}

}  // namespace

void Pe::forget(const EventTree& tree, Cycle now) {
  forget_event(issue, tree, now);
  forget_event(router.move, tree, now);
  forget_thread(main_thread, tree, now);
  for (std::size_t k = 0; k < isa::kMeshPorts; ++k) {
    forget_taking(router.taken[k], router.free[k], now);
  }
}

void Core::forget(const EventTree& tree, Cycle now) {
  if (rests_from && is_past(drained, now)) {
    forget_event(main, tree, now);
    former = kNoEvent;
  }
  scalar.forget(now);
  for (Thread& thread : microthreads) forget_thread(thread, tree, now);
  for (Told& one : told) one.tellers.forget(now);
  for (FifoEvents& fifo : fifos) {
    fifo.pushes.forget(now);
    fifo.pops.forget(now);
  }
  for (Port& port : far_ports) forget_taking(port.event, port.free, now);
}

State::State(std::size_t count, const PathTarget& wanted)
    : tree(young_window(count, wanted), old_window(count, wanted)),
      pes(count),
      cores(count),
      queues(kQueuesOfPe * count),
      changes(kQueuesOfPe * count),
      target(wanted) {}

// Visits what does not belong to a PE, a queue or a channel.
template <class Visit>
void State::visit_rest(const Visit& visit) {
  for (auto& [queue, event] : entries) visit(event);
  for (Watch& watch : watches) {
    visit(watch.event);
    visit(watch.word);
  }
  visit(target_event);
}

void State::collect(Cycle now) {
  const bool all = tree.forgets_all();
  if (all) {
    pes.for_each([&](Pe& pe) { pe.forget(tree, now); });
    cores.for_each([&](Core& core) { core.forget(tree, now); });
    queues.for_each([&](Queue& one) { one.pops.forget(now); });
    changes.for_each([&](Change& change) {
      if (change.event != kNoEvent && is_past(change.cycle, now)) change.event = EventTree::kStart;
    });
  }
  const auto for_each_in = [&](auto& table, const auto& visit_event) {
    const auto visit = [&](auto& one) { one.visit(visit_event); };
    all ? table.for_each(visit) : table.for_each_changed(visit);
  };
  tree.collect([&](const auto& visit_event) {
    for_each_in(pes, visit_event);
    for_each_in(cores, visit_event);
    for_each_in(queues, visit_event);
    for_each_in(changes, visit_event);
    visit_rest(visit_event);
  });
  pes.forget_changes();
  cores.forget_changes();
  queues.forget_changes();
  changes.forget_changes();
}

Thread& State::microthread(ThreadId id) {
  std::vector<Thread>& microthreads = cores[id.pe].microthreads;
  if (microthreads.size() < id.thread) microthreads.resize(id.thread);
  return microthreads[id.thread - 1];
}

Port& State::far_port(PeId pe, std::size_t number) {
  std::vector<Port>& far = cores[pe].far_ports;
  if (far.size() <= number - isa::kMeshPorts) far.resize(number - isa::kMeshPorts + 1);
  return far[number - isa::kMeshPorts];
}

void State::stand(std::uint32_t number, std::uint32_t words) {
  for (std::uint32_t k = 0; k < words; ++k) {
    queues[number].words.push(EventTree::kStart);
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
      const Queue& from = queues[head.queue];
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

EventId State::settle(ThreadId id, Thread& thread) {
  if (!thread.is_at_issue) return thread.at;
  thread.is_at_issue = false;
  thread.at = step(thread.at, {.cycle = thread.next,
                               .pe = id.pe,
                               .pc = thread.pc,
                               .kind = StepKind::Issue,
                               .colour = thread.colour,
                               .thread = static_cast<std::uint8_t>(id.thread)});
  return thread.at;
}

void State::note(EventId id, Cycle end) {
  const Event& event = tree[id];
  if (target.mark || (target.pe && (event.pe != *target.pe || event.cycle > target.until))) {
    return;
  }
  const Cycle until = target.pe ? event.cycle : end;
  if (!is_later(event.pe, until)) return;
  target_event = id;
  target_after.reset();
  target_end = until;
}

void State::note_issue(EventId id, const Event& after) {
  if (target.mark || target.pe || !is_later(after.pe, after.cycle)) return;
  target_event = id;
  target_after = after;
  target_end = after.cycle;
}

}  // namespace wse::vm::causes
