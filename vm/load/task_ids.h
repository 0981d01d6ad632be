// The activated and the blocked bit of every task id of a PE.
//
// Registered: what code changes in cycle t holds from t + 1 on, and a later change of the same
// cycle wins; what an instruction completes holds in its finish cycle already. An activation in the
// cycle in which its task is picked is kept.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/image/image.h"
#include "vm/support/time.h"

namespace wse::vm {

using IdMask = std::uint64_t;  // a bit per task id
static_assert(isa::kTaskIds == 64);

constexpr IdMask id_bit(std::uint32_t id) { return IdMask{1} << id; }

// Calls visit(id) for the ids of the mask, ascending.
template <class Visit>
void for_each_id(IdMask ids, Visit visit) {
  for (IdMask rest = ids; rest != 0; rest &= rest - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}

class TaskIds {
 public:
  TaskIds() = default;
  explicit TaskIds(IdMask blocked) : blocked_(blocked), next_blocked_(blocked) {}

  // Returns the bits that the picker sees in this cycle.
  IdMask activated(Cycle now) {
    settle(now);
    return activated_;
  }
  IdMask blocked(Cycle now) {
    settle(now);
    return blocked_;
  }
  bool operator==(const TaskIds&) const = default;
  // Returns what they are in this cycle.
  TaskIds at(Cycle now) const {
    TaskIds ids = *this;
    ids.settle(now);
    return ids;
  }
  // Whether the picker sees, and will see, the same of both, which are of one cycle.
  bool same(const TaskIds& other) const {
    return activated_ == other.activated_ && activating_ == other.activating_ &&
           blocked_ == other.blocked_ && next_blocked_ == other.next_blocked_;
  }
  // Returns the bits that it will see, after all that has happened so far.
  IdMask activated_at_last() const { return activated_ | activating_; }
  IdMask blocked_at_last() const { return next_blocked_; }

  void activate(std::uint32_t id, Cycle now) {
    settle(now);
    activating_ |= id_bit(id);
  }
  void block(std::uint32_t id, Cycle now) {
    settle(now);
    next_blocked_ |= id_bit(id);
  }
  void unblock(std::uint32_t id, Cycle now) {
    settle(now);
    next_blocked_ &= ~id_bit(id);
  }

  // At the finish of an instruction, in effect at once.
  void complete_activate(std::uint32_t id, Cycle now) {
    settle(now);
    activated_ |= id_bit(id);
  }
  void complete_unblock(std::uint32_t id, Cycle now) {
    settle(now);
    blocked_ &= ~id_bit(id);
    next_blocked_ &= ~id_bit(id);
  }

  template <class Archive>
  void pass(Archive& archive) {
    for (IdMask* const mask : {&activated_, &activating_, &blocked_, &next_blocked_}) {
      archive.number(*mask);
    }
    archive.number(settled_);
  }

  void picked(std::uint32_t id) { activated_ &= ~id_bit(id); }

 private:
  void settle(Cycle now) {
    if (now == settled_) return;
    settled_ = now;
    activated_ |= activating_;
    activating_ = 0;
    blocked_ = next_blocked_;
  }

  IdMask activated_ = 0;
  IdMask activating_ = 0;
  IdMask blocked_ = 0;
  IdMask next_blocked_ = 0;
  Cycle settled_ = 0;
};

}  // namespace wse::vm
