// The cycles of each PE of a strip by lines of the source and by cause: a cycle belongs to the line
// at which the main thread of the PE is in it.
//
// That is the line whose instruction it executes or waits for, or with which the task begins that
// starts; without a task, and after a halt, there are two rows of their own. The work of
// microthreads meanwhile has no line. So every cycle of a PE with a program counts once.
//
// Two reports meet here. The core notes at which line the main thread is from a cycle on, also
// ahead of the clock. The ActivityLog charges cycles, each once, when they are over: a cycle then
// goes to the line that was noted, and its activity and the phase of the line give the cause.
#pragma once

#include <cstddef>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/line_map.h"
#include "vm/ledger/line_places.h"
#include "vm/ledger/narrow_counts.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

class LineCycles {
 public:
  LineCycles(const LineMap& map, const PeRange& pes, const Loaded& loaded);

  // ---- the way of the main thread; cycles ascend for each PE but where the machine stops, and may
  // lie in the future
  void comes_to(PeId pe, std::uint32_t pc, LinePhase phase, Cycle cycle) {
    note(pe, map_->row_at(of(pe).program, pc), phase, cycle);
  }
  // So many cycles of the last place are stalls, although they are charged as busy.
  void stalls(PeId pe, std::uint64_t cycles);
  void ends_task(PeId pe, Cycle cycle) {
    note(pe, map_->no_task(of(pe).program), LinePhase::NoTask, cycle);
  }
  void halts(PeId pe, Cycle cycle) {
    note(pe, map_->halted(of(pe).program), LinePhase::Halted, cycle);
  }

  // ---- charges of the ActivityLog; intervals of a PE ascend
  // `by_fifo`: of a wait, a FIFO is empty or full.
  void charge(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);
  // Cycles that count only if something finishes after them.
  void charge_open(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);
  // Something has finished: all that is charged counts.
  void keep_open() { open_.clear(); }
  // The run is over: what is open does not count.
  void drop_open();
  // All cycles of the run, before cycle `end`, are charged.
  void close(Cycle end);

  // Forgets what was charged; places stay.
  void forget();

  // Cycles that are charged, and count only if something finishes after them.
  struct Open {
    PeId pe = 0;
    std::uint32_t row = 0;
    LineCause cause = LineCause::Scalar;
    Cycle cycles = 0;
  };

  // It will soon be looked at: its first places and, where they have a known address, its counts.
  [[gnu::always_inline]] void prefetch(PeId pe) const {
    const std::size_t index = range_.index(pe);
    const auto* const places = reinterpret_cast<const std::byte*>(&pes_[index]);
    vm::prefetch(places);
    vm::prefetch(places + kLine);
    for (std::size_t k = 0; k < prefetched_; k += kLine / sizeof(Count)) {
      counts_.prefetch(index * stride_ + k);
    }
  }

  // Adds what the PEs of the strip did to the table of a program.
  void add_to(LineTable& table) const;

  using Count = NarrowCounts::Low;            // of cycles of a PE at a line
  static constexpr std::size_t kBytes = 192;  // of a PE, beside its counts

 private:
  friend class LineCyclesState;

  static constexpr std::size_t kLine = 64;  // bytes of the host's cache
  static constexpr std::uint32_t kNone = ~0u;
  struct alignas(kLine) Pe {
    std::uint32_t program = kNone;  // none: the PE is not counted
    std::uint32_t first_count = 0;  // of counts_, if rows began with 0: it wraps around
    std::uint32_t more = kNone;     // of more_: it had places that found no room
    bool has_more = false;          // it has some
    LinePlaces places{};
  };
  static_assert(sizeof(Pe) == kBytes);
  // Places that follow those of a PE: the ones from `first` on.
  struct More {
    std::vector<LinePlace> places{};
    std::size_t first = 0;

    bool is_empty() const { return first == places.size(); }
  };

  Pe& of(PeId pe) { return pes_[range_.index(pe)]; }
  void note(PeId pe, std::uint32_t row, LinePhase phase, Cycle cycle);
  LinePlace last_of(const Pe& pe) const {
    return pe.has_more ? more_[pe.more].places.back() : pe.places.last();
  }
  void drop_last(Pe& pe);
  void drop_first(Pe& pe);
  void add_place(Pe& pe, const LinePlace& place);
  void add_more(Pe& pe, const LinePlace& place);
  void take_more(Pe& pe);
  void fold_stalls(const LinePlace& place);
  template <class Add>
  void split(Pe& pe, Cycle from, Cycle to, Add add);

  const LineMap* map_;
  PeRange range_;
  std::vector<Pe> pes_;
  std::vector<More> more_;          // of the PEs that ever had more entries
  NarrowCounts counts_;             // the rows of each PE, one PE after the other
  std::size_t stride_ = 0;          // counts of a PE, where all have as many
  std::size_t prefetched_ = 0;      // of these
  std::vector<LineCauses> causes_;  // by row
  std::vector<Open> open_;
};

}  // namespace wse::vm
