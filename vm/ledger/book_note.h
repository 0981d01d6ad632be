// What the books of lines and of slices are told of the main thread of a PE, apart from its cycles.
// Those of one visit are the same for all PEs that do the same.
#pragma once

#include <cstdint>

#include "vm/ledger/line_places.h"
#include "vm/ledger/pending_stalls.h"
#include "vm/support/time.h"

namespace wse::vm {

struct BookNote {
  enum class Kind : std::uint8_t {
    Place,         // it comes to an instruction, perhaps ahead of the clock
    Vector,        // to a vector instruction: set-up, no-ops, its issues
    VectorStalls,  // that instruction stalls for so many of the cycles that are charged as busy
    TaskEnd,       // it has no task
    StallTimes,    // when it stalls, or has stalled, in cycles that are charged as busy
  };

  static BookNote place(std::uint32_t pc, LinePhase phase, Cycle cycle) {
    return {.kind = Kind::Place, .phase = phase, .pc = pc, .cycle = cycle};
  }
  // Its set-up begins in cycle `set_up`; it inserts so many no-ops before its first issue.
  static BookNote vector(std::uint32_t pc, Cycle set_up, Cycle first_issue, Cycle noops,
                         std::uint64_t stalls) {
    return {.kind = Kind::Vector,
            .pc = pc,
            .cycle = set_up,
            .first_issue = first_issue,
            .noops = noops,
            .stalls = {.count = stalls}};
  }
  static BookNote vector_stalls(std::uint64_t count) {
    return {.kind = Kind::VectorStalls, .stalls = {.count = count}};
  }
  static BookNote task_end(Cycle cycle) { return {.kind = Kind::TaskEnd, .cycle = cycle}; }
  static BookNote stall_times(const StallSpan& span) {
    return {.kind = Kind::StallTimes, .stalls = span};
  }

  Kind kind = Kind::Place;
  LinePhase phase = LinePhase::Scalar;  // of a place
  std::uint32_t pc = 0;
  Cycle cycle = 0;        // from then on
  Cycle first_issue = 0;  // of a vector instruction
  Cycle noops = 0;        // before it
  StallSpan stalls = {};
};

}  // namespace wse::vm
