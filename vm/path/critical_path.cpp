// Follows the causes of an event back.
#include "vm/path/critical_path.h"

#include <algorithm>

#include "vm/run/books.h"

namespace wse::vm {

namespace {

// The steps of a path, the last one first.
class StepsBack {
 public:
  // The run has stopped after so many cycles. The path becomes that of its steps.
  StepsBack(const Books& books, CriticalPath& path) : books_(books), path_(path) {}

  // Adds what the run does in the last cycles, after the last event.
  void add_end(const Event& last) {
    path_.steps.push_back({.kind = StepKind::Link,
                           .from = last.cycle,
                           .to = path_.cycles,
                           .from_pe = last.pe,
                           .pe = last.pe,
                           .colour = last.colour});
    own_ = path_.steps.size();
  }
  void add(const Event& event, const Event& cause) {
    slack_ = std::min(slack_, event.slack);
    const bool is_step = cause.cycle < event.cycle;
    if (!is_step || cause.cycle >= path_.cycles) return;  // the run was stopped before
    const bool has_line = event.pc != ~0u;
    const isa::SourceLine where = has_line ? books_.line_of(event.pe, event.pc) : isa::SourceLine();
    const PathStep step{.kind = event.kind,
                        .from = cause.cycle,
                        .to = std::min(event.cycle, path_.cycles),
                        .from_pe = cause.cause == kNoEvent ? event.pe : cause.pe,
                        .pe = event.pe,
                        .colour = event.colour,
                        .thread = event.thread,
                        .where = where};
    std::vector<PathStep>& steps = path_.steps;
    if (steps.size() > own_ && steps.back().follows_alike(step)) {
      steps.back().begin_with(step);
    } else {
      steps.push_back(step);
    }
  }
  // So much earlier could one of the events have had another cause.
  std::uint32_t slack() const { return slack_; }

 private:
  const Books& books_;
  CriticalPath& path_;
  std::size_t own_ = 0;  // steps with which no other is joined
  std::uint32_t slack_ = Event::kNoSlack;
};

}  // namespace

std::optional<CriticalPath> critical_path(const Machine& machine, Cycle cycles) {
  const Books books(machine);
  const Causes* const causes = books.causes();
  if (causes == nullptr || causes->target() == kNoEvent) return std::nullopt;
  const EventTree& events = causes->events();
  CriticalPath path{.cycles = std::min(causes->end(), cycles),
                    .unexplained = causes->unexplained()};
  StepsBack back(books, path);
  EventId id = causes->target();
  if (const Event* const after = causes->after_target()) {
    back.add(*after, events[id]);
  } else if (events[id].cycle < path.cycles) {  // a move takes a cycle
    back.add_end(events[id]);
  }
  for (; events[id].cause != kNoEvent; id = events[id].cause) {
    back.add(events[id], events[events[id].cause]);
  }
  std::ranges::reverse(path.steps);
  for (const PathStep& step : path.steps) {
    path.by_kind[static_cast<std::size_t>(step.kind)] += step.cycles();
  }
  if (back.slack() != Event::kNoSlack) {
    path.next = path.cycles - std::min<Cycle>(back.slack(), path.cycles);
  }
  return path;
}

}  // namespace wse::vm
