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
#include <map>
#include <utility>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/line_counts.h"
#include "vm/ledger/line_map.h"
#include "vm/ledger/line_note.h"
#include "vm/ledger/place_queues.h"
#include "vm/support/pe_range.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm {

class LineCycles {
 public:
  LineCycles(const LineMap& map, const PeRange& pes, const Loaded& loaded);

  // ---- the way of the main thread; cycles ascend for each PE but where the machine stops, and may
  // lie in the future
  void enter(PeId pe, const LineNote& note);

  // ---- charges of the ActivityLog; intervals of a PE ascend
  // `by_fifo`: of a wait, a FIFO is empty or full. Returns when the first place ends that is not
  // over.
  Cycle charge(PeId pe, Activity activity, bool by_fifo, Cycle from, Cycle to);
  // Charges so many cycles at the first place of the PE, which is not over.
  void charge_first(PeId pe, Activity activity, bool by_fifo, Cycle cycles);
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
    std::uint32_t row = 0;  // of the map
    LineCause cause = LineCause::Scalar;
    Cycle cycles = 0;
  };

  // It will soon be looked at.
  [[gnu::always_inline]] void prefetch(PeId pe) const {
    const auto* const places = reinterpret_cast<const std::byte*>(&pes_[range_.index(pe)]);
    vm::prefetch(places);
    vm::prefetch(places + sizeof(Pe) - 1);
  }

  // Adds what the PEs of the strip did to the table of a program.
  void add_to(LineTable& table) const;

  using Count = LineCounts::Low;             // of cycles of a PE at a line
  static constexpr std::size_t kBytes = 96;  // of a PE, beside its counts

 private:
  friend class LineCyclesState;
  friend class LineVisit;

  static constexpr std::uint32_t kNone = ~0u;
  struct Pe {
    PlaceQueues::Queue places{};
    std::uint32_t program = kNone;  // none: the PE is not counted
    std::uint32_t pending = 0;      // cycles of the first place that are not in counts_ yet
  };
  static_assert(sizeof(Pe) == kBytes);

  Pe& of(PeId pe) { return pes_[range_.index(pe)]; }
  std::size_t index_of(const Pe& pe) const { return static_cast<std::size_t>(&pe - pes_.data()); }
  // Returns the cycles of the PE in that row of its program.
  std::uint64_t cycles_of(const Pe& pe, std::uint32_t row) const;
  LineCauses& causes(const Pe& pe, std::uint32_t row) {
    return causes_[map_->first_row(pe.program) + row];
  }
  void comes_to(Pe& pe, std::uint32_t pc, LinePhase phase, Cycle cycle) {
    note(pe, map_->row_at(pe.program, pc) - map_->first_row(pe.program), phase, cycle);
  }
  // Notes that cycles of the last place are stalls, although they are charged as busy.
  void stalls(Pe& pe, std::uint64_t cycles);
  void note(Pe& pe, std::uint32_t row, LinePhase phase, Cycle cycle);
  std::uint64_t stalls_of(const Pe& pe, const LinePlace& place) const;
  void forget_stalls(const Pe& pe, Cycle from) {
    if (!many_stalls_.empty()) many_stalls_.erase({index_of(pe), from});
  }
  // The first place of the PE, in that row, got so many cycles.
  void add_pending(Pe& pe, std::uint32_t row, Cycle cycles) {
    const Cycle sum = pe.pending + cycles;
    pe.pending = static_cast<std::uint32_t>(sum);
    if (sum > UINT32_MAX) [[unlikely]]
      counts_.add(index_of(pe), row, sum - pe.pending);
  }
  void enter_pending(Pe& pe, std::uint32_t row) {
    counts_.add(index_of(pe), row, pe.pending);
    pe.pending = 0;
  }
  void fold_stalls(const Pe& pe, const LinePlace& place);
  template <class Add>
  void split(Pe& pe, Cycle from, Cycle to, Add add);

  const LineMap* map_;
  PeRange range_;
  TagBits tags_;
  std::vector<Pe> pes_;
  PlaceQueues queues_;
  LineCounts counts_;
  std::vector<LineCauses> causes_;  // by row of the map
  // Stalls that are too many for a tag: by PE and the cycle from which on it is at the place.
  std::map<std::pair<std::size_t, Cycle>, std::uint64_t> many_stalls_;
  std::vector<Open> open_;
};

}  // namespace wse::vm
