// Starts tasks, and changes what the picker sees of them.
#include "vm/pe/task_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/picker.h"

namespace wse::vm {

bool TaskSteps::pick(PeId pe, Core& core, Cycle now) {
  if (core.picked == now && !isa::mutant(isa::Mutant::SecondPick)) {
    parts_.wake(pe, now + 1);
    return false;
  }
  if (parts_.tape.is_open()) look_on_tape(pe, core);
  const std::optional<Pick> next = next_pick(pe, core, parts_.channels, parts_.transport, now);
  if (!next) return false;
  if (next->task == kNoTask) {
    std::string detail = fmt::format("a control wavelet asks for entry {}", next->id);
    traps_.raise(pe, kNoPc, {isa::Trap::UnboundTask, std::move(detail)}, now);
    core.main = Core::Main::Halted;
    return false;
  }
  core.picked = now;
  core.task = next->task;
  parts_.tape.picks(next->task);
  parts_.ledger.history.ran(core.first_run + next->task);
  core.ids.picked(next->id);
  if (next->torn_down != kNoColour) {
    std::erase_if(core.rare->torn_down,
                  [&](const TornDown& t) { return t.colour == next->torn_down; });
  }
  const isa::Task& task = (*core.tasks)[next->task];
  if (next->channel != kNoChannel) {
    take_arguments(core, task, parts_.transport.pick(next->channel, now));
    if (task.kind == isa::TaskKind::Data) parts_.ledger.history.took(next->channel, 1);
  }
  if (task.exported) take_launched(core, next->task);
  parts_.ledger.picks_task(pe, task.name, now);
  if (parts_.ledger.causes != nullptr) {
    const bool is_teardown = next->torn_down != kNoColour;
    const std::uint32_t id =
        is_teardown ? causes::CoreCauses::kTornDown + next->torn_down : next->id;
    parts_.ledger.causes->cores.picks(pe, id, now);
  }
  start(pe, core, task, now);
  return true;
}

// One argument of a data task is the whole wavelet, two are its halves; a control task gets bits
// 15:0.
void TaskSteps::take_arguments(Core& core, const isa::Task& task, std::uint32_t wavelet) {
  constexpr std::uint32_t kHalf = 0xffff;
  const bool whole = task.kind == isa::TaskKind::Data && task.arguments.size() == 1;
  for (std::size_t k = 0; k < task.arguments.size(); ++k) {
    const std::uint32_t half = k == 0 ? wavelet & kHalf : wavelet >> 16;
    core.state.r[task.arguments[k]] = whole ? wavelet : half;
  }
}

void TaskSteps::launch(PeId pe, std::uint32_t task, std::span<const std::uint32_t> arguments,
                       Cycle now) {
  Core& core = cores_[pe];
  const isa::Task& launched = (*core.tasks)[task];
  if (!arguments.empty()) {
    std::vector<LaunchedTask>& waiting = core.rarely().launched;
    auto place = std::ranges::find(waiting, task, &LaunchedTask::task);
    if (place == waiting.end()) place = waiting.insert(place, {task, {}});
    place->arguments.assign(arguments.begin(), arguments.end());
  }
  const Cycle seen = now + (isa::mutant(isa::Mutant::LaunchLate) ? 2 : 1);
  core.ids.activate(launched.id.value, seen - 1);
  parts_.agenda.add(pe, seen);
}

// A task that the program itself activated finds in its registers what they hold.
void TaskSteps::take_launched(Core& core, std::uint32_t index) {
  if (core.rare == nullptr) return;
  std::vector<LaunchedTask>& waiting = core.rare->launched;
  const auto place = std::ranges::find(waiting, index, &LaunchedTask::task);
  if (place == waiting.end()) return;
  const isa::Task& task = (*core.tasks)[index];
  const std::size_t count = task.arguments.size();
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_reversed = isa::mutant(isa::Mutant::LaunchArguments);
    core.state.r[task.arguments[k]] = place->arguments[is_reversed ? count - 1 - k : k];
  }
  waiting.erase(place);
}

