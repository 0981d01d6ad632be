// What each event of a run waited for, kept while it runs: the critical path of what finishes last,
// or of what somebody asks for, is there at the end.
//
// An event has conditions, each fulfilled by another event from some cycle on: a word has come, a
// place is free, the thread may issue again. Its cause is the condition that was fulfilled last; of
// several, what comes from another PE before what is its own. Cores and the stepper tell what
// happens, and what the conditions were; this book knows which events those came from.
//
//     word visible from cycle 7, pushed by `link` of PE(1,0) in 5        the cause of the issue
//     thread may issue from cycle 6, its former issue                    in cycle 7; slack 1
//
// Only a machine that looks at every cycle tells all of it: one that is traced.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/ledger/event_tree.h"

namespace wse::vm {

// The event whose path is wanted: the last one of a PE up to a cycle, or the last passage of a mark;
// without both, the one that ends last.
struct PathTarget {
  std::optional<PeId> pe{};
  Cycle until = kNever;
  std::optional<std::uint32_t> mark{};
};

class Causes {
 public:
  // Queues have numbers that the transport gives them.
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

  Causes(std::size_t pes, const PathTarget& target);

  // ---- main threads
  // It computes, or waits for nobody else, until that cycle; in it, it comes on.
  void computes(PeId pe, StepKind kind, std::uint32_t pc, Cycle until);
  void comes(PeId pe);
  // Its scalar code holds the issue slot before that cycle.
  void holds_slot(PeId pe, std::uint32_t pc, Cycle until);
  // It continues in the cycle in which the thread, or one of several, has finished.
  void follows(PeId pe, std::uint32_t thread, Cycle now);
  void follows_any(PeId pe, Cycle now);
  void marks(PeId pe, std::uint32_t mark, Cycle cycle);

  // ---- tasks: ids are those of the picker; kTornDown + colour for teardowns
  static constexpr std::uint32_t kTornDown = 0x100;
  // The main thread, a finish of the thread, the last issue, or the last move activates or unblocks
  // it, as the picker sees from that cycle on.
  void main_tells(PeId pe, std::uint32_t id, Cycle seen) { tell(pe, id, seen, pes_[pe].main); }
  void finish_tells(PeId pe, std::uint32_t thread, std::uint32_t id, Cycle seen);
  void issue_tells(PeId pe, std::uint32_t id, Cycle seen) { tell(pe, id, seen, pes_[pe].issue); }
  void move_tells(PeId pe, std::uint32_t id, Cycle seen) { tell(pe, id, seen, pes_[pe].move); }
  // The picker takes a word, and then picks a task.
  void picks_word(PeId pe, std::uint8_t colour, const Head& head) {
    pes_[pe].word = {colour, head};
  }
  void picks(PeId pe, std::uint32_t id, Cycle now);

  // ---- vector instructions
  // It may issue from `earliest` on; without those before it, from `set_up` on.
  void begins(ThreadId thread, std::uint32_t pc, Cycle set_up, Cycle earliest);
  // It issues, and may again from `next` on.
  struct Fifo {  // through which an element goes
    std::uint32_t number = 0;
    bool pushes = false;      // or pops
    bool was_tight = false;   // it had one element, or one place, at the start of the cycle
  };
  struct Issue {
    std::uint8_t colour = Event::kNoStepColour;
    Words words{};
    std::span<const Fifo> fifos{};
    Cycle next = 0;
    bool has_conflict = false;  // until then it holds its slot
  };
  void issues(ThreadId thread, Cycle now, const Issue& issue);
  // It issues nothing from `cycle` on.
  void ends(ThreadId thread, Cycle cycle, Cycle finish);

