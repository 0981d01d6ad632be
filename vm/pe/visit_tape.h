// A record of what a core tells others in a visit, and of what happens to its memory: other cores
// which do the same need not work it out again (cohorts.h).
//
// The tape of a strip is open while one of its cores does it. It is spoiled by all that depends on
// more than the state of that core (visit_state.h), and by what no tape keeps.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "vm/ledger/ledger.h"
#include "vm/load/task_table.h"
#include "vm/pe/in_flight.h"
#include "vm/pe/passing.h"

namespace wse::vm {

class VisitTape {
 public:
  // A vector instruction that scalar code passed.
  struct Passed {
    const Plan* plan = nullptr;
    const isa::Instruction* instruction = nullptr;
    PassedWords words = {};
    std::uint64_t at = 0;  // instructions of the stretch before it
  };
  // The last elements of a timer that has finished.
  struct Moved {
    InFlight timer;
    std::uint32_t count = 0;
  };
  // A vector instruction that the transport was given.
  struct Begun {
    std::uint32_t thread = 0;
    const Flow* flow = nullptr;
    Cycle earliest = 0;
  };
  // See ActivityLog.
  struct Steady {
    std::uint32_t period = 0;
    Cycle until = 0;
  };

  // Takes all memory that it will need while nobody counts lines or slices.
  VisitTape() {
    wakes.reserve(kMost);
    moved.reserve(kMostMoved);
    passed.reserve(kMost);
    begun.reserve(kMost);
  }

  bool is_open() const { return is_open_; }
  // `keeps_way`: lines or slices of time are counted.
  void open(bool keeps_way) {
    if (keeps_way) {
      notes.reserve(kMostNotes);
      stalls.reserve(kMostNotes);
    }
    is_open_ = true;
    is_whole_ = true;
    has_stretch = false;
    asks_for_slot = false;
    looks_for_controls = false;
    picked = kNoTask;
    work = {};
    busy_until = 0;
    slot_until = 0;
    is_otherwise_idle = false;
    steady.reset();
    wakes.clear();
    moved.clear();
    passed.clear();
    begun.clear();
    notes.clear();
    noted_from = kNever;
    stalls.clear();
  }
  // True if all is on it.
  bool close() {
    is_open_ = false;
    return is_whole_;
  }

  // ---- by the parts of the core
  void spoil() { is_whole_ = false; }
  // Into a register: what memory holds, which is not of the state.
  void moves(const InFlight& timer, std::uint32_t count) {
    if (timer.operands().destination.kind == Operand::Kind::Register) spoil();
    add(moved, {timer, count}, kMostMoved);
  }
  // A stretch begins. The tape would lose what an earlier one has written.
  void stretches() {
    if (!passed.empty()) spoil();
    has_stretch = true;
  }
  // Compiled code calls it too. Engines that are compared tell everything twice.
  void passes(const Passed& vector);
  void counts(const Work& done) {
    work.instructions += done.instructions;
    work.elements += done.elements;
    work.flops += done.flops;
    work.stalls += done.stalls;
  }
  void picks(std::uint32_t task) {
    if (picked != kNoTask) spoil();
    picked = task;
  }
  void steadies(const Steady& issues) {
    if (steady) spoil();
    steady = issues;
  }
  void wakes_at(Cycle when) { add(wakes, when); }
  void begins(const Begun& vector) { add(begun, vector); }
  void goes(const LineNote& note) {
    noted_from = std::min(noted_from, note.cycle);
    add(notes, note, kMostNotes);
  }
  void stalls_at(const StallSpan& span) { add(stalls, span, kMostNotes); }

  bool has_stretch = false;         // its log is that of the last one
  bool asks_for_slot = false;       // whether a conflict of banks holds it: none did
  bool looks_for_controls = false;  // in the down-ramps: there were none
  std::uint32_t picked = kNoTask;
  Work work;
  Cycle busy_until = 0;
  Cycle slot_until = 0;
  bool is_otherwise_idle = false;
  std::optional<Steady> steady;
  std::vector<Cycle> wakes;
  std::vector<Moved> moved;
  std::vector<Passed> passed;
  std::vector<Begun> begun;
  // The way of the main thread, if lines are counted, and the places to which it has led.
  std::vector<LineNote> notes;
  Cycle noted_from = kNever;
  LineVisit places;
  std::vector<StallSpan> stalls;  // if slices of time are kept

 private:
  // Items of one kind. Visits that tell more are few.
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kMostMoved = 8;
  static constexpr std::size_t kMostNotes = 64;

  template <class T>
  void add(std::vector<T>& items, const T& item, std::size_t most = kMost) {
    if (items.size() == most) return spoil();
    items.push_back(item);
  }

  bool is_open_ = false;
  bool is_whole_ = false;
};

}  // namespace wse::vm
