// The tasks of a program by their ids, as they are at one PE: a data task may have its colour from
// a parameter. PEs with the same ids share a table.
//
// One numbering: data tasks have the number of their colour, local tasks 0..30, control tasks
// 0..63; all teardown tasks share one id and are told apart by their colours.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/support/result.h"
#include "vm/load/task_ids.h"

namespace wse::vm {

inline constexpr std::uint32_t kNoTask = ~0u;

class TaskTable {
 public:
  // Errors: a colour out of range, an id that two tasks have; `program` must stay.
  static isa::Result<TaskTable> bind(const isa::Program& program, const std::uint32_t* slots,
                                     const isa::Profile& profile);

  // Index of the task of that id, or of the teardown task of that colour; kNoTask if there is none.
  std::uint32_t at(std::uint32_t id) const { return at_[id]; }
  std::uint32_t teardown_at(std::uint32_t colour) const { return teardown_at_[colour]; }
  const isa::Task& operator[](std::uint32_t index) const { return program_->tasks[index]; }

  IdMask local() const { return local_; }
  IdMask data() const { return data_; }
  IdMask control() const { return control_; }
  // By which the data task of a colour is picked: the number of the colour or, where data tasks
  // have the ids of their input queues, how many colours below it have a data task too.
  std::uint32_t data_rank(std::uint32_t colour) const;
  // Ids that block and unblock may name: colours, and what a task has.
  IdMask known() const;
  // The ids of colours without a task: an instruction may take them, so no task does.
  IdMask blocked_at_start() const;

 private:
  isa::Status add(std::uint32_t index, const std::uint32_t* slots);

  const isa::Program* program_ = nullptr;
  std::array<std::uint32_t, isa::kTaskIds> at_{};
  std::array<std::uint32_t, isa::kMaxColours> teardown_at_{};
  IdMask local_ = 0;
  IdMask data_ = 0;
  IdMask control_ = 0;
  bool has_teardown_ = false;
  bool ranks_by_queue_ = false;
};

}  // namespace wse::vm
