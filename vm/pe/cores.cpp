// The main threads: from stop point to stop point. Vector instructions: vector_start.cpp.
#include "vm/pe/cores.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/load/configuration.h"
#include "vm/pe/checks.h"
#include "vm/pe/passing.h"
#include "vm/pe/print_text.h"
#include "vm/pe/scalar_step.h"
#include "vm/pe/tsc_skew.h"

namespace wse::vm {
namespace {

// Instructions of a stretch that are recorded one by one; then copying all memory costs less.
constexpr std::uint64_t kRecorded = 4096;

// Instructions of a stretch after which it passes nothing more: so one of vectors ends before that.
constexpr std::uint64_t kMostAhead = 3584;

// Bytes that vector instructions write which stretches pass: those of all PEs at a time, since logs
// keep what was there, and those of one.
constexpr std::uint64_t kMostOfAll = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostOfOne = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastOfOne = 256;

std::uint64_t most_written(std::size_t pes) {
  return std::clamp(kMostOfAll / std::max<std::size_t>(1, pes), kLeastOfOne, kMostOfOne);
}

// Instructions since time passed last.
std::uint64_t burst_of(const isa::ScalarState& state) {
  return state.instructions - state.burst_from;
}

// Where cycles of lines are counted, scalar code runs no further ahead: what is not yet true of it
// has to be kept.
constexpr std::uint64_t kCountedStretch = 256;

// By instruction.
constexpr bool kStopPoints[] = {
#define INSTRUCTION(name, ...) isa::semantics::is_stop_point<isa::Op::name>(),
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

// Of scalar code beside instructions in flight.
struct RaceCheck : AccessCheck {
  RaceCheck(const Core& of, const isa::Image& program_image, Cycle cycle)
      : core(of), image(program_image), now(cycle) {}

  bool allows(const Access& access) override {
    found = check_access(access, core.in_flight, image, *core.program->program, now);
    return !found;
  }

  const Core& core;
  const isa::Image& image;
  Cycle now;
  std::optional<Complaint> found;  // of the access that was refused
};

std::span<const PeId> placed_in(std::span<const PeId> placed, const PeRange& pes) {
  const auto first = std::ranges::lower_bound(placed, pes.first);
  return {first, std::ranges::lower_bound(placed, pes.end)};
}

void save_positions(Core& core, const InFlight& f) {
  const auto save = [&core](const Operand& operand, std::uint64_t elements) {
    if (!operand.saves() || isa::mutant(isa::Mutant::PositionNotSaved)) return;
    core.state.d->own(operand.register_number).position =
        position_after(operand.descriptor, elements);
  };
  // A register that is another operand too moves on as that does.
  if (f.length > 0) save(f.operands().each, f.plan->groups());
  for (const Operand* operand : f.operands().all()) save(*operand, f.length);
}

bool must_wait_for_save(const Core& core) {
  const std::uint32_t saved = core.saved_registers();
  return saved != 0 && (descriptor_registers(core.instruction()) & saved) != 0;
}

}  // namespace

Cores::Cores(const Parts& parts)
    : parts_(parts),
      costs_(parts.profile),
      views_(parts.loaded),
      planner_(parts.profile, parts.executor),
      plans_(planner_),
      most_written_(most_written(parts.loaded.placed().size())),
      placed_(placed_in(parts.loaded.placed(), parts.pes)),
      index_(parts.pes.size(), kNoProgram) {
  const auto names_descriptors = [&](PeId pe) {
    return parts.loaded.program_at(pe)->names_descriptors;
  };
  registers_ = std::vector<isa::DescriptorRegisters>(
      static_cast<std::size_t>(std::ranges::count_if(placed_, names_descriptors)));
  std::size_t next_registers = 0;
  std::size_t threads = 0;
  std::size_t tasks = 0;
  for (const PeId pe : placed_) {
    threads += parts.loaded.program_at(pe)->threads;
    tasks += parts.loaded.program_at(pe)->counted_tasks();
  }
  if (parts.profile.vector_overlap != 0) following_.resize(placed_.size());
  std::uint32_t next_run = parts.ledger.history.open_tasks(tasks);
  in_flight_ = UntouchedTable<InFlight>(threads, PageSize::Small);
  InFlight* next_slot = in_flight_.data();
  cores_.reserve(placed_.size());
  for (const PeId pe : placed_) {
    index_[parts.pes.index(pe)] = static_cast<std::uint32_t>(cores_.size());
    Core& core = cores_.emplace_back();
    parts.ledger.activity.count(pe);
    core.program = parts.loaded.program_at(pe);
    core.in_flight = InFlightList(next_slot);
    next_slot += core.program->threads;
    parts.transport.set_threads(pe, core.program->threads);
    core.state.pc = core.program->entry;
    core.state.view = &views_[parts.loaded.instance_of(pe)];
    if (names_descriptors(pe)) core.state.d = &registers_[next_registers++];
    core.state.memory = parts.loaded.data(pe);
    core.state.memory_bytes = core.program->data_bytes;
    core.state.random = parts.loaded.seed(pe);
    core.tasks = &parts.loaded.tasks(pe);
    core.ids = TaskIds(core.tasks->blocked_at_start());
    core.task = core.program->main;
    core.first_run = std::exchange(next_run, next_run + core.program->counted_tasks());
    if (core.program->program->fifos.empty()) continue;
    core.rarely().fifos.resize(core.program->program->fifos.size());
    parts.transport.set_fifos(pe, fifo_capacities(*core.program->program));
  }
}

std::uint64_t Cores::counter_of(PeId pe, Cycle now) const {
  return skew_seed_ ? now + tsc_skew(*skew_seed_, pe) : now;
}

// A late begin is a task start that takes so long.
void Cores::start() {
  for (const PeId pe : placed_) {
    const Cycle begin = jitter_ ? jitter_->lateness({pe, kMainThread}, 0) : 0;
    parts_.agenda.add(pe, begin);
    if (begin == 0) continue;
    Core& core = core_of(pe);
    core.main = Core::Main::Computing;
    core.resume = begin;
    parts_.ledger.activity.busy_until(pe, begin);
    parts_.ledger.counters.finished(begin);
  }
}

void Cores::step_core(PeId pe, Core& core, Cycle now) {
  parts_.ledger.settle(pe, now);
  if (core.log.stalls > 0 && core.log.end <= now) {
    parts_.ledger.counters.finished(std::max(core.log.end, after(core).drained));
    core.log.stalls = 0;
  }
  bool over = false;
  for (const InFlight& f : core.in_flight) {
    if (f.finish <= now) {
      over = true;
    } else {
      look_at_drain(pe, f, now);
    }
  }
  if (over) retire(pe, core, now);
  while (ready(pe, core, now)) {
    if (run_scalar(pe, core, now)) act(pe, core, now);
  }
}

void Cores::look_at_drain(PeId pe, const InFlight& f, Cycle now) {
  if (f.drains_from() > now) return;
  parts_.ledger.activity.busy_until(pe, f.finish);
  parts_.ledger.counters.finished(f.finish);
}

void Cores::retire(PeId pe, Core& core, Cycle now) {
  std::array<Completed, 1 + isa::kMicrothreads> completed;
  std::size_t count = 0;
  const auto finish = [&](InFlight& f) {
    const Plan& plan = *f.plan;
    if (f.is_timer) move_timer(pe, core, f, now);
    note_followed(pe, core, f, f.finish);
    const Operand& to = plan.operands.destination;
    if (to.kind == Operand::Kind::Register) core.state.r[to.register_number] = f.accumulator;
    if (plan.saved != 0) save_positions(core, f);
    if (plan.has_fifos) move_ends(core.rare->fifos, plan.operands, f.length);
    if (plan.thread == kMainThread) {
      core.state.left =
          f.is_unbounded() ? ~0u : static_cast<std::uint32_t>(plan.length() - f.length);
    }
    parts_.ledger.tracer.instruction(now, {pe, plan.thread}, "end", *core.program->program,
                                     plan.pc);
    if (plan.completion != isa::Completion::None) {
      completed[count++] = {plan.completion, f.completes, plan.pc};
    }
    if (f.own_plan != nullptr) plans_.give_back(f.own_plan);
  };
  core.in_flight.remove_if([now](const InFlight& f) { return f.finish <= now; }, finish);
  for (std::size_t k = 0; k < count; ++k) complete(pe, core, completed[k], now);
}

bool Cores::ready(PeId pe, Core& core, Cycle now) {
  switch (core.main) {
    case Core::Main::Halted: return false;
    case Core::Main::Ready: break;
    case Core::Main::Computing:
      if (now < core.resume) return false;
      break;
    case Core::Main::Trapping:
      if (now >= core.resume) {
        const PendingTrap& trap = pending_traps_[pe];
        raise(pe, core, trap.trap, scalar_trap_text(core, trap), now);
      }
      return false;
    case Core::Main::Free:
      if (!pick(pe, core, now) || now < core.resume) return false;
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
  core.main = Core::Main::Ready;
  return true;
}

bool Cores::needs_slot(const Core& core) const {
  const isa::InstructionInfo& row = isa::info(core.instruction().op);
  return costs_.of(row.cost).slots > 0 && !row.is_vector();
}

bool Cores::stops_at_once(const Core& core) const {
  const isa::Instruction& first = core.instruction();
  return kStopPoints[static_cast<std::size_t>(first.op)] &&
         !(may_be_passed(first) && may_pass(core));
}

bool Cores::run_scalar(PeId pe, Core& core, Cycle now) {
  // A bank conflict of a microthread holds the slot: scalar code continues one by one, and the
  // first instruction that needs the slot waits.
  const bool held = !core.in_flight.empty() && parts_.transport.slot_held(pe, now);
  if (held && needs_slot(core)) {
    core.main = Core::Main::Computing;
    core.resume = now + 1;
    parts_.agenda.add(pe, now + 1);
    return false;
  }
  count_burst(core, now);
  const std::uint64_t limit = parts_.profile.stretch_instructions;
  // What acts on and on without time passing is caught by a stretch, even one of nothing.
  const bool may_go_on = core.burst < limit || isa::info(core.instruction().op).is_vector();
  if (may_go_on && stops_at_once(core)) return true;
  isa::ScalarState state{core.state};
  state.start_cycle = counter_of(pe, now);
  state.burst_from = std::uint64_t{0} - core.burst;
  if (follows()) {
    Following& following = following_of(core);
    following.at_stretch = following.after;
    state.after = from_start(following.after, now);
  }
  recorder_.begin(core.log, core.state, now, core.in_flight.empty());
  std::uint64_t most = held ? core.burst + 1 : std::max<std::uint64_t>(limit, core.burst);
  if (parts_.ledger.lines != nullptr) most = std::min(most, core.burst + kCountedStretch);
  const isa::Step step = run_services(pe, core, state, most, now);
  const Cycle end = now + state.cycles_charged;
  recorder_.end(state);
  core.state = state;
  keep_after(pe, core, state, now);
  core.burst = static_cast<std::uint32_t>(burst_of(state));
  core.burst_cycle = now + state.burst_cycles;
  parts_.ledger.count(pe, work_of(state));
  const bool exhausted = core.burst >= limit;
  if (step == isa::Step::Trap || (exhausted && end == core.burst_cycle)) {
    PendingTrap& trap = pending_traps_[pe];
    trap.trap = step == isa::Step::Trap ? state.trap : isa::Trap::NoProgress;
    trap.address = state.trap_address;
    core.main = Core::Main::Trapping;
  } else if (end > now || step == isa::Step::Next) {
    core.main = Core::Main::Computing;
  } else {
    return true;
  }
  spend(pe, core, state, now);
  if (core.resume == now) return false;  // ready() looks again in this cycle
  const bool stalls = core.log.stalls > 0;
  parts_.ledger.counters.finished(stalls ? core.log.first_stall : end);
  if (stalls || step != isa::Step::Stop || !start_ahead(pe, core, end)) parts_.agenda.add(pe, end);
  return false;
}

void Cores::spend(PeId pe, Core& core, const isa::ScalarState& charged, Cycle now) {
  core.resume = now + charged.cycles_charged;
  if (core.resume == now) return;
  if (core.main == Core::Main::Ready) core.main = Core::Main::Computing;
  if (charged.slots_charged > 0) parts_.transport.hold_slot(pe, now + charged.slots_charged);
  parts_.ledger.activity.busy_until(pe, core.resume);
}

// Runs scalar code through marks, prints and what can be passed, up to another stop point, a trap
// or `limit` instructions.
isa::Step Cores::run_services(PeId pe, Core& core, isa::ScalarState& state, std::uint64_t limit,
                              Cycle now) {
  const VectorPasser passer(plans_, *core.program, most_written_);
  StretchLimits limits{.saved = core.saved_registers(), .recorder = &recorder_};
  if (may_pass(core)) {
    limits.passes = kMostAhead;
    limits.passer = &passer;
  }
  RaceCheck races(core, parts_.image, now);
  if (!core.in_flight.empty() || !core.fifos().empty()) limits.check = &races;
  for (;;) {
    const std::uint64_t left = limit - burst_of(state);
    const bool long_stretch = core.in_flight.empty() && limits.recorder != nullptr;
    limits.instructions = long_stretch ? std::min(left, kRecorded) : left;
    if (parts_.ledger.lines != nullptr) {
      limits.instructions = 1;
      parts_.ledger.comes_to(pe, state.pc, now + state.cycles_charged);
    }
    const isa::Step step = parts_.executor.run(state, *core.program, limits);
    if (step == isa::Step::Next && burst_of(state) < limit) {
      if (parts_.ledger.lines != nullptr) continue;
      recorder_.keep_all();
      limits.recorder = nullptr;
      continue;
    }
    if (races.found) {
      state.trap = races.found->trap;
      pending_traps_[pe].detail = std::move(races.found->detail);
    }
    if (step != isa::Step::Service) return step;
    service(pe, core, state, now);
    --state.burst_from;  // it counts
    if (burst_of(state) >= limit) return isa::Step::Next;
  }
}

void Cores::service(PeId pe, const Core& core, isa::ScalarState& state, Cycle now) {
  const isa::Instruction& instruction = core.program->code[state.pc];
  // Behind a vector instruction that drains it is its finish that is noted.
  const Cycle cycle = now + std::max(state.cycles_charged, state.after.drained);
  if (instruction.op == isa::Op::Print) {
    const isa::PrintText& pieces = core.program->program->prints[instruction.target];
    parts_.ledger.notes.add({.cycle = cycle, .pe = pe, .text = print_text(pieces, state)});
  } else if (parts_.ledger.tracer.is_open()) {
    parts_.ledger.notes.add(
        {.cycle = cycle, .pe = pe, .kind = Note::Kind::Mark, .mark = instruction.target});
  } else {
    parts_.ledger.notes.count_mark(cycle, instruction.target);
  }
  state.pc += isa::info(instruction.op).words();
}

// Executes the instruction at a stop point.
void Cores::act(PeId pe, Core& core, Cycle now) {
  ++core.burst;
  parts_.ledger.comes_to(pe, core.state.pc, now);
  if (must_wait_for_save(core)) {
    core.main = Core::Main::Saving;
    return;
  }
  const isa::Instruction& instruction = core.instruction();
  const isa::InstructionInfo& row = isa::info(instruction.op);
  if (row.is_vector()) return start_vector(pe, core, now);
  if (row.format == isa::Format::TaskId) return act_on_task(pe, core, now);
  if (is_configuration(instruction.op)) return configure(pe, core, now);
  if (is_configuration(instruction.op)) return configure(pe, core, now);
  const bool ends = instruction.op == isa::Op::EndTask || instruction.op == isa::Op::Halt;
  if (ends && waits_for_drain(pe, core, now)) return;
  parts_.ledger.count(pe, {.instructions = 1});
  if (instruction.op == isa::Op::EndTask) {
    core.main = Core::Main::Free;
    parts_.ledger.ends_task(pe, now);
    return;
  }
  if (instruction.op == isa::Op::Halt) {
    core.main = Core::Main::Halted;
    parts_.ledger.halts(pe, now);
    return;
  }
  core.awaited = static_cast<std::uint8_t>(1 + instruction.microthread);
  core.main = Core::Main::Waiting;
  const InFlight* const awaited = core.in_flight.find(core.awaited);
  if (awaited != nullptr && !awaited->is_moving()) parts_.agenda.add(pe, awaited->finish);
  core.state.pc += row.words();
}

}  // namespace wse::vm
