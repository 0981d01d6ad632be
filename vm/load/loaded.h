// An image laid out on a mesh: decoded code per program, slots and tasks per instance of a program,
// data per PE.
//
// Data of all PEs lie in one lazily touched mapping, so that a wafer of mostly zero arrays takes
// only the pages that are written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "isa/semantics/state.h"
#include "vm/load/channel_map.h"
#include "vm/load/data_regions.h"
#include "vm/load/pe_memory.h"
#include "vm/load/program_instances.h"

namespace wse::vm {

inline constexpr std::uint32_t kNoProgram = ~0u;

class Loaded {
 public:
  // Initial data are written by initial_data.h.
  // Errors: a program that does not fit into PE memory, two programs on one PE, a formula that
  // fails, a colour out of range, two tasks with one id, a seed that makes zeros alone; out of
  // memory.
  static isa::Attempt<Loaded> load(const isa::Image& image, const isa::Profile& profile,
                                   const isa::Topology& mesh, ChannelMap& channels);

  // The instance at a PE, as an index of instances(); kNoProgram if the PE has no program. The
  // functions below are for PEs that have one.
  std::uint32_t instance_of(PeId pe) const { return instance_[pe]; }
  std::span<const LoadedProgram> programs() const { return programs_; }
  std::span<const ProgramInstance> instances() const { return instances_.all(); }
  const LoadedProgram* program_at(PeId pe) const {
    return instance_[pe] == kNoProgram ? nullptr : instances_[instance_[pe]].program;
  }
  const TaskTable& tasks(PeId pe) const { return *instances_[instance_[pe]].tasks; }
  const std::uint32_t* slots(PeId pe) const { return instances_[instance_[pe]].slots; }
  // Returns the state with which the generator of random bits begins.
  std::uint32_t seed(PeId pe) const { return seeds_.empty() ? isa::kRandomSeed : seeds_[pe]; }
  std::byte* data(PeId pe) { return memory_.data() + data_offset_[pe]; }
  const std::byte* data(PeId pe) const { return memory_.data() + data_offset_[pe]; }
  const std::vector<DataRegion>& regions() const { return regions_; }
  PeMemory& memory() { return memory_; }
  // Before initial data are written: PEs will write most of their data. They share no pages then,
  // and get large ones, which take a fault instead of hundreds.
  void expect_writes();
  const std::vector<PeId>& placed() const { return placed_; }

 private:
  isa::Status load_programs(const isa::Image& image, const isa::Profile& profile);
  // Finds the PEs that run a program.
  isa::Status place(const isa::Image& image, const isa::Topology& mesh);
  isa::Attempt<void> map_memory(const isa::Image& image, const isa::Topology& mesh);

  std::vector<LoadedProgram> programs_;
  ProgramInstances instances_;
  std::vector<std::uint32_t> instance_;   // by PE
  std::vector<std::uint32_t> seeds_;      // by PE; empty if no program has a seed
  std::vector<std::size_t> data_offset_;  // by PE
  std::vector<PeId> placed_;              // PEs with a program, ascending
  std::vector<DataRegion> regions_;
  PeMemory memory_;
};

}  // namespace wse::vm
