// Tasks: ids, what blocks and activates them, and the picker.
#include <algorithm>

#include "tests/oracle/processor.h"

namespace wse::oracle {
namespace {

constexpr std::uint32_t kDataIds = 24;

constexpr std::string_view kKindNames[] = {"main", "local", "data", "control", "teardown"};

}  // namespace

std::uint32_t Processor::id_of(const isa::Task& task) const {
  return task.id.is_slot ? slots_[task.id.value] : task.id.value;
}

const isa::Task* Processor::task_of(isa::TaskKind kind, std::uint32_t id) const {
  for (const isa::Task& task : program_->tasks) {
    if (task.kind == kind && id_of(task) == id) return &task;
  }
  return nullptr;
}

// Ids of colours that nothing is bound to start blocked, all others unblocked.
void Processor::bind_tasks() {
  for (std::uint32_t id = 0; id < kDataIds; ++id) {
    const bool bound = task_of(isa::TaskKind::Data, id) != nullptr ||
                       task_of(isa::TaskKind::Local, id) != nullptr ||
                       task_of(isa::TaskKind::Control, id) != nullptr;
    blocked_[id] = blocked_by_code_[id] = !bound;
  }
  const isa::Task* main = task_of(isa::TaskKind::Main, 0);
  pc_ = main->entry;
}

bool Processor::data_task_takes(std::uint32_t colour) const {
  return task_of(isa::TaskKind::Data, colour) != nullptr && !blocked_by_code_[colour];
}

// The handler of a colour is activated the ramp's latency after the cycle from which it waits.
void Processor::see_teardowns(Cycle now) {
  for (std::uint32_t colour = 0; colour < routers_.colours(); ++colour) {
    std::optional<Cycle>& since = routers_.channel(pe_, colour).torn_down_in;
    if (!since || now < *since + 1 + profile_.ramp_latency_cycles) continue;
    since.reset();
    if (task_of(isa::TaskKind::Teardown, colour) == nullptr) continue;
    if (std::ranges::find(torn_down_, colour) == torn_down_.end()) torn_down_.push_back(colour);
  }
}

// From the picker: data that the instruction takes, for code may have blocked the colour in this
// very cycle; control wavelets while it receives and does something on them.
bool Processor::hides(const Flight& flight, std::uint32_t colour, bool control) {
  const Operand* input = flight.input(colour);
  if (input == nullptr || !control) return input != nullptr;
  const bool receives = flight.done < flight.length && !flight.finish;
  return receives && input->descriptor.options.on_control != isa::OnControl::Leave;
}

// By which the data task of a colour is picked: where data tasks have the ids of input queues,
// these go to the colours of data tasks in ascending order.
std::uint32_t Processor::data_rank(std::uint32_t colour) const {
  if (profile_.data_task_ids == 0) return colour;
  std::uint32_t queue = 0;
  for (std::uint32_t lower = 0; lower < colour; ++lower) {
    if (task_of(isa::TaskKind::Data, lower) != nullptr) ++queue;
  }
  return queue;
}

// High priority first, then the lowest rank, data before control.
bool Processor::pick(Cycle now) {
  if (main_ != Main::Free || picked_in_ == now) return false;
  const isa::Task* best = nullptr;
  std::uint32_t best_id = 0;
  std::uint32_t best_rank = 0;
  std::uint32_t best_colour = 0;
  const auto offer = [&](const isa::Task* task, std::uint32_t id, std::uint32_t colour) {
    if (task == nullptr || blocked_[id]) return;
    const bool data = task->kind == isa::TaskKind::Data;
    const std::uint32_t rank = data ? data_rank(id) : id;
    if (best != nullptr) {
      const bool tie = rank == best_rank && data && best->kind == isa::TaskKind::Control;
      const bool earlier = rank < best_rank || tie;
      if (task->high != best->high ? !task->high : !earlier) return;
    }
    best = task;
    best_id = id;
    best_rank = rank;
    best_colour = colour;
  };
  for (std::uint32_t id = 0; id < isa::kLocalIds; ++id) {
    if (activated_[id]) offer(task_of(isa::TaskKind::Local, id), id, 0);
  }
  for (const std::uint32_t colour : torn_down_) {  // the first of them stays the best
    offer(task_of(isa::TaskKind::Teardown, colour), isa::kTeardownId, colour);
  }
  for (std::uint32_t colour = 0; colour < routers_.colours(); ++colour) {
    const Wavelet* head = routers_.channel(pe_, colour).down.head(now);
    if (head == nullptr || blocked_[colour]) continue;
    const bool taken = std::ranges::any_of(flights_, [&](const auto& flight) {
      return flight && hides(*flight, colour, head->control);
    });
    if (taken) continue;
    if (head->control) {
      const std::uint32_t entry = entry_of(head->word);
      const isa::Task* task = task_of(isa::TaskKind::Control, entry);
      if (task == nullptr) {
        trap(now, isa::Trap::UnboundTask);
        return true;
      }
      offer(task, entry, colour);
      continue;
    }
    offer(task_of(isa::TaskKind::Data, colour), colour, colour);
  }
  if (best == nullptr) return false;
  std::uint32_t word = 0;
  switch (best->kind) {
    case isa::TaskKind::Local: activated_[best_id] = false; break;
    case isa::TaskKind::Teardown: std::erase(torn_down_, best_colour); break;
    default:
      note_taken(best_colour, Happening::Sort::Taken, now);
      word = pop(best_colour).word;
      if (best->kind == isa::TaskKind::Data) ++tally(best_colour).taken;
  }
  ++numbers().tasks;
  ++outcome_.tally.runs[{pe_, static_cast<std::uint32_t>(best - program_->tasks.data())}];
  start_task(*best, word, now);
  return true;
}

void Processor::start_task(const isa::Task& task, std::uint32_t word, Cycle now) {
  const auto count = task.arguments.size();
  const bool whole = task.kind == isa::TaskKind::Data && count == 1;
  if (count > 0) registers_[task.arguments[0]] = whole ? word : word & 0xffffu;
  if (count > 1) registers_[task.arguments[1]] = word >> 16;
  ++outcome_.met["task " + std::string(kKindNames[static_cast<std::size_t>(task.kind)])];
  picked_in_ = now;
  main_ = Main::Running;
  pc_ = task.entry;
  lines.note(now, Doing::StartsTask, pc_);
  ready_at_ = now + profile_.task_start_cycles;
  busy_until_ = std::max(busy_until_, ready_at_);
}

// By code: the picker sees it from the next cycle on.
void Processor::change_task(isa::Op op, std::uint32_t id, Cycle now) {
  if (op == isa::Op::Activate) {
    if (task_of(isa::TaskKind::Local, id) == nullptr) return trap(now, isa::Trap::UnboundTask);
    return routers_.later([this, id] { activated_[id] = true; });
  }
  const bool blocks = op == isa::Op::Block;
  blocked_by_code_[id] = blocks;
  routers_.later([this, id, blocks] { blocked_[id] = blocks; });
  if (!blocks && id < routers_.colours()) {
    for (const std::optional<Flight>& flight : flights_) {
      if (!flight || !data_task_takes(id)) continue;
      if (flight->input(id) != nullptr) trap(now, isa::Trap::TwoConsumers);
    }
  }
}

// By the finish of an instruction: the picker sees it at once.
void Processor::complete(isa::Completion action, std::uint32_t id, Cycle now) {
  if (action == isa::Completion::None) return;
  ++outcome_
        .met[action == isa::Completion::Activate ? "completion activate" : "completion unblock"];
  if (action == isa::Completion::Activate) {
    if (task_of(isa::TaskKind::Local, id) == nullptr) return trap(now, isa::Trap::UnboundTask);
    activated_[id] = true;
    return;
  }
  change_task(isa::Op::Unblock, id, now);
  blocked_[id] = false;
}

}  // namespace wse::oracle
