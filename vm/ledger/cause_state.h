// The state of a run's causes: events that somebody still needs, and which of them can become the
// cause of another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/ledger/event_tree.h"
#include "vm/ledger/last_events.h"
#include "vm/ledger/paged_table.h"

namespace wse::vm {

// The event whose path is wanted: the last one of a PE up to a cycle, or the last passage of a
// mark; without both, the one that ends last.
struct PathTarget {
  std::optional<PeId> pe{};
  Cycle until = kNever;
  std::optional<std::uint32_t> mark{};
  // The book keeps so many events at least before it forgets any; none: as many as suit the
  // machine.
  std::optional<std::size_t> window{};
};

namespace causes {

// A place of a word that is put there.
struct Place {
  std::uint32_t queue = 0;
  bool is_last = false;  // no other was free at the start of the cycle
};
struct Words {
  std::span<const Head> heads{};
  std::span<const Place> places{};
};

struct Condition {
  Cycle since = 0;
  EventId event = kNoEvent;
  StepKind kind = StepKind::Task;
  bool is_after = false;  // it is fulfilled in a later cycle than that of its event
};

// The condition that was fulfilled last; of several, the one that was considered first.
class Last {
 public:
  void consider(const Condition& condition) {
    if (condition.event == kNoEvent) return;
    const bool is_first = found_.event == kNoEvent;
    const bool wins_ties = isa::mutant(isa::Mutant::CauseTies);
    if (is_first || condition.since > found_.since ||
        (wins_ties && condition.since == found_.since)) {
      if (!is_first) second_ = found_.since;
      found_ = condition;
    } else {
      second_ = second_ ? std::max(*second_, condition.since) : condition.since;
    }
  }
  const Condition& found() const { return found_; }
  // Another event stands for the one that was found.
  void replace(EventId event) { found_.event = event; }
  // Returns how much earlier than `now` the others were fulfilled; kNoSlack without others.
  std::uint32_t slack(Cycle now) const {
    constexpr Cycle kMost = Event::kNoSlack;
    return static_cast<std::uint32_t>(second_ ? std::min(now - *second_, kMost) : kMost);
  }

 private:
  Condition found_{};
  std::optional<Cycle> second_{};
};

// A thread that somebody looks at: the first thing that it does from then on.
struct Watch {
  ThreadId thread{};
  Cycle from = 0;            // the first cycle that is looked at
  EventId event = kNoEvent;  // none: it has done nothing yet
  Cycle ended = kNever;      // in which it did it
  EventId word = kNoEvent;   // that put the word there that it took then, the last one to come,
  Cycle came = 0;  // which it could take from this cycle on, after the first; 0: none came
};

class State {
 public:
  State(std::size_t pes, const PathTarget& wanted);

  Thread& thread(ThreadId id) {
    return id.thread == kMainThread ? pes[id.pe].main_thread : microthread(id);
  }
  // Calls visit(thread) for each of the PE.
  template <class Visit>
  void for_each_thread(PeId pe, const Visit& visit) {
    visit(pes[pe].main_thread);
    const Core* const core = cores.find(pe);
    if (core == nullptr) return;
    for (const Thread& thread : core->microthreads) visit(thread);
  }
  // The ports of a router, those of a mesh first.
  Port port(PeId pe, std::size_t number) {
    if (number >= isa::kMeshPorts) [[unlikely]]
      return far_port(pe, number);
    const Router& router = pes[pe].router;
    return {router.free[number], router.taken[number]};
  }
  void set_port(PeId pe, std::size_t number, const Port& port) {
    if (number >= isa::kMeshPorts) [[unlikely]] {
      far_port(pe, number) = port;
    } else {
      pes[pe].router.free[number] = port.free;
      pes[pe].router.taken[number] = port.event;
    }
  }
  // The queue holds so many words from before the first event that is told here.
  void stand(std::uint32_t queue, std::uint32_t words);
  // The thread issues, starts or continues; it takes these words, which are still there.
  void act(ThreadId thread, EventId event, const Words& words, Cycle now) {
    if (open_watches > 0) end_watches(thread, event, words, now);
  }
  void watch(ThreadId thread, Cycle from);
  // Returns an event in a cycle that is not before that of its cause. In the cycle of its cause it
  // is a step of no cycle if it has a slack, and else the cause itself. Without a cause it is the
  // start.
  EventId step(EventId cause, Event event);
  // Adds an event with the last of its conditions as its cause: see step(). Inline by force, as
  // EventTree::add is.
  [[gnu::always_inline]] EventId caused(const Last& last, Event event) {
    const Condition& found = last.found();
    event.kind = found.kind;
    event.slack = last.slack(event.cycle);
    if (found.since != event.cycle) [[unlikely]]
      ++unexplained;
    if (found.event == kNoEvent || !found.is_after) return step(found.event, event);
    event.cause = found.event;
    return tree.add(event);
  }
  // Returns the event that Thread::at stands for.
  EventId settle(ThreadId id, Thread& thread);
  // The event may be the one that is asked for; it lasts up to cycle `end`.
  void note(EventId id, Cycle end);
  // Notes an issue that the step `after` follows, of another PE than the target: that step is not
  // in the tree.
  void note_issue(EventId id, const Event& after);

