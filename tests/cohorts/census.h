// Counts, over a run, how many PEs of a block do the same in the same cycle: what executing them as
// one could spare. README.md says what each number means.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

#include "tests/cohorts/core_keys.h"
#include "tests/cohorts/split_join.h"
#include "tests/cohorts/stepped_run.h"

namespace wse::cohorts {

// So many things, and so many sets of things that are alike.
struct Grouped {
  std::uint64_t things = 0;
  std::uint64_t sets = 0;
};

struct CensusCounts {
  std::uint64_t pes = 0;     // with a program
  std::uint64_t blocks = 0;  // with such a PE
  std::uint64_t cycles = 0;  // that have a visit of a core
  vm::Cycle last = 0;        // of them
  // Visits of cores, and sets of them in one block and cycle that come from the same and come to
  // the same: by program, by instance.
  Grouped visits;
  Grouped visits_by_instance;
  // Sets by program over all blocks, and different visits by program of the whole run: what one
  // visit comes to could be kept, and taken by a later one.
  std::uint64_t visits_of_wafer = 0;
  std::uint64_t different_visits = 0;
  // In cycles that are looked at, of blocks with a visit: PEs, and different control states.
  std::uint64_t looks = 0;
  Grouped states;
  std::uint64_t states_by_instance = 0;
  std::uint64_t largest = 0;  // PEs of the largest set, summed over looks
  // In the same cycles: cycles, and control states in all these blocks together.
  Grouped wafer_states;
  // Registers that a set of two PEs or more changed in a visit; and of them, those in which all its
  // PEs have the same value afterwards.
  std::uint64_t changed_registers = 0;
  std::uint64_t equal_registers = 0;
  Grouped begun;              // vector instructions, by block, cycle, program, pc and length
  Grouped sends;              // those that send more than three wavelets, by colour too
  Grouped shorts;             // those that send one to three
  SplitJoin::Counts cohorts;  // that join where tasks start
  SplitJoin::Counts cohorts_at_visits;  // that join where they are visited
};

class Census {
 public:
  // The run is at its start. States are looked at in every `every`-th cycle that has a visit.
  Census(vm::SteppedRun& run, std::uint64_t every);

  // Takes the run to its end.
  CensusCounts count();

 private:
  struct Before {  // of a PE that is visited
    std::array<std::uint32_t, isa::kRegisters> registers = {};
    std::array<const vm::Plan*, 1 + isa::kMicrothreads> moving = {};  // by thread
  };
  CoreKey key_of(vm::PeId pe, vm::Cycle now);
  void note_before(std::span<const vm::PeId> due);
  void count_cycle(const std::set<std::uint32_t>& visited, vm::Cycle now);
  void count_block(std::uint32_t block, vm::Cycle now);
  void look_at_states(std::span<const Member> block);
  void count_registers(std::span<const Member> set);
  void count_begun(std::span<const Member> members);  // of one block

  vm::SteppedRun& run_;
  std::uint64_t every_;
  vm::wafer::Grid grid_;
  CoreKeys keys_;
  std::vector<std::vector<Member>> blocks_;     // the PEs of each that have a program
  std::vector<Before> before_;                  // by PE
  std::vector<std::uint64_t> states_of_wafer_;  // of the cycle that is looked at
  std::vector<std::uint64_t> visits_of_wafer_;  // of the cycle, by program
  std::unordered_set<std::uint64_t> visits_of_run_;
  SplitJoin at_task_starts_;
  SplitJoin at_visits_;
  CensusCounts counts_;
};

}  // namespace wse::cohorts
