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

#include "isa/semantics/state.h"
#include "vm/pe/plan.h"

namespace wse::vm {

// When the instruction of the plan may issue first, if nothing but those before it is in its way.
std::uint64_t first_after(const isa::Succession& after, const Plan& plan, std::uint64_t begin);

// Notes that it has issued `elements` of its elements, and nothing from `end` on. The plan must
// stay until another one is noted.
void note_end(isa::Succession& after, const Plan& plan, std::uint64_t elements, std::uint64_t end);

// Cycles of memory stalls of an instruction that issues from `first` on in which a former one still
// drains: the PE counts as busy then.
std::uint64_t hidden_stalls(const isa::Succession& after, const Plan& plan, std::uint64_t first);

// Tell the times of a succession from another start; times that are over by then are 0.
isa::Succession from_start(const isa::Succession& of_run, Cycle start);
isa::Succession from_run(const isa::Succession& of_stretch, Cycle start);

}  // namespace wse::vm
