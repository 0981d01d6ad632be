// Vector instructions of a core: start, the ranges that the transport reports, finish.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/support/mutant.h"
#include "vm/pe/checks.h"
#include "vm/pe/cores.h"
#include "vm/pe/noops.h"

namespace wse::vm {
namespace {

// The id of the task or colour that the completion acts on.
std::uint32_t completes(const isa::PeState& state, const isa::Instruction& i) {
  return i.completes_slot != 0 ? state.view->slots[i.completes] : i.completes;
}

// Returns whether nothing else in flight, nor the instruction itself, can be in its way.
bool is_alone(const Core& core, const Plan& plan) {
  return !plan.clashes_with_itself &&
         std::ranges::none_of(core.in_flight,
                              [&plan](const InFlight& f) { return may_clash(plan, *f.plan); });
}

}  // namespace

void Cores::start_vector(PeId pe, Core& core, Cycle now) {
  std::optional<Complaint> complaint;
  Plan* own = nullptr;
  const Plan* const plan =
      plans_.plan(*core.program, core.state.pc, core.state.d, core.fifos(), own, complaint);
  if (!complaint) complaint = check_all(core, *plan, now);
  if (complaint) {
    raise(pe, core, complaint->trap, std::move(complaint->detail), now);
    core.main = Core::Main::Halted;
    return;
  }
  begin_vector(pe, core, *plan, own, now);
}

void Cores::begin_vector(PeId pe, Core& core, const Plan& plan, Plan* own, Cycle now) {
  const isa::Instruction& instruction = core.instruction();
  // Before the instruction itself is in flight: whether it is the only one that moves.
  const Cycle earliest = first_issue(pe, core, plan, now);
  const bool timer = is_timer(core, plan, earliest);
  InFlight& starting = core.in_flight.add(plan);
  starting.own_plan = own;
  starting.length = plan.length();
  starting.completes = completes(core.state, instruction);
  read_values(starting, core.state, isa::semantics::scalar_operand(core.state, instruction));
  parts_.ledger.count(pe, {.instructions = 1});
  parts_.ledger.comes_to(pe, core.state.pc, now);
  core.state.pc += isa::info(instruction.op).words();
  core.main = plan.thread == kMainThread ? Core::Main::Vector : Core::Main::Ready;
  launch(pe, core, starting, timer, now);
}

// Whatever happens until then: nothing can be wrong with it, and it reads what is there now.
bool Cores::start_ahead(PeId pe, Core& core, Cycle begin) {
  const isa::Instruction& i = core.instruction();
  if (!isa::info(i.op).is_vector() || i.asynchronous != 0 || parts_.ledger.tracer.is_open())
    return false;
  const Plan* const plan = plans_.known(*core.program, core.state.pc, core.state.d);
  if (plan == nullptr || plan->length() == 0 || plan->has_fifos) return false;
  const bool others_write_registers = std::ranges::any_of(core.in_flight, [](const InFlight& f) {
    return f.plan->saved != 0 || f.operands().destination.kind == Operand::Kind::Register;
  });
  if (others_write_registers || !is_alone(core, *plan)) return false;
  if ((plan->receives & core.tasks->data()) != 0 || check_its_queues(core, *plan)) return false;
  begin_vector(pe, core, *plan, nullptr, begin);
  return true;
}

// The main thread's, which has issued nothing.
void Cores::take_back_start(PeId pe, Core& core) {
  const InFlight& f = *core.in_flight.find(kMainThread);
  const std::uint64_t stalls = f.stalls_ahead ? own_stalls(core, f) : 0;
  parts_.ledger.take_back(pe, {.instructions = 1, .stalls = stalls});
  if (!f.is_timer) parts_.transport.cancel({pe, kMainThread});
  rewound_.back().is_taken_back = true;
  rewound_.back().is_cancelled = !f.is_timer;
  core.state.pc = f.pc();
  core.main = Core::Main::Computing;
  core.in_flight.remove_if([&f](const InFlight& other) { return &other == &f; }, [](InFlight&) {});
}

std::optional<Complaint> Cores::check_its_queues(const Core& core, const Plan& plan) const {
  if (!core.program->queues) return std::nullopt;
  return check_queues(plan.operands, *core.program->queues, core.state.view->slots, parts_.image);
}

std::optional<Complaint> Cores::check_all(const Core& core, const Plan& plan, Cycle now) const {
  if (auto complaint = check_its_queues(core, plan)) return complaint;
  // A data task may be the consumer.
  const bool alone = (plan.receives & core.tasks->data() & ~core.ids.blocked_at_last()) == 0 &&
                     is_alone(core, plan);
  return alone ? std::nullopt : check_start(plan, surroundings(core), now);
}

Cycle Cores::first_issue(PeId pe, const Core& core, const Plan& plan, Cycle now) const {
  Cycle cool = first_after(after(core), plan, now + start_cycles(parts_.profile));
  const bool is_late = plan.thread != kMainThread && !isa::mutant(isa::Mutant::JitterPunctual);
  if (jitter_ && is_late) cool += jitter_->lateness({pe, plan.thread}, now);
  return plan.may_have_noops() ? cool + noops(parts_.profile, pe, now, plan.issues()) : cool;
}

void Cores::launch(PeId pe, Core& core, InFlight& starting, bool timer, Cycle now) {
  const Plan& plan = *starting.plan;
  const Cycle earliest = first_issue(pe, core, plan, now);
  const ThreadId thread{pe, plan.thread};
  parts_.ledger.tracer.instruction(now, thread, "start", *core.program->program, plan.pc);
  parts_.ledger.activity.busy_until(pe, earliest);
  if (earliest > now)
    parts_.ledger.counters.finished(earliest);  // the set-up, even if nothing issues
  if (timer) return start_timer(pe, starting, earliest, core.in_flight.has_one());
  if (plan.length() > 0) return parts_.transport.begin(thread, plan.flow, earliest);
  if (plan.flow.advance) {
    parts_.transport.write({.kind = ConfigurationWrite::Kind::Advance,
                            .channel = parts_.channels.find(pe, plan.flow.out)});
  }
  end(thread, 0, earliest);
  if (starting.finish == now) retire(pe, core, now);
}

void Cores::moved(ThreadId thread, std::uint64_t first, std::uint32_t count,
                  const FabricWords& words, Cycle cycle) {
  Core& core = core_of(thread.pe);
  InFlight& f = *core.in_flight.find(thread.thread);
  if (const auto wrong = f.plan->has_indices ? wrong_index(f, words) : std::nullopt) {
    return raise_at(
        thread.pe, f.pc(), isa::Trap::OutsideMemory,
        fmt::format("a wavelet names element {} of an array of {}", wrong->index, wrong->elements),
        cycle);
  }
  apply(f, core.state.memory, first, count, words);
}

void Cores::end(ThreadId thread, std::uint64_t elements, Cycle cycle) {
  Core& core = core_of(thread.pe);
  InFlight& f = *core.in_flight.find(thread.thread);
  const bool complete = elements == f.length;
  f.length = elements;
  remember_words(thread.pe, f);
  f.drain = f.plan->drain & InFlight::kMostDrain;
  f.finish = cycle + f.drain;
  if (complete && (f.length > 0 || f.finish > cycle)) parts_.ledger.counters.finished(f.finish);
  wake_at_finish(thread.pe, core, f);
  if (f.plan->controls != 0) parts_.agenda.add(thread.pe, cycle);  // the picker has them now
  if (f.plan->conflicts() || !complete) {
    parts_.agenda.add(thread.pe, cycle);  // the drain begins there, not now
  } else {
    parts_.ledger.activity.busy_until(thread.pe, f.finish);
  }
}

// One that ends quietly stays in the list until the PE is looked at for another reason. A trace
// shows its end.
void Cores::wake_at_finish(PeId pe, const Core& core, const InFlight& f) {
  const bool awaited = core.main == Core::Main::Waiting && core.awaited == f.thread();
  if (f.plan->ends_quietly && !awaited && !parts_.ledger.tracer.is_open()) {
    quiet_until_ = std::max(quiet_until_, f.finish);
  } else {
    parts_.agenda.add(pe, f.finish);
  }
}

void Cores::remember_words(PeId pe, const InFlight& ended) {
  const Plan& plan = *ended.plan;
  for (std::uint32_t rest = plan.word_operands; rest != 0; rest &= rest - 1) {
    const Operand& operand = *plan.operands.all()[static_cast<std::size_t>(std::countr_zero(rest))];
    const ChannelId channel = parts_.channels.find(pe, operand.descriptor.colour);
    if (operand.receives()) {
      parts_.ledger.history.took(channel, operand.wavelets_of(ended.length));
    } else {
      parts_.ledger.history.sent(channel, plan.flow.words_out(ended.length));
    }
  }
}

void Cores::controlled(ThreadId thread, std::size_t k, Cycle cycle) {
  Core& core = core_of(thread.pe);
  const InFlight& f = *core.in_flight.find(thread.thread);
  const isa::Descriptor& input = f.operands().in_order()[k]->descriptor;
  const bool activates = input.options.on_control == isa::OnControl::Activate;
  tell(thread.pe, core, activates ? isa::Op::Activate : isa::Op::Unblock, input.task, f.pc(),
       cycle);
}

void Cores::left(PeId pe, std::uint32_t number, Level level, Cycle cycle) {
  Core& core = core_of(pe);
  const isa::Fifo& fifo = core.program->program->fifos[number];
  const auto& task = level == Level::Full ? fifo.on_leaving_full : fifo.on_leaving_empty;
  if (task) tell(pe, core, isa::Op::Activate, *task, kNoPc, cycle);
}

}  // namespace wse::vm
