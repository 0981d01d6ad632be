// Places that hold the last events of PEs, queues and channels: those that can become the cause of
// another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isa/machine/fabric.h"
#include "isa/support/mutant.h"
#include "vm/ledger/event_tree.h"

namespace wse::vm::causes {

// The cause of an event acts from the cycle of the event on, or from few cycles before. Causes that
// act since longer than this are those of no event to come.
inline constexpr Cycle kPast = 64;

inline bool is_past(Cycle since, Cycle now) {
  return isa::mutant(isa::Mutant::CausePast) ? since <= now + 1 : since + kPast < now;
}

// A word that is taken from the queue with that number, which the transport gives it.
struct Head {
  std::uint32_t queue = 0;
  Cycle visible = 0;
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
  Recent issues{};  // which held its slot up to some cycle
  Cycle next = 0;   // when it may issue next
  // The thread's start, or the end of its last issue. If is_at_issue, it is the last issue itself,
  // which ends a cycle later: State::settle adds that step.
  EventId at = kNoEvent;
  EventId finish = kNoEvent;
  std::uint32_t pc = ~0u;
  StepKind kind = StepKind::SetUp;
  std::uint8_t colour = Event::kNoStepColour;  // of the last issue
  bool is_at_issue = false;
  // The cause of the last issue, and its slack, if the issue before was like it. The next issue
  // that is like it goes back to this cause, too, as if all of them were one.
  EventId train = kNoEvent;
  std::uint32_t train_slack = Event::kNoSlack;

  template <class Visit>
  void visit(const Visit& visit_event) {
    visit_event(at);
    issues.visit(visit_event);
    visit_event(finish);
    visit_event(train);
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

// The ports of a router of a mesh, and its last move.
struct Router {
  std::array<Cycle, isa::kMeshPorts> free{};
  std::array<EventId, isa::kMeshPorts> taken;  // by the last event that took it
  EventId move = EventTree::kStart;

  Router() { taken.fill(kNoEvent); }
};

// The events of a PE that each word of a stream changes: a cache line of the host for moves, and
// one for issues.
struct alignas(64) Pe {
  Router router{};
  Thread main_thread{};
  EventId issue = EventTree::kStart;  // the last of any thread

  // The last events are forgotten if they are past.
  void forget(const EventTree& tree, Cycle now);
  template <class Visit>
  void visit(const Visit& visit_event) {
    for (EventId& event : router.taken) visit_event(event);
    visit_event(router.move);
    main_thread.visit(visit_event);
    visit_event(issue);
  }
};
static_assert(sizeof(Router) == 64 && sizeof(Pe) == 128);

// The other events of a PE.
struct Core {
  EventId main = EventTree::kStart;
  EventId former = kNoEvent;          // the last issue of the main thread's last instruction
  EventId computed = kNoEvent;        // what the main thread computes up to
  std::optional<Cycle> rests_from{};  // after a task: since then
  Cycle drained = 0;                  // its former instruction, where it rests
  Recent scalar{};                    // up to when its scalar code held the slot
  std::optional<std::pair<std::uint8_t, Head>> word{};  // that the picker takes, of a colour
  std::vector<Thread> microthreads{};
  std::vector<Told> told{};
  std::vector<FifoEvents> fifos{};
  std::vector<Port> far_ports{};  // those that no mesh has

  void forget(const EventTree& tree, Cycle now);
  template <class Visit>
  void visit(const Visit& visit_event) {
    for (EventId* const event : {&main, &former, &computed}) visit_event(*event);
    scalar.visit(visit_event);
    for (Thread& thread : microthreads) thread.visit(visit_event);
    for (Told& one : told) one.tellers.visit(visit_event);
    for (FifoEvents& fifo : fifos) {
      fifo.pushes.visit(visit_event);
      fifo.pops.visit(visit_event);
    }
    for (Port& port : far_ports) visit_event(port.event);
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
    if (count_ > few_.size()) [[unlikely]] {
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

struct alignas(64) Queue {
  WordEvents words{};  // that put them there
  Recent pops{};       // who took the last ones: a place is free

  template <class Visit>
  void visit(const Visit& visit_event) {
    words.visit(visit_event);
    pops.visit(visit_event);
  }
};
static_assert(sizeof(Queue) == 64);

struct Change {
  Cycle cycle = 0;
  EventId event = kNoEvent;  // none: there was no change

  template <class Visit>
  void visit(const Visit& visit_event) {
    visit_event(event);
  }
};

}  // namespace wse::vm::causes
