// The trace: what happened when, told to whoever writes it down. A Tracer without a sink costs one
// test per event.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "vm/ledger/trace_event.h"

namespace wse::vm {

struct TraceFilter {
  std::uint32_t x0 = 0;  // the rectangle of PEs, inclusive
  std::uint32_t y0 = 0;
  std::uint32_t x1 = ~0u;
  std::uint32_t y1 = ~0u;
  Cycle first = 0;  // cycles, inclusive
  Cycle last = kNever;
};

class Tracer {
 public:
  explicit Tracer(const isa::Topology& mesh) : mesh_(mesh) {}

  // Null: nobody reads the events of a machine that looks at every cycle. It must live longer.
  void open(TraceSink* sink, const TraceFilter& filter) {
    is_open_ = true;
    sink_ = sink;
    filter_ = filter;
  }
  bool is_open() const { return is_open_; }
  // Whether anybody reads the events.
  bool has_sink() const { return sink_ != nullptr; }

  // Made for nothing where none is open: ask is_open() before, but where it is rare.
  void tell(const TraceEvent& event) {
    if (wants(event.cycle, event.pe)) sink_->add(event);
  }
  // A wait is told from the first cycle of the filter on.
  void tell_wait(TraceEvent wait) {
    wait.since = std::max(wait.since, filter_.first);
    if (wait.since < wait.cycle) tell(wait);
  }
  // The main thread begins to wait, or continues after it has.
  void main_waits(Cycle cycle, PeId pe) {
    if (sink_ != nullptr && lies_within(pe)) waits_since_[pe] = cycle;
  }
  // A main thread waits where the trace begins, unless it is known since when.
  void main_stands(Cycle cycle, PeId pe) {
    if (sink_ != nullptr && lies_within(pe)) waits_since_.try_emplace(pe, cycle);
  }
  // Passes since when main threads have waited.
  template <class Archive>
  void pass(Archive& archive, Cycle now);
  void main_continues(Cycle cycle, PeId pe, TraceEvent::For reason, std::uint32_t number);
  void task_ends(Cycle cycle, PeId pe) {
    if (is_open()) tell({.kind = TraceEvent::Kind::TaskEnd, .cycle = cycle, .pe = pe});
  }
  // Start and end of a vector instruction.
  void instruction(TraceEvent::Kind kind, Cycle cycle, ThreadId thread, const isa::Program& program,
                   std::uint32_t pc) {
    if (!wants(cycle, thread.pe)) return;
    sink_->add({.kind = kind,
                .cycle = cycle,
                .pe = thread.pe,
                .thread = thread.thread,
                .where = program.line_of(pc)});
  }

 private:
  bool wants(Cycle cycle, PeId pe) const {
    return sink_ != nullptr && cycle >= filter_.first && cycle <= filter_.last && lies_within(pe);
  }
  bool lies_within(PeId pe) const;

  const isa::Topology& mesh_;
  bool is_open_ = false;
  TraceSink* sink_ = nullptr;
  TraceFilter filter_;
  std::map<PeId, Cycle> waits_since_{};  // main threads
};

template <class Archive>
void Tracer::pass(Archive& archive, Cycle now) {
  using Wait = std::pair<PeId, Cycle>;
  std::vector<Wait> waits(waits_since_.begin(), waits_since_.end());
  archive.list(waits, sizeof(PeId) + sizeof(Cycle), [&](Wait& wait) {
    archive.below(wait.first, mesh_.pes());
    archive.number(wait.second);
    archive.expect(wait.second <= now);
  });
  if constexpr (Archive::kReads) waits_since_ = {waits.begin(), waits.end()};
}

}  // namespace wse::vm
