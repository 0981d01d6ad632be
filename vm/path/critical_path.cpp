// Follows the causes of an event back.
#include "vm/path/critical_path.h"

#include <algorithm>

#include "vm/run/books.h"

namespace wse::vm {

std::optional<CriticalPath> critical_path(const Machine& machine, Cycle cycles) {
  const Books books(machine);
  const Causes* const causes = books.causes();
  if (causes == nullptr || causes->target() == kNoEvent) return std::nullopt;
  const EventTree& events = causes->events();
  CriticalPath path{.cycles = std::min(causes->end(), cycles),
                    .unexplained = causes->unexplained()};
  EventId id = causes->target();
  if (events[id].cycle < path.cycles) {  // a move takes a cycle
    const Event& last = events[id];
    path.steps.push_back({.kind = StepKind::Link,
                          .from = last.cycle,
                          .to = path.cycles,
                          .from_pe = last.pe,
                          .pe = last.pe,
                          .colour = last.colour});
  }
  std::uint32_t slack = Event::kNoSlack;
  const std::size_t own = path.steps.size();
  for (; events[id].cause != kNoEvent; id = events[id].cause) {
    const Event& event = events[id];
    const Event& cause = events[event.cause];
    slack = std::min(slack, event.slack);
    if (!events.is_step(id) || cause.cycle >= path.cycles) continue;  // the run was stopped before
    const bool has_line = event.pc != ~0u;
    const isa::SourceLine where = has_line ? books.line_of(event.pe, event.pc) : isa::SourceLine();
    const PathStep step{.kind = event.kind,
                        .from = cause.cycle,
                        .to = std::min(event.cycle, path.cycles),
                        .from_pe = cause.cause == kNoEvent ? event.pe : cause.pe,
                        .pe = event.pe,
                        .colour = event.colour,
                        .thread = event.thread,
                        .where = where};
    if (path.steps.size() > own && path.steps.back().follows_alike(step)) {
      path.steps.back().begin_with(step);
    } else {
      path.steps.push_back(step);
    }
  }
  std::ranges::reverse(path.steps);
  for (const PathStep& step : path.steps) {
    path.by_kind[static_cast<std::size_t>(step.kind)] += step.cycles();
  }
  if (slack != Event::kNoSlack) path.next = path.cycles - std::min<Cycle>(slack, path.cycles);
  return path;
}

}  // namespace wse::vm
