// The main threads: what is due in a cycle, and the instructions at their stop points.
#include "vm/pe/cores.h"

#include "vm/load/configuration.h"
#include "vm/pe/scalar_step.h"

namespace wse::vm {
namespace {

bool must_wait_for_save(const Core& core) {
  const std::uint32_t saved = core.saved_registers();
  return saved != 0 && (descriptor_registers(core.instruction()) & saved) != 0;
}

// Tells what the main thread, which continues, was waiting for.
void tell_causes(Causes& causes, PeId pe, const Core& core, Cycle now) {
  switch (core.main) {
    case Core::Main::Free:
    case Core::Main::Computing: return causes.cores.comes(pe);
    case Core::Main::Vector: return causes.cores.follows(pe, kMainThread, now);
    case Core::Main::Waiting: return causes.cores.follows(pe, core.awaited, now);
    case Core::Main::Saving: return causes.cores.follows_any(pe, now);
    default: return;
  }
}

// The main thread continues, whatever it waited for.
void tell_trace(Tracer& tracer, PeId pe, const Core& core, Cycle now) {
  using For = TraceEvent::For;
  if (core.main == Core::Main::Waiting) {
    tracer.main_continues(now, pe, For::Microthread, core.awaited - 1u);
  } else if (core.main == Core::Main::Saving) {
    tracer.main_continues(now, pe, For::Save, 0);
  }
}

}  // namespace

Cores::Cores(const CoreParts& parts)
    : parts_(parts),
      cores_(parts),
      traps_(parts),
      time_(parts),
      planner_(parts.profile, parts.executor),
      plans_(planner_),
      successions_(parts, cores_, plans_),
      timers_(parts, successions_),
      tasks_(parts, cores_, traps_, time_),
      ends_(parts, {cores_, traps_, plans_, successions_, timers_, tasks_}),
      starts_(parts, {traps_, plans_, successions_, timers_, ends_}),
      cohorts_(parts, cores_, plans_),
      stretches_(parts, {traps_, time_, plans_, successions_, starts_}),
      rewinder_(parts, {cores_, plans_, successions_, timers_, starts_, stretches_}),
      standstill_(cores_, parts.transport),
      state_(parts, {cores_, traps_, plans_, successions_, ends_}) {}

// A watcher of causes or of a trace sees what each PE does by itself.
void Cores::prepare(std::optional<std::uint64_t> skew, const std::optional<Jitter>& jitter) {
  if (skew) time_.skew_counters(*skew);
  if (jitter) starts_.start_late(*jitter);
  const bool is_watched = parts_.ledger.causes != nullptr || parts_.ledger.tracer.is_open();
  if (jitter || is_watched) cohorts_.forbid();
}

// A late begin is a task start that takes so long.
void Cores::start() {
  for (const PeId pe : cores_.placed()) {
    const Cycle begin = starts_.lateness({pe, kMainThread}, 0);
    parts_.agenda.add(pe, begin);
    if (begin == 0) continue;
    Core& core = cores_[pe];
    core.main = Core::Main::Computing;
    if (parts_.ledger.causes != nullptr)
      parts_.ledger.causes->cores.computes(pe, StepKind::SetUp, core.state.pc, begin);
    core.resume = begin;
    parts_.ledger.activity.busy_until(pe, begin);
    parts_.ledger.counters.finished(begin);
  }
}

void Cores::close_activity(Cycle end) {
  parts_.ledger.activity.close(cores_.placed(), end);
  parts_.ledger.close_lines(end);
}

void Cores::step_core(PeId pe, Cycle now) {
  parts_.ledger.settle(pe, now);
  if (cohorts_.join(pe, now)) return;
  Core& core = cores_[pe];
  cohorts_.begin(pe, core, now);
  if (core.log.stalls > 0 && core.log.end <= now) {
    parts_.ledger.counters.finished(std::max(core.log.end, successions_.after(core).drained));
    core.log.stalls = 0;
  }
  ends_.look_at(pe, core, now);
  while (ready(pe, core, now)) {
    if (stretches_.run(pe, core, now)) act(pe, core, now);
  }
  cohorts_.end(pe, core, now);
}

bool Cores::ready(PeId pe, Core& core, Cycle now) {
  switch (core.main) {
    case Core::Main::Halted: return false;
    case Core::Main::Ready: break;
    case Core::Main::Computing:
      if (now < core.resume) return false;
      break;
    case Core::Main::Trapping:
      if (now >= core.resume) traps_.raise_expected(pe, core, now);
      return false;
    case Core::Main::Free:
      if (!tasks_.pick(pe, core, now) || now < core.resume) return false;
      break;
    case Core::Main::Vector:
      if (core.in_flight.find(kMainThread) != nullptr) return false;
      break;
    case Core::Main::Waiting:
      if (core.in_flight.find(core.awaited) != nullptr) return false;
      break;
    case Core::Main::Saving:
      if (must_wait_for_save(core)) return false;
      break;
  }
  if (parts_.ledger.tracer.is_open()) [[unlikely]]
    tell_trace(parts_.ledger.tracer, pe, core, now);
  if (parts_.ledger.causes != nullptr) [[unlikely]]
    tell_causes(*parts_.ledger.causes, pe, core, now);
  core.main = Core::Main::Ready;
  return true;
}

void Cores::act(PeId pe, Core& core, Cycle now) {
  ++core.burst;
  const bool must_wait = must_wait_for_save(core);
  const bool waits = must_wait || core.instruction().op == isa::Op::Wait;
  const LinePhase phase = waits ? LinePhase::Thread : LinePhase::Scalar;
  parts_.note(pe, LineNote::place(core.state.pc, phase, now));
  if (must_wait) {
    core.main = Core::Main::Saving;
    parts_.ledger.tracer.main_waits(now, pe);
    return;
  }
  const isa::Instruction& instruction = core.instruction();
  const isa::InstructionInfo& row = isa::info(instruction.op);
  if (row.is_vector()) return starts_.start(pe, core, now);
  if (row.format == isa::Format::TaskId) return tasks_.act(pe, core, now);
  if (is_configuration(instruction.op)) return configure(pe, core, now);
  const bool ends = instruction.op == isa::Op::EndTask || instruction.op == isa::Op::Halt;
  if (ends) return end_task(pe, core, now);
  parts_.count(pe, {.instructions = 1});
  core.awaited = static_cast<std::uint8_t>(1 + instruction.microthread);
  core.main = Core::Main::Waiting;
  const InFlight* const awaited = core.in_flight.find(core.awaited);
  if (awaited != nullptr && !awaited->is_moving()) parts_.wake(pe, awaited->finish);
  core.state.pc += row.words();
  parts_.ledger.tracer.main_waits(now, pe);
}

void Cores::end_task(PeId pe, Core& core, Cycle now) {
  if (successions_.wait_for_drain(pe, core, now)) return;
  parts_.count(pe, {.instructions = 1});
  if (parts_.ledger.causes != nullptr) {
    const isa::Succession& after = successions_.after(core);
    parts_.ledger.causes->cores.rests(pe, std::max({now, after.drained, after.others_from}));
  }
  if (core.instruction().op == isa::Op::EndTask) {
    core.main = Core::Main::Free;
    parts_.note(pe, LineNote::task_end(now));
    parts_.ledger.tracer.task_ends(now, pe);
  } else {
    core.main = Core::Main::Halted;
    parts_.tape.spoil();
    parts_.ledger.halts(pe, now);
  }
}

}  // namespace wse::vm