void TaskSteps::start(PeId pe, Core& core, const isa::Task& task, Cycle now) {
  core.state.pc = task.entry;
  parts_.note(pe, LineNote::place(task.entry, LinePhase::TaskStart, now));
  core.main = Core::Main::Computing;
  core.resume = now + parts_.profile.task_start_cycles;
  if (core.resume == now) return;
  if (parts_.ledger.causes != nullptr) {
    parts_.ledger.causes->cores.computes(pe, StepKind::Task, task.entry, core.resume);
  }
  parts_.busy_until(pe, core.resume);
  parts_.ledger.counters.finished(core.resume);
  parts_.wake(pe, core.resume);
}

// The heads of down-ramps are not of the state of a core.
void TaskSteps::look_on_tape(PeId pe, const Core& core) {
  parts_.tape.looks_for_controls = true;
  if (core.tasks->data() != 0 || parts_.transport.has_controls(pe)) parts_.tape.spoil();
}

void TaskSteps::torn_down(PeId pe, std::uint32_t colour, Cycle visible) {
  if (!cores_.has(pe)) return;
  Core& core = cores_[pe];
  if (core.tasks->teardown_at(colour) == kNoTask) return;
  const TornDown torn{colour, visible};
  std::vector<TornDown>& waiting = core.rarely().torn_down;
  const auto place = std::ranges::upper_bound(waiting, torn, [](const auto& a, const auto& b) {
    return std::pair(a.visible, a.colour) < std::pair(b.visible, b.colour);
  });
  waiting.insert(place, torn);
  if (parts_.ledger.causes != nullptr) {
    parts_.ledger.causes->cores.move_tells(pe, causes::CoreCauses::kTornDown + colour, visible);
  }
  parts_.agenda.add(pe, visible);
}

std::optional<Complaint> TaskSteps::check(const Core& core, isa::Op op, std::uint32_t id,
                                          Cycle from) const {
  return check_task(op, id, surroundings_of(core, parts_.image), from);
}

void TaskSteps::act(PeId pe, Core& core, Cycle now) {
  const isa::Instruction& instruction = core.instruction();
  const std::uint32_t id = isa::semantics::scalar_operand(core.state, instruction);
  if (auto complaint = check(core, instruction.op, id, now + 1)) {
    return traps_.halt(pe, core, std::move(*complaint), now);
  }
  switch (instruction.op) {
    case isa::Op::Activate: core.ids.activate(id, now); break;
    case isa::Op::Block: core.ids.block(id, now); break;
    default: core.ids.unblock(id, now);
  }
  if (parts_.ledger.causes != nullptr) parts_.ledger.causes->cores.main_tells(pe, id, now + 1);
  parts_.wake(pe, now + 1);
  time_.pass_stop_point(pe, core, now);
}

void TaskSteps::tell(PeId pe, Core& core, isa::Op op, std::uint32_t id, std::uint32_t pc,
                     Cycle now) {
  if (core.main == Core::Main::Halted) return;
  if (auto complaint = check(core, op, id, now + 1)) {
    return traps_.raise(pe, pc, std::move(*complaint), now);
  }
  if (op == isa::Op::Activate) {
    core.ids.activate(id, now);
  } else {
    core.ids.unblock(id, now);
  }
  if (parts_.ledger.causes != nullptr) parts_.ledger.causes->cores.issue_tells(pe, id, now + 1);
  parts_.agenda.add(pe, now + 1);
}

void TaskSteps::complete(PeId pe, Core& core, const Completed& completed, Cycle now) {
  if (core.main == Core::Main::Halted) return;
  const bool activates = completed.action == isa::Completion::Activate;
  const isa::Op op = activates ? isa::Op::Activate : isa::Op::Unblock;
  if (auto complaint = check(core, op, completed.id, now)) {
    traps_.raise(pe, completed.pc, std::move(*complaint), now);
    core.main = Core::Main::Halted;
  } else if (isa::mutant(isa::Mutant::LateCompletion)) {
    core.ids.activate(completed.id, now);
    parts_.agenda.add(pe, now + 1);
  } else if (activates) {
    core.ids.complete_activate(completed.id, now);
  } else {
    core.ids.complete_unblock(completed.id, now);
  }
}

}  // namespace wse::vm
