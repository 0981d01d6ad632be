// Instances: a program with values for its slots, which all PEs share whose values are equal.
//
// Immutable once loaded: what follows from program and slots alone can be kept once per instance.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "vm/load/loaded_program.h"
#include "vm/load/task_table.h"

namespace wse::vm {

struct ProgramInstance {
  const LoadedProgram* program = nullptr;
  const std::uint32_t* slots = nullptr;  // 0 in those that the program does not read
  const TaskTable* tasks = nullptr;
};

class ProgramInstances {
 public:
  struct Added {
    std::uint32_t index;
    bool is_new;  // its tasks are still to be set
  };
  // `slots` are those of a PE, in slot order.
  Added add(const LoadedProgram& program, std::span<const std::uint32_t> slots);

  const ProgramInstance& operator[](std::uint32_t index) const { return instances_[index]; }
  ProgramInstance& operator[](std::uint32_t index) { return instances_[index]; }
  std::span<const ProgramInstance> all() const { return instances_; }

  // The task table of an instance; those of one program whose ids are equal share it. Errors as
  // those of TaskTable::bind().
  isa::Result<const TaskTable*> bind_tasks(const ProgramInstance& instance,
                                           const isa::Profile& profile);

  // When all are there.
  void forget_places() { places_ = {}; }

 private:
  struct Place {  // of an open table: at its hash, or at the next one that is free
    std::uint32_t hash = 0;
    std::uint32_t index = kFree;
  };
  static constexpr std::uint32_t kFree = ~0u;
  using TaskKey = std::pair<const LoadedProgram*, std::vector<std::uint32_t>>;  // and ids of slots

  Place& place_of(const LoadedProgram& program, std::span<const std::uint32_t> slots,
                  std::uint32_t hash);
  void grow();
  const std::uint32_t* keep(std::span<const std::uint32_t> slots);

  std::vector<ProgramInstance> instances_;
  std::vector<Place> places_;        // twice as many as instances, or more; a power of 2
  std::vector<std::uint32_t> read_;  // slots of a PE, 0 where the program reads none
  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;  // of slots; they stay where they are
  std::uint32_t* next_ = nullptr;                         // free words of the last block
  std::size_t words_left_ = 0;
  std::map<TaskKey, std::unique_ptr<TaskTable>> tasks_;
};

}  // namespace wse::vm
