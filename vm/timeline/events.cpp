// Grows the rectangle by a link for each cycle.
#include "vm/timeline/events.h"

#include <algorithm>

namespace wse::vm {

EventsPart part_for(const EventsQuestion& question, const isa::Topology& mesh) {
  const Cycle cycles = question.last - question.first + 1;
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
  const isa::Attempt<Stop> stop = timeline.go_to(question.first);
  if (!stop || stop->is_over || stop->status == RunStatus::Interrupted) return stop;
  const EventsPart part = part_for(question, timeline.front().image().topology());
  RunOptions options = timeline.options();
  options.trace = &sink;
  options.trace_filter = filter;
  const auto machine = timeline.replay(options, part.rect);
  if (!machine) return std::unexpected(machine.error());
  return (*machine)->advance(question.last + 1);
}

}  // namespace wse::vm