  // ---- routers
  struct Move {
    PeId pe = 0;
    std::uint8_t colour = 0;
    bool is_from_ramp = false;
    std::uint32_t ports = 0;  // over which it goes, as bits
    std::uint32_t links = 0;  // of these, the links,
    Cycle interval = 1;       // which take a word in so many cycles
    std::uint32_t channel = 0;
    Words words{};
  };
  void moves(const Move& move, Cycle now);
  // The switch, route or filter of the channel acts otherwise from the next cycle on: after a move
  // of its router, or by its PE.
  void switches(PeId pe, std::uint32_t channel, bool by_move, Cycle now);
  // A word of a stream enters.
  void enters(PeId pe, std::uint8_t colour, const Place& place, Cycle now);
  // The router drops a word.
  void drops(PeId pe, std::uint8_t colour, const Head& head, Cycle now);

  // ---- the end
  const EventTree& events() const { return tree_; }
  // The event whose path is wanted; none: nothing happened there.
  EventId target() const { return target_event_; }
  // Up to which cycle it lasts.
  Cycle end() const { return target_end_; }
  // Events for which no condition was found: 0, unless a rule is missing here.
  std::uint64_t unexplained() const { return unexplained_; }

 private:
  // The last two events of a sort, and since when they act.
  struct Recent {
    std::array<Cycle, 2> since = {0, 0};
    std::array<EventId, 2> events = {kNoEvent, kNoEvent};

    // An event that acts from the same cycle on as the last one replaces it.
    void add(EventTree& tree, Cycle from, EventId event) {
      if (events[0] != kNoEvent && since[0] != from) {
        tree.hold(events[1], events[0]);
        since[1] = since[0];
      }
      since[0] = from;
      tree.hold(events[0], event);
    }
    // Returns which one is the last that acts in that cycle.
    std::size_t last_in(Cycle cycle) const { return since[0] <= cycle ? 0 : 1; }
  };
  struct Thread {
    EventId at = kNoEvent;  // its start, or its last issue and what that waits for
    Cycle next = 0;         // when it may issue next
    StepKind kind = StepKind::SetUp;
    std::uint32_t pc = ~0u;
    Recent issues{};  // which held its slot up to some cycle
    EventId finish = kNoEvent;
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
    EventId main = kNoEvent;
    EventId former = kNoEvent;  // the last issue of the main thread's last instruction
    EventId issue = kNoEvent;   // the last of any thread
    EventId move = kNoEvent;    // the last of its router
    EventId computed = kNoEvent;  // what the main thread computes up to
    Recent scalar{};                // up to when its scalar code held the slot
    std::optional<std::pair<std::uint8_t, Head>> word{};  // that the picker takes, of a colour
    std::vector<Thread> threads{};
    std::vector<Told> told{};
    std::vector<FifoEvents> fifos{};
    std::vector<Port> ports{};
  };
  struct Queue {
    std::vector<EventId> words{};  // that put them there
    Recent pops{};                // who took the last ones: a place is free
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
  class Last;

  Thread& thread(ThreadId id);
  Queue& queue(std::uint32_t number);
  EventId step(EventId cause, Event event);
  EventId caused(const Last& last, Event event);
  void note(EventId id, Cycle end);
  void tell(PeId pe, std::uint32_t id, Cycle seen, EventId event);
  void consider_told(Last& last, PeId pe, std::uint32_t id, Cycle now);
  static void consider(Last& last, const Recent& recent, StepKind kind, Cycle now);
  void consider_fifos(Last& last, PeId pe, std::span<const Fifo> fifos, Cycle now);
  void consider_slots(Last& last, PeId pe, const Thread& issuing, Cycle now);
  void consider_words(Last& last, const Words& words, StepKind way, Cycle now);
  void take_and_put(const Words& words, EventId event, Cycle now);

  EventTree tree_;
  PathTarget target_;
  EventId target_event_ = kNoEvent;
  Cycle target_end_ = 0;
  std::uint64_t unexplained_ = 0;
  std::vector<Pe> pes_;
  std::vector<Queue> queues_;
  std::unordered_map<std::uint32_t, Change> changes_;  // by channel
};

}  // namespace wse::vm
