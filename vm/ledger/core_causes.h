// Main threads and picks of tasks, and what they wait for.
#pragma once

#include "vm/ledger/cause_state.h"

namespace wse::vm::causes {

class CoreCauses {
 public:
  // The state must live longer.
  explicit CoreCauses(State& state) : state_(state) {}

  // ---- main threads
  // It computes, or waits for nobody else, until that cycle; in it, it comes on.
  void computes(PeId pe, StepKind kind, std::uint32_t pc, Cycle until);
  void comes(PeId pe);
  // Scalar code of the PE holds the issue slot before that cycle.
  void holds_slot(PeId pe, std::uint32_t pc, Cycle until);
  // It continues in the cycle in which the thread, or one of several, has finished.
  void follows(PeId pe, std::uint32_t thread, Cycle now);
  void follows_any(PeId pe, Cycle now);
  // It has ended a task, or halted; what its former instruction leaves to the next one is over in
  // that cycle.
  void rests(PeId pe, Cycle drained);
  void marks(PeId pe, std::uint32_t mark, Cycle cycle);

  // ---- tasks: ids are those of the picker; kTornDown + colour for teardowns
  static constexpr std::uint32_t kTornDown = 0x100;
  // The main thread, a finish of the thread, the last issue, or the last move activates or unblocks
  // it, as the picker sees from that cycle on.
  void main_tells(PeId pe, std::uint32_t id, Cycle seen) {
    tell(pe, id, seen, state_.cores[pe].main);
  }
  void finish_tells(PeId pe, std::uint32_t thread, std::uint32_t id, Cycle seen);
  void issue_tells(PeId pe, std::uint32_t id, Cycle seen) {
    tell(pe, id, seen, state_.pes[pe].issue);
  }
  void move_tells(PeId pe, std::uint32_t id, Cycle seen) {
    tell(pe, id, seen, state_.pes[pe].router.move);
  }
  // The picker takes a word, and then picks a task.
  void picks_word(PeId pe, std::uint8_t colour, const Head& head) {
    state_.cores[pe].word = {colour, head};
  }
  void picks(PeId pe, std::uint32_t id, Cycle now);

 private:
  void tell(PeId pe, std::uint32_t id, Cycle seen, EventId event);
  void consider_told(Last& last, PeId pe, std::uint32_t id, Cycle now);

  State& state_;
};

}  // namespace wse::vm::causes
