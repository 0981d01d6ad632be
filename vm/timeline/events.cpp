// Grows the rectangle by a link for each cycle.
#include "vm/timeline/events.h"

#include <algorithm>

namespace wse::vm {

namespace {

// Before the first cycle of a question, until all that ran ahead is over; first a cycle is tried.
constexpr Cycle kShortestLead = 64;
constexpr Cycle kMoreLead = 8;  // times as much

}  // namespace

EventsPart part_for(const EventsQuestion& question, const isa::Topology& mesh, Cycle begin) {
  const Cycle cycles = question.last - begin + 1;
  EventsPart part{.pe_cycles = mesh.pes() * cycles};
  if (mesh.is_hypercube() || cycles >= std::max(mesh.width(), mesh.height())) return part;
  const auto grow = static_cast<std::uint32_t>(cycles);
  const PeRect& rect = question.rect;
  const std::uint32_t x0 = rect.x - std::min(rect.x, grow);
  const std::uint32_t y0 = rect.y - std::min(rect.y, grow);
  const std::uint32_t x1 = std::min(rect.x + rect.width + grow, mesh.width());
  const std::uint32_t y1 = std::min(rect.y + rect.height + grow, mesh.height());
  const PeRect grown{.x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
  const std::uint64_t pes = std::uint64_t{grown.width} * grown.height;
  if (pes == mesh.pes()) return part;
  return {.rect = grown, .pe_cycles = pes * cycles};
}

isa::Attempt<Stop> tell_events(Timeline& timeline, const EventsQuestion& question, TraceSink& sink,
                               const TraceFilter& filter) {
  EventsPart part;
  Cycle lead = 1;
  for (bool is_told = false; !is_told;) {
    const Cycle begin = question.first - std::min(question.first, lead);
    const isa::Attempt<Stop> stop = timeline.go_to(begin);
    if (!stop || stop->is_over || stop->status == RunStatus::Interrupted) return stop;
    part = part_for(question, timeline.front().image().topology(), begin);
    is_told = timeline.told_from(part.rect) <= question.first;
    lead = lead == 1 ? kShortestLead : lead * kMoreLead;
  }
  RunOptions options = timeline.options();
  options.trace = &sink;
  options.trace_filter = filter;
  const auto machine = timeline.replay(options, part.rect);
  if (!machine) return std::unexpected(machine.error());
  const Stop stop = (*machine)->advance(question.last + 1);
  if (!part.rect || !stop.is_over) return stop;
  return timeline.go_to(question.last + 1);  // nothing is due there, but perhaps elsewhere
}

}  // namespace wse::vm
