// The book of lines is told of the way of a main thread, apart from its cycles. PEs that do the
// same in a visit go the same way.
#pragma once

#include <cstdint>

#include "vm/ledger/line_places.h"
#include "vm/support/time.h"

namespace wse::vm {

struct LineNote {
  enum class Kind : std::uint8_t {
    Place,   // it comes to an instruction, perhaps ahead of the clock
    Vector,  // to a vector instruction: set-up, no-ops, its issues
    Stalls,  // that one stalls for so many of the cycles that are charged as busy
    TaskEnd,
    Halt,
  };

  static LineNote place(std::uint32_t pc, LinePhase phase, Cycle cycle) {
    return {.kind = Kind::Place, .phase = phase, .pc = pc, .cycle = cycle};
  }
  // Its set-up begins in cycle `set_up`; it inserts so many no-ops before its first issue.
  static LineNote vector(std::uint32_t pc, Cycle set_up, Cycle first_issue, Cycle noops,
                         std::uint64_t stalls) {
    return {.kind = Kind::Vector,
            .pc = pc,
            .cycle = set_up,
            .first_issue = first_issue,
            .noops = noops,
            .stalls = stalls};
  }
  static LineNote vector_stalls(std::uint64_t count) {
    return {.kind = Kind::Stalls, .stalls = count};
  }
  static LineNote task_end(Cycle cycle) { return {.kind = Kind::TaskEnd, .cycle = cycle}; }
  static LineNote halt(Cycle cycle) { return {.kind = Kind::Halt, .cycle = cycle}; }

  Kind kind = Kind::Place;
  LinePhase phase = LinePhase::Scalar;  // of a place
  std::uint32_t pc = 0;
  Cycle cycle = kNever;   // from then on it is there
  Cycle first_issue = 0;  // of a vector instruction
  Cycle noops = 0;        // before it
  std::uint64_t stalls = 0;
};

}  // namespace wse::vm
