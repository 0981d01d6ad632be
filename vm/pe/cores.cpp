// The main threads: from stop point to stop point. Vector instructions: vector_start.cpp.
#include "vm/pe/cores.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/configuration.h"
#include "vm/pe/checks.h"
#include "vm/pe/print_text.h"
#include "vm/pe/tsc_skew.h"

namespace wse::vm {

namespace {

// Instructions of a stretch that are recorded one by one; then copying all memory costs less.
constexpr std::uint64_t kRecorded = 32'768;

}  // namespace

Cores::Cores(const Parts& parts)
    : parts_(parts), costs_(parts.profile), index_(parts.mesh.pes(), kNoProgram) {
  cores_.reserve(parts.loaded.placed().size());
  for (const PeId pe : parts.loaded.placed()) {
    index_[pe] = static_cast<std::uint32_t>(cores_.size());
    Core& core = cores_.emplace_back();
    parts.activity.count(pe);
    core.program = parts.loaded.program_at(pe);
    core.state.pc = core.program->entry;
    core.state.literals = core.program->program->literals.data();
    core.state.descriptor_literals = core.program->program->descriptors.data();
    core.state.slots = parts.loaded.slots(pe);
    core.state.begins = core.program->begins.data();
    core.state.code_words = static_cast<std::uint32_t>(core.program->begins.size());
    core.state.memory = parts.loaded.data(pe);
    core.state.memory_bytes = core.program->data_bytes;
    core.tasks = &parts.loaded.tasks(pe);
    core.ids = TaskIds(core.tasks->blocked_at_start());
    core.task = core.program->main;
    if (!core.program->program->has_main_only()) {
      core.first_run = parts.history.open_tasks(core.program->program->tasks.size());
    }
    core.fifos.resize(core.program->program->fifos.size());
    if (!core.fifos.empty()) {
      parts.transport.set_fifos(pe, fifo_capacities(*core.program->program));
    }
  }
}

void Cores::skew_counters(std::uint64_t seed) {
  for (const PeId pe : parts_.loaded.placed()) core_of(pe).state.tsc_skew = tsc_skew(seed, pe);
}

void Cores::start() {
  for (const PeId pe : parts_.loaded.placed()) parts_.agenda.add(pe, 0);
}

void Cores::step(Cycle now) {
  for (const PeId pe : parts_.agenda.take(now)) {
    if (index_[pe] != kNoProgram) step_core(pe, core_of(pe), now);
  }
}

void Cores::count() const {
  for (const Core& core : cores_) {
    parts_.counters.instructions += core.state.instructions;
    parts_.counters.flops += core.state.flops;
  }
}

bool Cores::all_done() const {
  return std::ranges::all_of(cores_, [](const Core& core) { return core.done(); });
}

void Cores::step_core(PeId pe, Core& core, Cycle now) {
  parts_.activity.settle(pe, now);
  retire(pe, core, now);
  for (const InFlight& f : core.in_flight) {
    if (f.drains_from > now) continue;
    parts_.activity.busy_until(pe, f.finish);
    parts_.counters.finished(f.finish);
  }
  while (ready(pe, core, now)) {
    if (run_scalar(pe, core, now)) act(pe, core, now);
  }
}

void Cores::retire(PeId pe, Core& core, Cycle now) {
  std::vector<Completed> completed;
  std::erase_if(core.in_flight, [&](const InFlight& f) {
    if (f.finish > now) return false;
    const Operand& to = f.operands.destination;
    if (to.kind == Operand::Kind::Register) {
      core.state.r[to.register_number] = f.accumulator;
      if (core.log.end > now) core.log.written(to.register_number, f.accumulator);
    }
    if (f.saved != 0) save_positions(core, f);
    if (f.has_fifos) move_ends(core.fifos, f.operands, f.length);
    if (f.thread == kMainThread) {
      core.state.left = f.is_unbounded() ? ~0u : static_cast<std::uint32_t>(f.asked - f.length);
    }
    parts_.tracer.instruction(now, {pe, f.thread}, "end", *core.program->program, f.pc);
    if (f.completed.action != isa::Completion::None) completed.push_back(f.completed);
    return true;
  });
  for (const Completed& c : completed) complete(pe, core, c, now);
}

void Cores::save_positions(Core& core, const InFlight& f) {
  for (const Operand* operand : f.operands.all()) {
    if (!operand->saves() || isa::mutant(isa::Mutant::PositionNotSaved)) continue;
    core.state.d[operand->register_number].position = position_after(operand->descriptor, f.length);
  }
}

bool Cores::ready(PeId pe, Core& core, Cycle now) {
  switch (core.main) {
    case Core::Main::Halted: return false;
    case Core::Main::Ready: break;
    case Core::Main::Computing:
      if (now < core.resume) return false;
      break;
    case Core::Main::Trapping:
      if (now >= core.resume) raise(pe, core, core.state.trap, scalar_trap_text(core), now);
      return false;
    case Core::Main::Free:
      if (!pick(pe, core, now) || now < core.resume) return false;
      break;
    case Core::Main::Vector:
      if (core.find(kMainThread) != nullptr) return false;
      break;
    case Core::Main::Waiting:
      if (core.find(core.awaited) != nullptr) return false;
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

bool Cores::must_wait_for_save(const Core& core) {
  const std::uint32_t saved = core.saved_registers();
  return saved != 0 && (descriptor_registers(core.instruction()) & saved) != 0;
}

bool Cores::run_scalar(PeId pe, Core& core, Cycle now) {
  // A bank conflict of a microthread holds the slot: scalar code goes on one by one, and the first
  // instruction that needs the slot waits.
  const bool held = parts_.transport.slot_held(pe, now);
  if (held && needs_slot(core)) {
    core.main = Core::Main::Computing;
    core.resume = now + 1;
    parts_.agenda.add(pe, now + 1);
    return false;
  }
  if (core.burst_cycle != now) core.burst = 0;
  core.burst_cycle = now;
  isa::ScalarState& state = core.state;
  state.start_cycle = now;
  state.slots_charged = 0;
  state.cycles_charged = 0;
  if (isa::info(core.instruction().op).is_vector()) return true;  // no stretch
  const std::uint64_t limit = parts_.profile.stretch_instructions;
  recorder_.begin(core.log, state, core.in_flight.empty());
  const isa::Step step =
      run_services(pe, core, held ? core.burst + 1 : std::max(limit, core.burst));
  const Cycle end = now + state.cycles_charged;
  recorder_.end(end);
  const bool exhausted = core.burst >= limit;
  if (step == isa::Step::Trap || (exhausted && end == now)) {
    if (step != isa::Step::Trap) state.trap = isa::Trap::NoProgress;
    core.main = Core::Main::Trapping;
  } else if (end > now || step == isa::Step::Next) {
    core.main = Core::Main::Computing;
  } else {
    return true;
  }
  spend(pe, core, now);
  return false;
}

void Cores::spend(PeId pe, Core& core, Cycle now) {
  const isa::ScalarState& state = core.state;
  core.resume = now + state.cycles_charged;
  if (core.resume == now) return;  // ready() looks again in this cycle
  if (core.main == Core::Main::Ready) core.main = Core::Main::Computing;
  if (state.slots_charged > 0) parts_.transport.hold_slot(pe, now + state.slots_charged);
  parts_.activity.busy_until(pe, core.resume);
  parts_.counters.finished(core.resume);
  parts_.agenda.add(pe, core.resume);
}

// Runs scalar code through marks and prints up to a stop point, a trap or `limit` instructions.
isa::Step Cores::run_services(PeId pe, Core& core, std::uint64_t limit) {
  isa::ScalarState& state = core.state;
  StretchLimits limits{.saved = core.saved_registers(), .recorder = &recorder_};
  if (!core.in_flight.empty() || !core.fifos.empty()) {
    limits.access = [&](isa::ScalarState& s, const Access& access) {
      const auto race =
          check_access(access, core.in_flight, parts_.image, *core.program->program, s.start_cycle);
      if (!race) return true;
      s.trap = race->trap;
      core.trap_detail = race->detail;
      return false;
    };
  }
  for (;;) {
    const std::uint64_t before = state.instructions;
    const std::uint64_t left = limit - core.burst;
    const bool long_stretch = core.in_flight.empty() && limits.recorder != nullptr;
    limits.instructions = long_stretch ? std::min(left, kRecorded) : left;
    const isa::Step step = parts_.executor.run(state, core.program->code, limits);
    core.burst += state.instructions - before;
    if (step == isa::Step::Next && core.burst < limit) {
      recorder_.keep_all(state);
      limits.recorder = nullptr;
      continue;
    }
    if (step != isa::Step::Service) return step;
    service(pe, core);
    if (++core.burst >= limit) return isa::Step::Next;
  }
}

void Cores::service(PeId pe, Core& core) {
  const isa::Instruction& instruction = core.instruction();
  Note note{.cycle = core.state.start_cycle + core.state.cycles_charged, .pe = pe};
  if (instruction.op == isa::Op::Mark) {
    note.kind = Note::Kind::Mark;
    note.mark = instruction.target;
  } else {
    note.text = print_text(core.program->program->prints[instruction.target], core.state);
  }
  parts_.notes.add(std::move(note));
  core.state.pc += isa::info(instruction.op).words();
}

// Executes the instruction at a stop point.
void Cores::act(PeId pe, Core& core, Cycle now) {
  ++core.burst;
  if (must_wait_for_save(core)) {
    core.main = Core::Main::Saving;
    return;
  }
  const isa::Instruction& instruction = core.instruction();
  const isa::InstructionInfo& row = isa::info(instruction.op);
  if (row.is_vector()) return start_vector(pe, core, now);
  if (row.format == isa::Format::TaskId) return act_on_task(pe, core, now);
  if (is_configuration(instruction.op)) return configure(pe, core, now);
  ++core.state.instructions;
  if (instruction.op == isa::Op::EndTask) {
    core.main = Core::Main::Free;
    return;
  }
  if (instruction.op == isa::Op::Halt) {
    core.main = Core::Main::Halted;
    parts_.tracer.note(now, pe, "halt", "");
    return;
  }
  core.awaited = 1 + instruction.microthread;
  core.main = Core::Main::Waiting;
  core.state.pc += row.words();
}

void Cores::raise(PeId pe, const Core& core, isa::Trap trap, std::string detail, Cycle now) {
  raise_at(pe, core.state.pc, trap, std::move(detail), now);
}

void Cores::raise_at(PeId pe, std::uint32_t pc, isa::Trap trap, std::string detail, Cycle now) {
  parts_.trap.raise({trap, now, pe, pc, std::move(detail)});
}

std::string Cores::bad_descriptor_text(const Core& core) {
  const isa::Instruction& i = core.instruction();
  std::string text = fmt::format("descriptor register d{}", core.state.trap_address);
  if (isa::info(i.op).format != isa::Format::DescriptorSet) return text;
  const std::uint32_t value = isa::semantics::scalar_operand(core.state, i);
  text += fmt::format(" cannot get {}", static_cast<std::int32_t>(value));
  if (i.op == isa::Op::SetLength) text += fmt::format("; a length is 0 to {}", isa::kMaxLength);
  return text;
}

std::string Cores::scalar_trap_text(const Core& core) const {
  const isa::ScalarState& state = core.state;
  switch (state.trap) {
    case isa::Trap::FifoMisuse:
    case isa::Trap::MemoryRace: return core.trap_detail;
    case isa::Trap::OutsideMemory:
    case isa::Trap::Misaligned:
      return fmt::format("byte address {} of {} bytes of data", state.trap_address,
                         state.memory_bytes);
    case isa::Trap::UnsetDescriptor:
      return fmt::format("descriptor register d{}", state.trap_address);
    case isa::Trap::BadDescriptor: return bad_descriptor_text(core);
    case isa::Trap::BadReturn:
      return fmt::format("code word {} of {}", state.trap_address, state.code_words);
    case isa::Trap::NoProgress:
      return fmt::format("{} instructions within one cycle", parts_.profile.stretch_instructions);
    case isa::Trap::Assertion: {
      const isa::Instruction& i = core.instruction();
      const auto type = static_cast<isa::Type>(i.compared_type);
      return fmt::format("{} {} {}", value_text(state.r[i.source_a], type),
                         isa::kConditionTexts[i.condition],
                         value_text(isa::semantics::scalar_operand(state, i), type));
    }
    default: return {};
  }
}

}  // namespace wse::vm
