// The plan of a vector instruction, before it starts: all that follows from the instruction and
// from what its descriptor registers hold.
//
// A plan never changes, so every start with the same descriptors can have it (plans.h). It must
// stay where it is: paths look at its descriptors, and the transport at its flow.
#pragma once

#include <optional>

#include "isa/machine/profile.h"
#include "isa/semantics/execute.h"
#include "vm/contract/boundary.h"
#include "vm/contract/executor.h"
#include "vm/ledger/activity.h"
#include "vm/load/loaded.h"
#include "vm/pe/complaint.h"
#include "vm/pe/fifos.h"
#include "vm/pe/operand.h"
#include "vm/pe/word_set.h"

namespace wse::vm {

// The cost of a vector instruction that has its PE for itself.
struct VectorPrice {
  std::uint64_t cycles = 0;  // from its start to its finish
  std::uint64_t elements = 0;
  std::uint64_t flops = 0;
  std::uint64_t stalls = 0;       // cycles in which a conflict of banks holds the slot
  std::uint64_t first_issue = 0;  // cycles before it
};

// How scalar code passes a vector instruction (passing.h).
struct Passage {
  // The range of an operand: bytes after the first of memory, or of the scalar.
  struct Range {
    std::int64_t first = 0;
    std::int64_t step = 0;
  };

  VectorPrice price;                // no cycles: it must not be passed
  bool is_linear = false;           // one step between all elements of each operand: the ranges
  Range range[3];                   // of the destination and the sources
  std::uint32_t written = 0;        // bytes of memory, from the first that it writes to the last
  std::uint32_t first_written = 0;  // where they begin
  std::uint32_t registers = 0;      // descriptor registers of its operands, as bits
};

struct Plan {
  isa::Op op = isa::Op::Halt;
  std::uint32_t pc = 0;
  std::uint32_t thread = kMainThread;
  isa::RangeFunction function = nullptr;
  Operands operands;
  WordSet reads[3];            // of the sources, and of `each`; empty where one claims no memory
  WordSet writes;              // their paths also say where element k lies
  Flow flow;                   // with the length
  std::uint32_t saved = 0;     // descriptor registers whose positions move on, as bits
  std::uint32_t controls = 0;  // colours of which it takes control wavelets, as bits
  std::uint32_t receives = 0;  // colours from which it receives, as bits
  std::uint32_t sends = 0;     // the colour to which it sends, as a bit
  // Operands, by their place in Operands::all(), that take or send data wavelets, as bits. Control
  // wavelets are no words.
  std::uint32_t word_operands = 0;
  isa::Completion completion = isa::Completion::None;  // what it does at its finish
  bool has_fifos = false;
  bool has_indices = false;          // wavelets name elements of an operand
  bool clashes_with_itself = false;  // check_start() will find something
  bool clears_destination = false;   // elements leave a part of its word as it is
  // On the main thread of a machine whose next instruction need not wait for the finish
  // (succession.h); and this one lets it go on after the last issue, and drains beside it.
  bool is_followed = false;
  bool goes_on = false;
  std::uint32_t drain = 0;        // cycles from its last issue to its finish, as its thread sees it
  std::uint32_t later_drain = 0;  // and, where goes_on, those after that
  std::uint32_t latency = 0;      // cycles from its issue to that of what touches its words
  // A send whose finish changes nothing but that it is over: who does not wait for it need not
  // know.
  bool ends_quietly = false;
  std::uint64_t issues = 0;        // cycles in which it issues
  std::uint64_t issue_cycles = 0;  // from its first issue to its drain
  Passage passage;

  std::uint64_t length() const { return flow.length; }
  bool is_mapped() const { return flow.group != 0; }
  // Returns the number of scalars of a mapped one. Others are one group.
  std::uint64_t groups() const { return is_mapped() ? flow.length / flow.group : 1; }
  // The cycles of one scalar of a mapped one, with the gap after it.
  std::uint64_t turn() const { return (issue_cycles + flow.gap_cycles) / groups(); }
  // Elements that issue in the first `cycles` of them, at least one.
  std::uint64_t elements_in(std::uint64_t cycles) const;
  // Cycles between and after them in which a conflict of banks holds the slot.
  std::uint64_t stalls() const { return issues * (flow.cycles_per_issue - 1); }
  // A hot PE inserts no-ops into what waits for nobody but the slot (noops.h).
  bool may_have_noops() const {
    return thread == kMainThread && !flow.has_fabric() && !has_fifos && flow.length > 0;
  }
  // It waits for nothing but the slot, and so does the main thread for it. Conflicts of banks
  // stall it every other cycle, but for the gaps of a mapped one.
  bool is_steady() const {
    return may_have_noops() && flow.cycles_per_issue <= ActivityLog::kMostSteadyCycles;
  }
  // The same without such gaps.
  bool is_even() const { return !(is_mapped() && conflicts()); }
  // How it spends its cycle number `cycle` from its first issue on, if it is steady.
  bool stalls_in(std::uint64_t cycle) const {
    return cycle % turn() < issues / groups() * flow.cycles_per_issue &&
           cycle % turn() % flow.cycles_per_issue != 0;
  }
  // Stalls in the first `cycles` of them.
  std::uint64_t stalls_before(std::uint64_t cycles) const;
  // Fills the two, when the flow has its rate.
  void count_issues();
  // Returns whether it cannot fail if nothing else is in flight, and no more than memory, a
  // register and `left` changes.
  bool can_be_passed() const;
  bool is_unbounded() const { return flow.length == kNoBound; }
  // Each issue holds its slot for more than one cycle.
  bool conflicts() const { return flow.cycles_per_issue > 1; }
};

// True if two instructions on one PE may get into each other's way: false only if they cannot.
bool may_clash(const Plan& one, const Plan& other);

// From the start of an instruction to its first issue, wherever that counts from the start.
std::uint32_t start_cycles(const isa::Profile& profile);
// From the cycle after the last issue to the finish.
std::uint32_t drain_cycles(const isa::Profile& profile);

// Makes plans for the programs of one machine.
class Planner {
 public:
  // All must live longer.
  Planner(const isa::Profile& profile, const Executor& executor)
      : profile_(profile), costs_(profile), executor_(executor) {}

  // Fills `plan`, which is new, for the instruction at `pc`; `fifos` are the ends of those of the
  // PE. Returns what is wrong with the operands by themselves, if anything.
  std::optional<Complaint> make(const LoadedProgram& program, std::uint32_t pc,
                                const isa::DescriptorRegisters& d, std::span<const FifoEnds> fifos,
                                Plan& plan) const;

 private:
  Passage passage_of(const Plan& plan) const;

  const isa::Profile& profile_;
  isa::CostTable costs_;
  const Executor& executor_;
};

}  // namespace wse::vm
