// Which PEs would be executed as one if PEs of a block stayed together up to the cycle in which
// they do not do the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/cohorts/core_keys.h"

namespace wse::cohorts {

// A cause for which the smaller part of a cohort leaves it.
enum class Cause : std::uint8_t {
  Data,      // the same visit came to something else, also at PEs of one instance
  Skew,      // something finished, arrived or was due for a part alone
  Instance,  // the same visit came to something else, and no instance is in both parts
};
inline constexpr std::size_t kCauses = 3;

// A PE in a cycle in which somebody in its block is visited.
struct Member {
  vm::PeId pe = 0;
  CoreKey before = {};             // the visits
  CoreKey after = {};              // them
  bool is_due = false;             // it is visited
  bool picks = false;              // it starts a task
  const void* instance = nullptr;  // of its program
};

// Where cohorts of one block that have become equal are made one.
enum class Join : std::uint8_t {
  TaskStarts,  // where both start a task in the same cycle
  Visits,      // where both are visited in the same cycle
};

class SplitJoin {
 public:
  struct Counts {
    std::uint64_t visits = 0;  // of cohorts, one for each part if it splits in it
    std::array<std::uint64_t, kCauses> splits = {};  // parts that left, by cause
    std::uint64_t joins = 0;                         // cohorts that became part of another one
    // Cycles from the start of a cohort of two or more PEs, or from when it last changed, to its
    // split or the end, and the same for each of its PEs.
    std::uint64_t lives = 0;
    std::uint64_t life_cycles = 0;
    std::uint64_t pes = 0;
    std::uint64_t pe_life_cycles = 0;
  };

  SplitJoin(std::size_t pes, Join where) : where_(where), cohort_of_(pes, kNone) {}

  // Before the first cycle: PEs of a block whose keys are equal by program are together.
  void begin(std::span<const Member> block);
  // In cycle `now`, with all PEs of the block that have a program.
  void step(std::span<Member> block, vm::Cycle now);
  // At the end of the run.
  void end(vm::Cycle now);

  const Counts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Cohort {
    vm::Cycle born = 0;
    std::uint64_t size = 0;
  };

  std::uint32_t add(std::span<const Member> members, vm::Cycle now);
  void die(Cohort& cohort, vm::Cycle now);
  // Takes the members of one cohort, sorted by what they are now.
  void step_cohort(std::span<const Member> members, vm::Cycle now);
  void join(std::span<const Member> block, vm::Cycle now);

  Join where_;
  std::vector<std::uint32_t> cohort_of_;  // by PE
  std::vector<Cohort> cohorts_;
  Counts counts_;
};

}  // namespace wse::cohorts
