// The state of a run's causes: events that somebody still needs, and which of them can become the
// cause of another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/ledger/event_tree.h"
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

// The cause of an event acts from the cycle of the event on, or from few cycles before. Causes that
// act since longer than this are those of no event to come.
inline constexpr Cycle kPast = 64;

inline bool is_past(Cycle since, Cycle now) {
  return isa::mutant(isa::Mutant::CausePast) ? since <= now + 1 : since + kPast < now;
}

// A queue has a number that the transport gives it.
struct Head {  // a word that is taken
  std::uint32_t queue = 0;
  Cycle visible = 0;
};
struct Place {  // of a word that is put there
  std::uint32_t queue = 0;
  bool is_last = false;  // no other was free at the start of the cycle
};
struct Words {
  std::span<const Head> heads{};
  std::span<const Place> places{};
};

// The last two events of a sort, and since when they act.
struct Recent {
  std::array<Cycle, 2> since = {0, 0};
  std::array<EventId, 2> events = {kNoEvent, kNoEvent};

  // An event that acts from the same cycle on as the last one replaces it.
  void add(Cycle from, EventId event) {
    if (events[0] != kNoEvent && since[0] != from) {
      events[1] = events[0];
      since[1] = since[0];
    }
    since[0] = from;
    events[0] = event;
  }
  // Returns which one is the last that acts in that cycle.
  std::size_t last_in(Cycle cycle) const { return since[0] <= cycle ? 0 : 1; }
  // The events that are past are forgotten; since when they acted is not.
  void forget(Cycle now) {
    for (std::size_t k = 0; k < events.size(); ++k) {
      if (events[k] != kNoEvent && is_past(since[k], now)) events[k] = EventTree::kStart;
    }
  }
  template <class Visit>
  void visit(const Visit& visit_event) {
    for (EventId& event : events) visit_event(event);
  }
};

struct Thread {
  EventId at = kNoEvent;  // its start, or its last issue and what that waits for
  Cycle next = 0;         // when it may issue next
  StepKind kind = StepKind::SetUp;
  std::uint32_t pc = ~0u;
  Recent issues{};  // which held its slot up to some cycle
  EventId finish = kNoEvent;

  template <class Visit>
  void visit(const Visit& visit_event) {
    visit_event(at);
    issues.visit(visit_event);
    visit_event(finish);
  }
};

struct Told {
  std::uint32_t id = 0;
  Recent tellers{};
};

struct FifoEvents {
  Recent pushes{};
  Recent pops{};
};

struct Port {
  Cycle free = 0;  // from then on
  EventId event = kNoEvent;
};

struct Pe {
  EventId main = EventTree::kStart;
  EventId former = kNoEvent;          // the last issue of the main thread's last instruction
  EventId issue = EventTree::kStart;  // the last of any thread
  EventId move = EventTree::kStart;   // the last of its router
  EventId computed = kNoEvent;        // what the main thread computes up to
  std::optional<Cycle> rests_from{};  // after a task: since then
  Cycle drained = 0;                  // its former instruction, where it rests
  Recent scalar{};                    // up to when its scalar code held the slot
  std::optional<std::pair<std::uint8_t, Head>> word{};  // that the picker takes, of a colour
  std::vector<Thread> threads{};
  std::vector<Told> told{};
  std::vector<FifoEvents> fifos{};
  std::vector<Port> ports{};

  void forget(const EventTree& tree, Cycle now);
  template <class Visit>
  void visit(const Visit& visit_event) {
    for (EventId* const event : {&main, &former, &issue, &move, &computed}) visit_event(*event);
    scalar.visit(visit_event);
    for (Thread& thread : threads) thread.visit(visit_event);
    for (Told& one : told) one.tellers.visit(visit_event);
    for (FifoEvents& fifo : fifos) {
      fifo.pushes.visit(visit_event);
      fifo.pops.visit(visit_event);
    }
    for (Port& port : ports) visit_event(port.event);
  }
};

// The events that put the words of a queue there, the first one first. Most queues hold few.
class WordEvents {
 public:
  bool empty() const { return count_ == 0; }
  EventId front() const { return few_.front(); }
  void push(EventId event) {
    if (count_ < few_.size()) {
      few_[count_] = event;
    } else {
      if (more_ == nullptr) more_ = std::make_unique<std::deque<EventId>>();
      more_->push_back(event);
    }
    ++count_;
  }
  void pop() {
    std::shift_left(few_.begin(), few_.end(), 1);
    if (count_ > few_.size()) {
      few_.back() = more_->front();
      more_->pop_front();
    }
    --count_;
  }
  template <class Visit>
  void visit(const Visit& visit_event) {
    for (std::size_t k = 0; k < std::min<std::size_t>(count_, few_.size()); ++k) {
      visit_event(few_[k]);
    }
    if (more_ == nullptr) return;
    for (EventId& event : *more_) visit_event(event);
  }

 private:
  std::array<EventId, 4> few_{};
  std::uint32_t count_ = 0;
  std::unique_ptr<std::deque<EventId>> more_{};  // of longer queues
};

struct Queue {
  WordEvents words{};  // that put them there
  Recent pops{};       // who took the last ones: a place is free
};

struct Change {
  Cycle cycle = 0;
  EventId event = kNoEvent;
};

struct Condition {
  Cycle since = 0;
  EventId event = kNoEvent;
  StepKind kind = StepKind::Task;
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

  Thread& thread(ThreadId id);
  Queue& queue(std::uint32_t number) { return queues[number]; }
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
  // Returns such an event with the last of its conditions as its cause.
  EventId caused(const Last& last, Event event);
  // The event may be the one that is asked for; it lasts up to cycle `end`.
  void note(EventId id, Cycle end);

  // Conditions of an event in cycle `now`: the last one of a sort that acts then, the words that it
  // takes, and places for those that it sends.
  static void consider(Last& last, const Recent& recent, StepKind kind, Cycle now);
  void consider_words(Last& last, const Words& words, StepKind way);
  void consider_fronts(Last& last, const Words& words, Cycle now);  // other words in front of them
  void consider_places(Last& last, const Words& words, Cycle now);
  // The event takes the words, and puts others.
  void take_and_put(const Words& words, EventId event, Cycle now);

  void end_watches(ThreadId thread, EventId event, const Words& words, Cycle now);

  // Forgets what can be no cause in cycle `now` or later, if it is time; ids of events change.
  void forget(Cycle now) {
    if (tree.is_full()) collect(now);
  }

  EventTree tree;
  std::vector<Watch> watches{};
  std::size_t open_watches = 0;  // those that have done nothing yet
  PagedTable<Pe> pes{};
  PagedTable<Queue> queues{};
  std::unordered_map<std::uint32_t, Change> changes{};   // by channel
  std::unordered_map<std::uint32_t, EventId> entries{};  // by queue: of the last word of a stream
  PathTarget target;
  EventId target_event = kNoEvent;
  Cycle target_end = 0;
  std::uint64_t unexplained = 0;  // events for which no condition was found

 private:
  void collect(Cycle now);
  template <class Visit>
  void visit(const Visit& visit_event);
};

}  // namespace causes
}  // namespace wse::vm
