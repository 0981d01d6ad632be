// Looks up what the oracle has seen where each step ends.
#include "tests/differential/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace wse::differential {
namespace {

using oracle::Conditions;
using oracle::Happening;
using vm::StepKind;

// Whether a step of the kind may end with a happening of those conditions; nothing if it is not
// judged. Of several that are fulfilled in one cycle, the instruction's own time comes first, then
// words, and the slot last (vm/path/README.md).
std::optional<bool> allows(StepKind kind, Happening::Sort sort, const Conditions& fulfilled) {
  const bool is_issue = sort == Happening::Sort::Issue;
  const bool is_sooner = fulfilled.own || fulfilled.word;
  switch (kind) {
    case StepKind::Ramp: return fulfilled.word && !fulfilled.own;
    case StepKind::Queue: return fulfilled.front && !is_sooner;
    case StepKind::Room: return fulfilled.room && !is_sooner;
    case StepKind::Link: return fulfilled.link || fulfilled.word;
    case StepKind::Switch: return fulfilled.change && !is_sooner;
    case StepKind::Slot: return fulfilled.slot && !is_sooner && !fulfilled.front && !fulfilled.room;
    case StepKind::Issue:
    case StepKind::Bank:
    case StepKind::SetUp: return is_issue ? std::optional(fulfilled.own) : std::nullopt;
    default: return std::nullopt;
  }
}

bool is_of(const Happening& happening, const vm::PathStep& step) {
  if (happening.pe != step.pe) return false;
  const bool is_issue = happening.sort == Happening::Sort::Issue;
  if (step.where.line > 0) return is_issue && happening.number == step.thread;
  return !is_issue && happening.number == step.colour;
}

}  // namespace

JudgedSteps judge_steps(const vm::CriticalPath& path, const oracle::Outcome& outcome) {
  JudgedSteps found;
  for (const vm::PathStep& step : path.steps) {
    if (step.to >= path.cycles) break;  // cut there, or over after its event
    std::optional<bool> is_right;
    for (const Happening& happening :
         std::ranges::equal_range(outcome.happenings, step.to, {}, &Happening::cycle)) {
      if (!is_of(happening, step)) continue;
      const std::optional<bool> allowed = allows(step.kind, happening.sort, happening.conditions);
      if (allowed) is_right = is_right.value_or(false) || *allowed;
    }
    if (!is_right) continue;
    ++found.judged;
    if (*is_right) continue;
    found.difference = fmt::format(
        "  PE {} waited for {} up to cycle {} (line {}, colour {}), which the oracle has not "
        "seen\n",
        step.pe, vm::kStepKindTexts[static_cast<std::size_t>(step.kind)], step.to, step.where.line,
        step.colour);
    return found;
  }
  return found;
}

}  // namespace wse::differential
