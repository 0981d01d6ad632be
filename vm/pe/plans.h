// The plans of the vector instructions that run: made once for every instruction and every choice
// of descriptors that it meets.
//
// Descriptors that PEs share are compared by their place, and those that a register has of its own
// by their values, of which copies are kept. An instruction with a FIFO, or with a descriptor of
// which there is no copy, gets a plan of its own.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "vm/pe/descriptor_copies.h"
#include "vm/pe/plan.h"

namespace wse::vm {

// Plans that come and go and stay where they are meanwhile, without the heap once there were as
// many at a time as there ever are.
class PlanPool {
 public:
  // Returns a plan as made by Plan{}.
  Plan* take() {
    if (free_.empty()) return &all_.emplace_back();
    Plan* const plan = free_.back();
    free_.pop_back();
    *plan = Plan{};
    return plan;
  }
  // Takes back a plan of this pool.
  void give_back(Plan* plan) { free_.push_back(plan); }

 private:
  std::deque<Plan> all_;  // never moves them
  std::vector<Plan*> free_;
};

class Plans {
 public:
  explicit Plans(const Planner& planner) : planner_(planner) {}

  // Returns the plan of the instruction at `pc`. `own` is set if nobody else has it: give it back
  // then. Null, and why, if its operands cannot be.
  const Plan* plan(const LoadedProgram& program, std::uint32_t pc,
                   const isa::DescriptorRegisters* d, std::span<const FifoEnds> fifos, Plan*& own,
                   std::optional<Complaint>& complaint);
  // The same if it was made before and is shared; null otherwise.
  const Plan* known(const LoadedProgram& program, std::uint32_t pc,
                    const isa::DescriptorRegisters* d) {
    const std::array<Recent, kWays>& recent = recent_[pc % kRecent];
    if (recent[0].is(program, pc, d)) return recent[0].plan;
    return recent[1].is(program, pc, d) ? recent[1].plan : look_up(program, pc, d);
  }
  void give_back(Plan* own) { pool_.give_back(own); }

  // Lets registers that were changed share the copies of what they hold, where there are some; a
  // copy is made of what comes again.
  void share_copies(isa::DescriptorRegisters& registers) const;
  void make_and_share_copies(isa::DescriptorRegisters& registers);

 private:
  static constexpr std::size_t kMost = 1u << 15;  // plans that are kept
  // The same where one is of a descriptor that was changed: a program may make any number of them.
  static constexpr std::size_t kMostChanged = 1u << 12;
  struct Key {
    const LoadedProgram* program = nullptr;
    std::uint32_t pc = 0;
    std::array<const isa::Descriptor*, 4> d = {};

    // Member by member: arrays would be compared by a call.
    bool operator==(const Key& other) const {
      return program == other.program && pc == other.pc && d[0] == other.d[0] &&
             d[1] == other.d[1] && d[2] == other.d[2] && d[3] == other.d[3];
    }
  };
  struct alignas(64) Entry {
    Key key;
    const Plan* plan = nullptr;  // null: free
  };
  // A plan that was looked up at a place of a program, and its registers, so that the instruction
  // need not be looked at. An instruction that names fewer than three has the first of them again.
  // Mapped ones, which name four, are not remembered. Each place has its last two: PEs beside each
  // other often take turns, as those of even and odd columns do.
  struct alignas(64) Recent {
    const LoadedProgram* program = nullptr;
    const Plan* plan = nullptr;
    std::array<const isa::Descriptor*, 3> d = {};
    std::uint32_t pc = 0;
    std::array<std::uint8_t, 3> number = {};

    bool is(const LoadedProgram& other, std::uint32_t other_pc,
            const isa::DescriptorRegisters* registers) const {
      return program == &other && pc == other_pc && has(*registers, 0) && has(*registers, 1) &&
             has(*registers, 2);
    }
    bool has(const isa::DescriptorRegisters& registers, std::size_t k) const {
      const isa::Descriptor* const shared = registers.shared(number[k]);
      return shared != nullptr ? shared == d[k] : registers[number[k]] == *d[k];
    }
  };
  static constexpr std::size_t kRecent = 128;
  static constexpr std::size_t kWays = 2;

  const Plan* look_up(const LoadedProgram& program, std::uint32_t pc,
                      const isa::DescriptorRegisters* d);
  void remember(const Key& key, const Plan& plan);
  static inline std::size_t hash(const Key& key);
  // Fills the key of the instruction. Which of its descriptors are their registers' own, as bits:
  // these must become copies.
  static inline std::uint32_t find_key(const LoadedProgram& program, std::uint32_t pc,
                                       const isa::DescriptorRegisters& d, Key& key);
  // Puts copies(descriptor) for those of `own`. False if one of them has none.
  template <class Copies>
  static inline bool put_copies(Key& key, std::uint32_t own, Copies copies);
  // Where the key is, or belongs.
  inline const Entry& find(const Key& key) const;
  // Makes a plan that is not known.
  const Plan* make(const LoadedProgram& program, std::uint32_t pc,
                   const isa::DescriptorRegisters* d, std::span<const FifoEnds> fifos, Plan*& own,
                   std::optional<Complaint>& complaint);
  void keep(const Key& key, const Plan& plan);

  const Planner& planner_;
  const isa::DescriptorRegisters none_{};
  PlanPool pool_;
  DescriptorCopies copies_;
  std::vector<Entry> entries_ = std::vector<Entry>(64);  // a power of two, half of it free
  std::size_t kept_ = 0;
  std::array<std::array<Recent, kWays>, kRecent> recent_;
};

}  // namespace wse::vm
