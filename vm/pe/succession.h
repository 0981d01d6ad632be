// The effect of one vector instruction of a main thread on the next, on machines whose next
// instruction waits for the last issue, not for the finish (Profile::vector_overlap):
//
//     former   | issue issue issue |  drain   | finish
//     next              settled    | issue issue ...      words of its own
//                       settled    | latency | issue ...  words that the former writes
//     load, store, clock, end                 | act       they see the finish
//
// A PE keeps a Succession with cycles of the run; a stretch of scalar code has one with cycles from
// its start on, for it passes instructions too (passing.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/semantics/state.h"
#include "isa/support/mutant.h"
#include "vm/pe/plan.h"

namespace wse::vm {

// The part of one core.
struct KeptSuccession {
  isa::Succession after;
  isa::Succession at_stretch;  // where the last stretch began
  Plan* own = nullptr;         // `former`, if nobody else has that plan
};

// When an instruction may issue first that could from `first` on, if what the former one writes is
// still on its way.
std::uint64_t first_behind(const isa::Succession& after, const Plan& plan, std::uint64_t first);

// When the instruction of the plan may issue first, if nothing but those before it is in its way.
inline std::uint64_t first_after(const isa::Succession& after, const Plan& plan,
                                 std::uint64_t begin) {
  const std::uint64_t first =
      isa::mutant(isa::Mutant::UnsettledStart) ? begin : std::max(begin, after.settled);
  const bool is_behind = after.former != nullptr && first < after.others_from;
  return is_behind ? first_behind(after, plan, first) : first;
}

// Cycles that so many elements of the instruction take, each issue right after the one before.
inline std::uint64_t cycles_of(const Plan& plan, std::uint64_t elements) {
  if (elements == plan.length()) return plan.issue_cycles;
  const std::uint32_t rate = plan.flow.elements_per_issue;
  return (elements + rate - 1) / rate * plan.flow.cycles_per_issue;
}

// Notes that it has issued `elements` of its elements, and nothing from `end` on. The plan must
// stay until another one is noted.
inline void note_end(isa::Succession& after, const Plan& plan, std::uint64_t elements,
                     std::uint64_t end) {
  after.drained = std::max(after.drained, end + plan.later_drain);
  after.former = nullptr;
  if (!plan.goes_on || elements == 0 || plan.writes.empty()) return;
  after.former = &plan;
  after.others_from = end - 1 + plan.latency;
  after.same_from = end - cycles_of(plan, elements) + plan.latency;
}

// Cycles of memory stalls of an instruction that issues from `first` on in which a former one still
// drains: the PE counts as busy then.
inline std::uint64_t hidden_stalls(const isa::Succession& after, const Plan& plan,
                                   std::uint64_t first) {
  if (!plan.conflicts() || after.drained <= first) return 0;
  return plan.stalls_before(std::min(after.drained - first, plan.issue_cycles));
}

// Tell the times of a succession from another start; times that are over by then are 0.
isa::Succession from_start(const isa::Succession& of_run, Cycle start);
isa::Succession from_run(const isa::Succession& of_stretch, Cycle start);

}  // namespace wse::vm