  // Conditions of an event in cycle `now`: the last one of a sort that acts then, the words that it
  // takes, and places for those that it sends.
  static void consider(Last& last, const Recent& recent, StepKind kind, Cycle now) {
    const std::size_t k = recent.last_in(now);
    last.consider({recent.since[k], recent.events[k], kind});
  }
  void consider_words(Last& last, const Words& words, StepKind way) {
    for (const Head& head : words.heads) {
      const Queue& from = queues[head.queue];
      if (!from.words.empty()) last.consider({head.visible, from.words.front(), way, true});
    }
  }
  // Other words were in front of them.
  void consider_fronts(Last& last, const Words& words, Cycle now) {
    for (const Head& head : words.heads) {
      consider(last, queues[head.queue].pops, StepKind::Queue, now);
    }
  }
  void consider_places(Last& last, const Words& words, Cycle now) {
    for (const Place& place : words.places) {
      if (place.is_last && !isa::mutant(isa::Mutant::CauseRoom)) [[unlikely]]
        consider(last, queues[place.queue].pops, StepKind::Room, now);
    }
  }
  // The event takes the words, and puts others.
  void take_and_put(const Words& words, EventId event, Cycle now) {
    for (const Head& head : words.heads) {
      Queue& from = queues[head.queue];
      if (!from.words.empty()) from.words.pop();
      from.pops.add(now + 1, event);
    }
    for (const Place& place : words.places) queues[place.queue].words.push(event);
  }

  void end_watches(ThreadId thread, EventId event, const Words& words, Cycle now);

  // Forgets what can be no cause in cycle `now` or later, if it is time; ids of events change, and
  // what was got from the tables before changes unseen.
  void forget(Cycle now) {
    if (tree.is_full()) [[unlikely]]
      collect(now);
  }

  EventTree tree;
  std::vector<Watch> watches{};
  std::size_t open_watches = 0;  // those that have done nothing yet
  PagedTable<Pe> pes;
  PagedTable<Core> cores;                                // by PE
  PagedTable<Queue> queues;                              // by number
  PagedTable<Change> changes;                            // by channel
  std::unordered_map<std::uint32_t, EventId> entries{};  // by queue: of the last word of a stream
  PathTarget target;
  EventId target_event = kNoEvent;
  std::optional<Event> target_after{};  // the step after it, if that is not in the tree
  Cycle target_end = 0;
  std::uint64_t unexplained = 0;  // events for which no condition was found

 private:
  // Returns whether the target gives way to an event of the PE that lasts up to cycle `end`.
  bool is_later(PeId pe, Cycle end) const {
    if (target_event == kNoEvent || end != target_end) {
      return target_event == kNoEvent || end > target_end;
    }
    return pe < (target_after ? target_after->pe : tree[target_event].pe);
  }
  Thread& microthread(ThreadId id);
  Port& far_port(PeId pe, std::size_t number);
  void collect(Cycle now);
  template <class Visit>
  void visit_rest(const Visit& visit);
};

}  // namespace causes
}  // namespace wse::vm
