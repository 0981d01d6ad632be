// Runs scalar code through marks, prints and vector instructions that can be passed.
#include "vm/pe/stretches.h"

#include <algorithm>
#include <utility>

#include "isa/semantics/execute.h"
#include "isa/support/mutant.h"
#include "vm/pe/checks.h"
#include "vm/pe/passing.h"
#include "vm/pe/print_text.h"
#include "vm/pe/scalar_step.h"

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

// Where cycles of lines are counted, scalar code that is alone on its PE runs no further ahead,
// since its way has to be kept. Beside instructions in flight a cut would free the issue slot for
// them.
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

// Whether it tells something, and takes no time.
bool is_service(const isa::Instruction& i) {
  return i.op == isa::Op::Print || i.op == isa::Op::Mark;
}

// Returns what scalar code has done.
Work work_of(const isa::ScalarState& state) {
  return {state.instructions, state.elements, state.flops, state.stalls};
}

// Instructions that are done without time passing count from that cycle on, if it is a new one. A
// stretch that was cut for its lines ends where it stops.
void count_burst(Core& core, Cycle cycle, bool stops) {
  const bool goes_on = std::exchange(core.is_mid_stretch, false) && !stops;
  if (goes_on || core.burst_cycle == cycle) return;
  core.burst = 0;
  core.burst_cycle = cycle;
}

}  // namespace

Stretches::Stretches(const CoreParts& parts, const Peers& peers)
    : parts_(parts), peers_(peers), most_written_(most_written(parts.loaded.placed().size())) {}

// A trace shows its start and its end.
bool Stretches::may_pass(const Core& core) const {
  return core.in_flight.empty() && !parts_.ledger.tracer.is_open();
}

bool Stretches::stops_at_once(const Core& core) const {
  const isa::Instruction& first = core.instruction();
  return kStopPoints[static_cast<std::size_t>(first.op)] &&
         !(may_be_passed(first) && may_pass(core));
}

bool Stretches::is_held(PeId pe, const Core& core, Cycle now) {
  if (core.in_flight.empty()) return false;
  const bool held = parts_.transport.slot_held(pe, now);
  parts_.tape.asks_for_slot = true;
  if (held) parts_.tape.spoil();
  return held;
}

bool Stretches::run(PeId pe, Core& core, Cycle now) {
  // Scalar code continues one by one then, and the first instruction that needs the slot waits.
  const bool held = is_held(pe, core, now);
  if (held && peers_.time.needs_slot(core)) {
    wait_a_cycle(pe, core, now);
    return false;
  }
  const bool stops = stops_at_once(core);
  count_burst(core, now, stops);
  const std::uint64_t limit = parts_.profile.stretch_instructions;
  // A stretch, even one of nothing, catches code that acts on and on without time passing.
  const bool may_go_on = core.burst < limit || isa::info(core.instruction().op).is_vector();
  if (may_go_on && stops) return true;
  isa::ScalarState state{core.state};
  state.start_cycle = peers_.time.counter_of(pe, now);
  state.burst_from = std::uint64_t{0} - core.burst;
  state.burst_cycles = core.burst_cycle - now;  // before it: modulo 2^64
  if (peers_.successions.keeps(core)) {
    KeptSuccession& kept = peers_.successions.of(core);
    state.after = from_start(kept.after, now);
    kept.at_stretch = from_run(state.after, now);
  }
  if (parts_.tape.is_open()) begin_on_tape(core);
  recorder_.begin(core.log, core.state, now, core.in_flight.empty());
  std::uint64_t most = held ? core.burst + 1 : std::max<std::uint64_t>(limit, core.burst);
  const bool is_counted = parts_.ledger.lines() != nullptr && core.in_flight.empty();
  if (is_counted) most = std::min(most, core.burst + kCountedStretch);
  notes_.clear();
  stalls_.clear();
  const isa::Step step = run_services(pe, core, state, most, now);
  enter_notes(pe, now);
  enter_stalls(pe, now);
  const Cycle end = now + state.cycles_charged;
  recorder_.end(state);
  core.state = state;
  peers_.successions.note_stretch(pe, core, state, now);
  core.burst = static_cast<std::uint32_t>(burst_of(state));
  core.burst_cycle = now + state.burst_cycles;
  core.is_mid_stretch = is_counted && step == isa::Step::Next && core.burst < limit;
  parts_.count(pe, work_of(state));
  const bool exhausted = core.burst >= limit;
  if (step == isa::Step::Trap || (exhausted && end == core.burst_cycle)) {
    const isa::Trap trap = step == isa::Step::Trap ? state.trap : isa::Trap::NoProgress;
    peers_.traps.expect(pe, trap, state.trap_address);
    core.main = Core::Main::Trapping;
  } else if (end > now || step == isa::Step::Next) {
    core.main = Core::Main::Computing;
  } else {
    count_burst(core, now, true);
    return true;
  }
  peers_.time.spend(pe, core, state, now);
  if (core.resume == now) return false;  // ready() looks again in this cycle
  const bool stalls = core.log.stalls > 0;
  parts_.ledger.counters.finished(stalls ? core.log.first_stall : end);
  if (stalls || step != isa::Step::Stop || !peers_.starts.start_ahead(pe, core, end))
    parts_.wake(pe, end);
  return false;
}

