// Binds task by task; the first clash is the error.
#include "vm/load/task_table.h"

#include <fmt/format.h>

#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr IdMask kColourIds = (IdMask{1} << isa::kMaxColours) - 1;

}  // namespace

isa::Result<TaskTable> TaskTable::bind(const isa::Program& program, const std::uint32_t* slots,
                                       const isa::Profile& profile) {
  TaskTable table;
  table.program_ = &program;
  table.ranks_by_queue_ = profile.data_task_ids != 0;
  table.at_.fill(kNoTask);
  table.teardown_at_.fill(kNoTask);
  for (std::uint32_t index = 0; index < program.tasks.size(); ++index) {
    if (isa::Status status = table.add(index, slots); !status) {
      return std::unexpected(status.error());
    }
  }
  return table;
}

isa::Status TaskTable::add(std::uint32_t index, const std::uint32_t* slots) {
  const isa::Task& task = program_->tasks[index];
  if (task.kind == isa::TaskKind::Main) return {};
  const std::uint32_t id = isa::value_of(task.id, slots);
  const bool teardown = task.kind == isa::TaskKind::Teardown;
  const bool on_colour = teardown || task.kind == isa::TaskKind::Data;
  if (on_colour && id >= isa::kMaxColours) {
    return isa::fail(fmt::format("task {} is on colour {}; colours are 0..{}", task.name, id,
                                 isa::kMaxColours - 1));
  }
  std::uint32_t& place = teardown ? teardown_at_[id] : at_[id];
  if (place != kNoTask) {
    return isa::fail(fmt::format("tasks {} and {} both have the {} {}", program_->tasks[place].name,
                                 task.name, teardown ? "colour" : "id", id));
  }
  place = index;
  switch (task.kind) {
    case isa::TaskKind::Local: local_ |= id_bit(id); break;
    case isa::TaskKind::Data: data_ |= id_bit(id); break;
    case isa::TaskKind::Control: control_ |= id_bit(id); break;
    default: has_teardown_ = true;
  }
  return {};
}

std::uint32_t TaskTable::data_rank(std::uint32_t colour) const {
  if (!ranks_by_queue_ || isa::mutant(isa::Mutant::QueueRank)) return colour;
  return static_cast<std::uint32_t>(std::popcount(data_ & (id_bit(colour) - 1)));
}

IdMask TaskTable::known() const {
  return kColourIds | local_ | data_ | control_ | (has_teardown_ ? id_bit(isa::kTeardownId) : 0);
}

IdMask TaskTable::blocked_at_start() const { return kColourIds & ~(local_ | data_ | control_); }

}  // namespace wse::vm
