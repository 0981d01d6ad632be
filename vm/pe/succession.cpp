// Times at which vector instructions of one thread may follow each other.
#include "vm/pe/succession.h"

#include <algorithm>

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

}  // namespace

std::uint64_t first_behind(const isa::Succession& after, const Plan& plan, std::uint64_t first) {
  switch (touch(*static_cast<const Plan*>(after.former), plan)) {
    case Touch::Nothing: return first;
    case Touch::SameElements: return std::max(first, after.same_from);
    case Touch::Others: return std::max(first, after.others_from);
  }
  return first;
}

// Time by time: the host would wait for halves that were just written where two are moved at once.
isa::Succession from_start(const isa::Succession& of_run, Cycle start) {
  const auto left = [start](std::uint64_t time) { return time > start ? time - start : 0; };
  return {.drained = left(of_run.drained),
          .settled = left(of_run.settled),
          .former = of_run.former,
          .same_from = left(of_run.same_from),
          .others_from = left(of_run.others_from)};
}

isa::Succession from_run(const isa::Succession& of_stretch, Cycle start) {
  const auto at = [start](std::uint64_t time) { return time == 0 ? 0 : time + start; };
  return {.drained = at(of_stretch.drained),
          .settled = at(of_stretch.settled),
          .former = of_stretch.former,
          .same_from = at(of_stretch.same_from),
          .others_from = at(of_stretch.others_from)};
}

}  // namespace wse::vm
