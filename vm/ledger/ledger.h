// The ledger of a strip: whatever a core or a transport tells, it tells here, and the ledger enters
// it in each book that wants it.
//
// Counters and activities are always kept. A profile, cycles of lines, slices of time and a trace
// are observers: without one, each costs a test where something is told.
#pragma once

#include <optional>

#include "isa/support/mutant.h"
#include "vm/contract/counters.h"
#include "vm/ledger/activity.h"
#include "vm/ledger/causes.h"
#include "vm/ledger/history.h"
#include "vm/ledger/line_cycles.h"
#include "vm/ledger/line_note.h"
#include "vm/ledger/line_visit.h"
#include "vm/ledger/notes.h"
#include "vm/ledger/pe_profile.h"
#include "vm/ledger/slices.h"
#include "vm/ledger/trace.h"

namespace wse::vm {

// Instructions that a PE executed, and what their vectors did.
struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t elements = 0;
  std::uint64_t flops = 0;
  std::uint64_t stalls = 0;  // cycles that were, or will be, charged as busy
};

class Ledger {
 public:
  // History and trace are those of the whole machine, and must live longer.
  Ledger(const PeRange& pes, History& past, Tracer& trace)
      : history(past), tracer(trace), activity(pes, counters), pes_(pes) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // ---- before the first cycle
  void keep_profile(std::size_t marks) {
    profile_.emplace(pes_, marks);
    activity.keep_books().keep_profile(*profile_);
  }
  // The map must live longer.
  void count_lines(const LineMap& map, const Loaded& loaded) {
    lines_.emplace(map, pes_, loaded);
    activity.keep_books().count_lines(*lines_);
  }
  void keep_slices(const SliceTiles& tiles, std::uint32_t wanted) {
    slices_.emplace(tiles, pes_, wanted);
    activity.keep_books().keep_slices(*slices_);
  }
  // Null if nobody wants them. Where they are kept, they must be told of stalls that are charged as
  // busy: stalls_at().
  Slices* slices() { return slices_ ? &*slices_ : nullptr; }
  // Null if nobody counts them.
  LineCycles* lines() { return lines_ ? &*lines_ : nullptr; }
  // Null if nobody asked for one.
  PeProfile* profile() { return profile_ ? &*profile_ : nullptr; }

  // ---- where the machine stops and is to go on
  // Keeps what is entered, until take_up(): whoever shows the machine may change it.
  void put_down() {
    activity.flush();
    kept_.emplace(counters, activity.state(), profile_, lines_, slices_);
  }
  void take_up() {
    counters = kept_->counters;
    activity.restore(kept_->activity);
    if (profile_) *profile_ = *kept_->profile;
    if (lines_) *lines_ = std::move(*kept_->lines);
    if (slices_) *slices_ = std::move(*kept_->slices);
    kept_.reset();
  }

  // ---- where a launch acts, when all cycles before it are charged
  // Begins anew what is told of one launch alone and is no sum.
  void renew() {
    activity.flush();
    counters.renew();
    if (profile_) profile_->forget_marks();
    if (lines_) lines_->forget();
  }

  // ---- work of a PE
  void count(PeId pe, const Work& work) {
    counters.instructions += work.instructions;
    counters.elements += work.elements;
    counters.flops += work.flops;
    if (work.stalls > 0) counters.stalled(work.stalls);
    if (profile_) profile_->executes(pe, done(work), work.stalls);
  }
  // It was counted, and did not happen after all.
  void take_back(PeId pe, const Work& work) {
    counters.instructions -= work.instructions;
    counters.elements -= work.elements;
    counters.flops -= work.flops;
    counters.not_stalled(work.stalls);
    if (profile_) profile_->did_not(pe, done(work), work.stalls);
  }
  // In these cycles the PE is to stall, or has stalled, which count() has told without times.
  void stalls_at(PeId pe, const StallSpan& span) {
    if (slices_ && span.count > 0) slices_->stalls(pe, span);
  }
  // From that cycle on it will not, as far as it was told.
  void forget_stalls(PeId pe, Cycle from) {
    if (slices_) slices_->forget_stalls(pe, from);
  }
  // Elements that issued, of so many flops each.
  void count_elements(PeId pe, std::uint64_t elements, std::uint32_t flops) {
    counters.elements += elements;
    counters.flops += elements * flops;
    if (profile_) profile_->executes(pe, {0, elements, elements * flops}, 0);
  }

  // ---- what a PE comes to
  // Before any change of the PE in cycle `now`.
  void settle(PeId pe, Cycle now) { activity.settle(pe, now); }
  // Where the main thread goes. If lines are counted.
  void enter(PeId pe, const LineNote& note) {
    activity.place_changes(pe, note.cycle);
    lines_->enter(pe, note);
  }
  // It goes where that of another PE went in its visit, from cycle `from` on. False if it does not
  // come from an equal place; then nothing has changed. If lines are counted.
  bool follow(PeId pe, const LineVisit& visit, Cycle from) {
    if (!visit.give(*lines_, pe)) return false;
    activity.place_changes(pe, from);
    return true;
  }
  void picks_task(PeId pe, std::string_view name, Cycle now) {
    if (tracer.is_open()) {
      tracer.tell({.kind = TraceEvent::Kind::Task, .cycle = now, .pe = pe, .text = name});
    }
    if (profile_) profile_->picks_task(pe);
  }
  // Perhaps ahead of the clock.
  void passes_mark(PeId pe, std::uint32_t mark, Cycle cycle) {
    if (profile_) profile_->passes_mark(pe, mark, cycle);
    if (causes != nullptr) causes->cores.marks(pe, mark, cycle);
    if (!tracer.is_open()) return notes.count_mark(cycle, mark);
    notes.add({.cycle = cycle, .pe = pe, .kind = Note::Kind::Mark, .mark = mark});
  }
  void halts(PeId pe, Cycle now) {
    if (lines_) enter(pe, LineNote::halt(now));
    if (tracer.is_open()) tracer.tell({.kind = TraceEvent::Kind::Halt, .cycle = now, .pe = pe});
    if (profile_) profile_->halts(pe, now);
  }

  // ---- the end of a run
  // All cycles before cycle `end` are charged.
  void close_lines(Cycle end) {
    if (lines_) lines_->close(end);
  }

  // ---- books
  Counters counters;
  Notes notes;
  History& history;
  Tracer& tracer;
  ActivityLog activity;
  Causes* causes = nullptr;  // the machine's; none: nobody asks for a path

 private:
  static PeProfile::Done done(const Work& work) {
    return {work.instructions, work.elements, work.flops};
  }

  struct Kept {
    Counters counters;
    ActivityLog::State activity;
    std::optional<PeProfile> profile;
    std::optional<LineCycles> lines;
    std::optional<Slices> slices;
  };

  PeRange pes_;
  std::optional<PeProfile> profile_;
  std::optional<LineCycles> lines_;
  std::optional<Slices> slices_;
  std::optional<Kept> kept_;
};

}  // namespace wse::vm
