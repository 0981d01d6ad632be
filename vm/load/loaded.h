// An image laid out on a mesh: decoded code per program; slots and data per PE.
//
// Data of all PEs lie in one lazily touched mapping, so that a wafer of mostly zero arrays takes
// only the pages that are written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isa/image.h"
#include "isa/machine_limits.h"
#include "isa/profile.h"
#include "isa/topology.h"
#include "vm/channel_map.h"
#include "vm/load/task_table.h"

namespace wse::vm {

struct LoadedProgram {
  const isa::Program* program = nullptr;
  std::vector<isa::Instruction> code;            // by code word; second words are never reached
  std::vector<std::uint8_t> begins;              // by code word: 1 if an instruction begins there
  std::vector<isa::Instruction> configurations;  // that write the router, see configuration.h
  std::uint32_t entry = 0;                       // of task main
  std::uint32_t main = 0;                        // its index
  std::uint32_t data_bytes = 0;
  // The colours that have queues, if a queue has one colour and descriptors may have any.
  std::optional<isa::ColourUses> queues;
};

// Whether descriptors can get colours that no literal of the program names.
bool chooses_colours(std::span<const isa::Instruction> code);

inline constexpr std::uint32_t kNoProgram = ~0u;

struct Unmap {  // deletes a mapping
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};

class Loaded {
 public:
  // Initial data are written by initial_data.h.
  // Errors: a program that does not fit into PE memory, two programs on one PE, a formula that
  // fails, a colour out of range, two tasks with one id; messages that begin with "out of memory"
  // are just that.
  static isa::Result<Loaded> load(const isa::Image& image, const isa::Profile& profile,
                                  const isa::Topology& mesh, ChannelMap& channels);

  const LoadedProgram* program_at(PeId pe) const {
    return program_[pe] == kNoProgram ? nullptr : &programs_[program_[pe]];
  }
  std::byte* data(PeId pe) { return memory_.get() + data_offset_[pe]; }
  const std::byte* data(PeId pe) const { return memory_.get() + data_offset_[pe]; }
  const TaskTable& tasks(PeId pe) const { return task_tables_[task_table_[pe]]; }
  const std::uint32_t* slots(PeId pe) const { return slots_.data() + slot_offset_[pe]; }
  const std::vector<PeId>& placed() const { return placed_; }

 private:
  isa::Status load_programs(const isa::Image& image, const isa::Profile& profile);
  isa::Status place(const isa::Image& image, const isa::Topology& mesh);
  isa::Status map_memory();
  // Slots, endpoints and tasks of every PE.
  isa::Status bind(const isa::Image& image, const isa::Profile& profile, const isa::Topology& mesh,
                   ChannelMap& channels);
  isa::Status bind_tasks(const isa::Program& program, PeId pe, const isa::Profile& profile,
                         const isa::Topology& mesh, ChannelMap& channels);

  std::vector<LoadedProgram> programs_;
  std::vector<std::uint32_t> program_;    // by PE
  std::vector<std::size_t> data_offset_;  // by PE
  std::vector<std::size_t> slot_offset_;  // by PE
  std::vector<std::uint32_t> slots_;
  std::vector<TaskTable> task_tables_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> task_table_of_;  // by program and ids
  std::vector<std::uint32_t> task_table_;                              // by PE
  std::vector<PeId> placed_;  // PEs with a program, ascending
  std::size_t data_bytes_ = 0;
  std::unique_ptr<std::byte, Unmap> memory_;
};

}  // namespace wse::vm
