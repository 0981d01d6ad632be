// A vector instruction between its start and its finish, as its PE sees it.
#pragma once

#include <bit>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>

#include "isa/instruction/instruction.h"
#include "isa/semantics/state.h"
#include "vm/contract/boundary.h"
#include "vm/ledger/ledger.h"
#include "vm/pe/plan.h"

namespace wse::vm {

struct alignas(64) InFlight {  // one cache line
  static constexpr std::uint32_t kMostDrain = 0x3fffffff;
  static_assert(isa::info(&isa::Profile::vector_drain_cycles).most <= kMostDrain);

  const Plan* plan = nullptr;          // null: no instruction, nothing else is looked at
  Plan* own_plan = nullptr;            // the same if nobody else has it
  InFlight* next = nullptr;            // of the PE, in the order of their starts
  Cycle finish = kNever;               // kNever until all elements have issued
  std::uint64_t length = 0;            // elements; kNoBound; at the end, those that were done
  std::uint32_t drain : 30 = 0;        // cycles from the one after the last issue to the finish
  std::uint32_t is_timer : 1 = 0;      // the transport does not know it, see timers.cpp
  std::uint32_t stalls_ahead : 1 = 0;  // a timer: its stalls are counted since its start
  std::uint32_t completes = 0;         // id of the task or colour that its completion acts on
  std::uint32_t accumulator = 0;       // of a register destination; written back at the finish
  std::uint32_t scalar = 0;            // the operand S
  std::uint32_t word[2] = {};          // of sources that are scalars

  // Elements of a timer, which completes nothing, that were applied.
  std::uint32_t& applied() { return completes; }
  std::uint32_t thread() const { return plan->thread; }
  std::uint32_t pc() const { return plan->pc; }
  const Operands& operands() const { return plan->operands; }
  bool receives(std::uint32_t colour) const { return (plan->receives >> colour & 1) != 0; }
  // It can still take elements, and control wavelets.
  bool is_moving() const { return finish == kNever; }
  bool is_unbounded() const { return plan->is_unbounded(); }
  // The cycle after the last issue.
  Cycle drains_from() const { return is_moving() ? kNever : finish - drain; }
  // First cycle in which others may touch its memory again.
  Cycle claims_until() const { return plan->sends != 0 ? drains_from() : finish; }
};

static_assert(sizeof(InFlight) == 64);

// The instructions in flight of a PE: a slot for each thread, and the order of their starts.
class InFlightList {
 public:
  template <class Node>
  class Iterator {
   public:
    using value_type = InFlight;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(Node* at) : at_(at) {}
    Node& operator*() const { return *at_; }
    Iterator& operator++() {
      at_ = at_->next;
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      at_ = at_->next;
      return old;
    }
    bool operator==(const Iterator&) const = default;

   private:
    Node* at_ = nullptr;
  };

  bool empty() const { return first_ == nullptr; }
  bool has_one() const { return first_ != nullptr && first_->next == nullptr; }
  Iterator<InFlight> begin() { return Iterator<InFlight>(first_); }
  Iterator<InFlight> end() { return {}; }
  Iterator<const InFlight> begin() const { return Iterator<const InFlight>(first_); }
  Iterator<const InFlight> end() const { return {}; }

  InFlightList() = default;
  // Makes the list for the threads of its program, which must stay.
  explicit InFlightList(InFlight* slots) : slots_(slots) {}

  // All slots of a program with so many threads, also those without an instruction.
  std::span<InFlight> slots(std::uint32_t threads) { return {slots_, threads}; }
  // The threads that have one, as bits.
  std::uint32_t threads() const { return threads_; }
  // Returns the slot of the thread, one of the program's.
  const InFlight& slot(std::uint32_t thread) const { return slots_[thread]; }
  // Null if the thread, one of the program's, has none.
  InFlight* find(std::uint32_t thread) const {
    return slots_[thread].plan != nullptr ? &slots_[thread] : nullptr;
  }
  // Starts the plan's on its thread, which has none.
  InFlight& add(const Plan& plan) {
    InFlight& f = slots_[plan.thread];
    f = InFlight{};
    f.plan = &plan;
    threads_ |= 1u << plan.thread;
    InFlight** at = &first_;
    while (*at != nullptr) at = &(*at)->next;
    *at = &f;
    return f;
  }
  // Where its slots are; it has no instruction.
  void lie_in(InFlight* slots) { slots_ = slots; }
  // Becomes a copy of another list, in slots of its own.
  void take(const InFlightList& other) {
    for (std::uint32_t rest = threads_ & ~other.threads_; rest != 0; rest &= rest - 1) {
      slots_[std::countr_zero(rest)].plan = nullptr;
    }
    InFlight** at = &first_;
    for (const InFlight& theirs : other) {
      InFlight& mine = slots_[theirs.thread()];
      mine = theirs;
      *at = &mine;
      at = &mine.next;
    }
    *at = nullptr;
    threads_ = other.threads_;
  }
  // Calls visit(f) for those of which `is_over`, in their order, when they are out.
  template <class IsOver, class Visit>
  void remove_if(IsOver is_over, Visit visit) {
    for (InFlight** at = &first_; *at != nullptr;) {
      InFlight& f = **at;
      if (!is_over(f)) {
        at = &f.next;
        continue;
      }
      *at = f.next;
      threads_ &= ~(1u << f.thread());
      visit(f);
      f.plan = nullptr;
    }
  }

 private:
  InFlight* slots_ = nullptr;
  InFlight* first_ = nullptr;
  std::uint32_t threads_ = 0;
};
static_assert(std::forward_iterator<InFlightList::Iterator<InFlight>>);
static_assert(std::forward_iterator<InFlightList::Iterator<const InFlight>>);

// Reads the registers and the operand S that the instruction of `plan`, which starts, takes.
void read_values(InFlight& starting, const isa::PeState& state, std::uint32_t scalar);

// Applies the instruction to elements first .. first + count - 1. `memory` is that of the PE; what
// wavelets name must lie inside its array (wrong_index).
void apply(InFlight& instruction, std::byte* memory, std::uint64_t first, std::uint32_t count,
           const FabricWords& words);

// An element that a wavelet names and its array does not have. For the element of one call of
// apply().
struct WrongIndex {
  std::int32_t index = 0;
  std::uint32_t elements = 0;  // of the array
};
std::optional<WrongIndex> wrong_index(const InFlight& instruction, const FabricWords& words);

}  // namespace wse::vm
