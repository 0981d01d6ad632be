// The causes of events, kept while a machine runs: the critical path to what finishes last, or to
// what somebody asks for, is there at the end.
//
// An event has conditions, each fulfilled by another event from some cycle on: a word has come, a
// place is free, the thread may issue again. Its cause is the condition that was fulfilled last; of
// several, the former issue of its own thread, then a word, and room last: so what comes just in
// time for a PE that is busy is not what it waits for. Cores and the stepper tell what happens, and
// what the conditions were; this book knows which events those came from.
//
//     word visible from cycle 7, pushed by `link` of PE(1,0) in 5        the cause of the issue
//     thread may issue from cycle 6, its former issue                    in cycle 7; slack 1
//
// Only a machine that looks at every cycle tells all of it: one that is traced.
#pragma once

#include "vm/ledger/core_causes.h"
#include "vm/ledger/router_causes.h"
#include "vm/ledger/thread_causes.h"

namespace wse::vm {

class Causes {
 public:
  Causes(std::size_t pes, const PathTarget& target) : state_(pes, target) {}
  Causes(const Causes&) = delete;
  Causes& operator=(const Causes&) = delete;

  const EventTree& events() const { return state_.tree; }
  // The event whose path is wanted; none: nothing happened there.
  EventId target() const { return state_.target_event; }
  // The step that follows it up to its end, if that is not among the events; else null.
  const Event* after_target() const {
    return state_.target_after ? &*state_.target_after : nullptr;
  }
  // The cycle up to which it lasts.
  Cycle end() const { return state_.target_end; }
  // Before the first event, of a machine that has taken up what another one did: the queue holds so
  // many words, which come from the start.
  void stand(std::uint32_t queue, std::uint32_t words) { state_.stand(queue, words); }
  // Where the machine has stopped before cycle `from`: what the thread does next is kept.
  void watch(ThreadId thread, Cycle from) { state_.watch(thread, from); }
  std::span<const causes::Watch> watches() const { return state_.watches; }
  std::size_t open_watches() const { return state_.open_watches; }
  // Ask the host for the state of a PE or a queue whose events will be told soon.
  [[gnu::always_inline]] void prefetch(PeId pe) const { state_.pes.prefetch(pe); }
  [[gnu::always_inline]] void prefetch_queue(std::uint32_t queue) const {
    state_.queues.prefetch(queue);
  }
  // Events for which no condition was found: 0, unless a rule is missing here.
  std::uint64_t unexplained() const { return state_.unexplained; }

 private:
  causes::State state_;

 public:
  causes::CoreCauses cores{state_};
  causes::ThreadCauses threads{state_};
  causes::RouterCauses routers{state_};
};

}  // namespace wse::vm
