// Vector instructions, and what they wait for from their start to their finish.
#pragma once

#include "vm/ledger/cause_state.h"

namespace wse::vm::causes {

struct Fifo {  // through which an element goes
  std::uint32_t number = 0;
  bool pushes = false;     // or pops
  bool was_tight = false;  // it had one element, or one place, at the start of the cycle
};

struct Issue {
  std::uint8_t colour = Event::kNoStepColour;
  Words words{};
  std::span<const Fifo> fifos{};
  Cycle held = 0;  // before that cycle it holds its slot,
  Cycle next = 0;  // and from this one on it may issue again
};

class ThreadCauses {
 public:
  // The state must live longer.
  explicit ThreadCauses(State& state) : state_(state) {}

  // Before the first event, of a machine that has taken up what another one did: the thread moves.
  void stands(ThreadId id, std::uint32_t pc) { state_.thread(id).pc = pc; }
  // It may issue from `earliest` on; without those before it, from `set_up` on.
  void begins(ThreadId thread, std::uint32_t pc, Cycle set_up, Cycle earliest);
  void issues(ThreadId thread, Cycle now, const Issue& issue);
  // It issues nothing from `cycle` on.
  void ends(ThreadId thread, Cycle cycle, Cycle finish);
  // The main thread's last instruction has finished, and drains until that cycle.
  void drains(PeId pe, Cycle until);

 private:
  bool settle_former(Last& last, ThreadId id, Thread& issuing, const Event& event);
  EventId follow(const Last& last, Thread& issuing, Event event);
  void add_steps(Thread& issuing, Event event, const Issue& issue);
  void consider_fifos(Last& last, PeId pe, std::span<const Fifo> fifos, Cycle now);
  void consider_slots(Last& last, PeId pe, const Thread& issuing, Cycle now);

  State& state_;
};

}  // namespace wse::vm::causes
