// What happened in a rectangle over some cycles of a run: by a second run of these cycles, and of
// the PEs from which something can reach the rectangle meanwhile.
#pragma once

#include <cstdint>

#include "vm/timeline/timeline.h"

namespace wse::vm {

struct EventsQuestion {
  PeRect rect{};  // on the mesh, not empty
  Cycle first = 0;
  Cycle last = 0;
};

// The part of the mesh that is run for a question from cycle `begin` on, which is not after its
// first one: all of it, without a rectangle.
struct EventsPart {
  std::optional<PeRect> rect{};
  std::uint64_t pe_cycles = 0;  // to be run
};
EventsPart part_for(const EventsQuestion& question, const isa::Topology& mesh, Cycle begin);

// Tells `sink` the events, as a traced run would, and returns where the run ended: at the end of
// the question, or before. The sink also gets events of other PEs and cycles if `filter` lets them
// pass. Errors: those of Timeline.
isa::Attempt<Stop> tell_events(Timeline& timeline, const EventsQuestion& question, TraceSink& sink,
                               const TraceFilter& filter);

}  // namespace wse::vm