void Stretches::begin_on_tape(const Core& core) {
  parts_.tape.stretches();
  if (!register_code_.begins_at(*core.program, core.state.pc)) parts_.tape.spoil();
}

void Stretches::wait_a_cycle(PeId pe, Core& core, Cycle now) {
  core.main = Core::Main::Computing;
  if (parts_.ledger.causes != nullptr)
    parts_.ledger.causes->cores.computes(pe, StepKind::Slot, core.state.pc, now + 1);
  core.resume = now + 1;
  parts_.agenda.add(pe, now + 1);
  parts_.note(pe, LineNote::place(core.state.pc, LinePhase::Scalar, now));
}

// Marks, prints, and what can be passed do not stop it; another stop point, a trap or `limit` do.
isa::Step Stretches::run_services(PeId pe, Core& core, isa::ScalarState& state, std::uint64_t limit,
                                  Cycle now) {
  const bool has_slices = parts_.ledger.slices() != nullptr;
  const VectorPasser passer(peers_.plans, *core.program, most_written_,
                            has_slices ? &stalls_ : nullptr,
                            parts_.tape.is_open() ? &parts_.tape : nullptr);
  StretchLimits limits{.saved = core.saved_registers(), .recorder = &recorder_};
  if (parts_.ledger.lines() != nullptr) limits.notes = &notes_;
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
    const isa::Step step = parts_.executor.run(state, *core.program, limits);
    if (step == isa::Step::Next && burst_of(state) < limit) {
      parts_.tape.spoil();
      recorder_.keep_all();
      limits.recorder = nullptr;
      continue;
    }
    if (races.found) {
      state.trap = races.found->trap;
      peers_.traps.explain(pe, std::move(races.found->detail));
    }
    if (step != isa::Step::Service) return step;
    service(pe, core, state, now);
    --state.burst_from;  // it counts
    if (burst_of(state) >= limit) return isa::Step::Next;
  }
}

void Stretches::enter_notes(PeId pe, Cycle now) {
  for (const StretchNotes::Note& note : notes_.notes()) {
    const Cycle begin = now + note.begin;
    const Cycle first_issue = now + note.first_issue;
    parts_.note(pe, note.is_vector ? LineNote::vector(note.pc, begin, first_issue, 0, note.stalls)
                                   : LineNote::place(note.pc, LinePhase::Scalar, begin));
  }
}

void Stretches::enter_stalls(PeId pe, Cycle now) {
  if (isa::mutant(isa::Mutant::StallsAreTimeless)) return;
  for (const StallSpan& span : stalls_.spans()) {
    parts_.stalls_at(pe, {now + span.from, span.count, now + span.finish});
  }
}

void Stretches::service(PeId pe, const Core& core, isa::ScalarState& state, Cycle now) {
  parts_.tape.spoil();
  const isa::Instruction& instruction = core.program->code[state.pc];
  // Behind a vector instruction that drains it is its finish that is noted.
  const Cycle cycle = now + std::max(state.cycles_charged, state.after.drained);
  if (instruction.op == isa::Op::Print) {
    const isa::PrintText& pieces = core.program->program->prints[instruction.target];
    parts_.ledger.notes.add({.cycle = cycle, .pe = pe, .text = print_text(pieces, state)});
  } else {
    parts_.ledger.passes_mark(pe, instruction.target, cycle);
  }
  state.pc += isa::info(instruction.op).words();
}

// A stretch passes only what has a plan, which a machine that took it from another one may lack.
void Stretches::make_plan(const Core& core, const isa::ScalarState& state) {
  Plan* own = nullptr;
  std::optional<Complaint> complaint;
  peers_.plans.plan(*core.program, state.pc, state.d, core.fifos(), own, complaint);
  if (own != nullptr) peers_.plans.give_back(own);
}

// It takes the same path: whatever it depends on is as it was.
Stretches::Repeated Stretches::repeat(PeId pe, Core& core, std::uint64_t most, Cycle end,
                                      Cycle last) {
  isa::ScalarState state{core.state};
  state.start_cycle = peers_.time.counter_of(pe, core.log.begin);
  Successions& successions = peers_.successions;
  if (successions.keeps(core)) {
    state.after = from_start(successions.of(core).at_stretch, core.log.begin);
  }
  Repeated repeated{.end = core.log.begin};
  const VectorPasser passer(peers_.plans, *core.program, most_written_);
  const std::uint64_t passes = core.log.passed ? kNever : 0;
  while (repeated.steps < most) {
    const isa::Instruction& i = core.program->code[state.pc];
    if (state.instructions == core.log.instructions && !is_service(i)) break;
    if (passes > 0 && isa::info(i.op).is_vector()) make_plan(core, state);
    const isa::Step step = parts_.executor.run(
        state, *core.program, {.instructions = 1, .passes = passes, .passer = &passer});
    if (step == isa::Step::Service) {
      state.pc += isa::info(i.op).words();
    } else if (step != isa::Step::Next) {
      break;
    }
    if (core.log.begin + state.cycles_charged > (may_be_passed(i) ? last : end)) break;
    ++repeated.steps;
    repeated.end = core.log.begin + state.cycles_charged;
  }
  core.state = state;
  if (successions.keeps(core)) {
    successions.of(core).after = from_run(state.after, core.log.begin);
  }
  repeated.work = work_of(state);
  return repeated;
}

}  // namespace wse::vm
