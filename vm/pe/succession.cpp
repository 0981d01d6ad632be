// Times at which vector instructions of one thread may follow each other.
#include "vm/pe/succession.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// Elements that wavelets name come in any order, and of a mapped instruction, or of one without
// end, again and again.
bool is_in_order(const Plan& plan) {
  return !plan.has_indices && !plan.is_mapped() && !plan.is_unbounded();
}

// How much of what the former writes an instruction touches.
enum class Touch : std::uint8_t { Nothing, SameElements, Others };

Touch touch(const Plan& former, const Plan& plan) {
  const bool in_order = is_in_order(former) && is_in_order(plan);
  Touch found = Touch::Nothing;
  for (const WordSet* words : {&plan.reads[0], &plan.reads[1], &plan.reads[2], &plan.writes}) {
    if (!intersect(former.writes, *words)) continue;
    if (!in_order || !same_elements(former.writes, *words)) return Touch::Others;
    found = Touch::SameElements;
  }
  return found;
}

// Cycles that so many of its elements take, each issue right after the one before.
std::uint64_t issue_cycles(const Plan& plan, std::uint64_t elements) {
  if (elements == plan.length()) return plan.issue_cycles();
  const std::uint32_t rate = plan.flow.elements_per_issue;
  return (elements + rate - 1) / rate * plan.flow.cycles_per_issue;
}

template <class Change>
isa::Succession with_times(isa::Succession after, Change change) {
  for (std::uint64_t* const time :
       {&after.drained, &after.settled, &after.same_from, &after.others_from}) {
    *time = change(*time);
  }
  return after;
}

}  // namespace

std::uint64_t first_after(const isa::Succession& after, const Plan& plan, std::uint64_t begin) {
  const std::uint64_t first =
      isa::mutant(isa::Mutant::UnsettledStart) ? begin : std::max(begin, after.settled);
  if (after.former == nullptr || first >= after.others_from) return first;
  switch (touch(*static_cast<const Plan*>(after.former), plan)) {
    case Touch::Nothing: return first;
    case Touch::SameElements: return std::max(first, after.same_from);
    case Touch::Others: return std::max(first, after.others_from);
  }
  return first;
}

void note_end(isa::Succession& after, const Plan& plan, std::uint64_t elements, std::uint64_t end) {
  after.drained = std::max(after.drained, end + plan.later_drain);
  after.former = nullptr;
  if (!plan.goes_on || elements == 0 || plan.writes.empty()) return;
  after.former = &plan;
  after.others_from = end - 1 + plan.latency;
  after.same_from = end - issue_cycles(plan, elements) + plan.latency;
}

std::uint64_t hidden_stalls(const isa::Succession& after, const Plan& plan, std::uint64_t first) {
  if (!plan.conflicts() || after.drained <= first) return 0;
  return plan.stalls_before(std::min(after.drained - first, plan.issue_cycles()));
}

isa::Succession from_start(const isa::Succession& of_run, Cycle start) {
  return with_times(of_run,
                    [start](std::uint64_t time) { return time > start ? time - start : 0; });
}

isa::Succession from_run(const isa::Succession& of_stretch, Cycle start) {
  return with_times(of_stretch,
                    [start](std::uint64_t time) { return time == 0 ? 0 : time + start; });
}

}  // namespace wse::vm
