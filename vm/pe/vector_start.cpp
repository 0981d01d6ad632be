// Starts vector instructions.
#include "vm/pe/vector_start.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/checks.h"
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

void VectorStarts::start(PeId pe, Core& core, Cycle now) {
  std::optional<Complaint> complaint;
  Plan* own = nullptr;
  const Plan* const plan =
      peers_.plans.plan(*core.program, core.state.pc, core.state.d, core.fifos(), own, complaint);
  if (!complaint) complaint = check_all(core, *plan, now);
  if (complaint) return peers_.traps.halt(pe, core, std::move(*complaint), now);
  begin(pe, core, *plan, own, now);
}

void VectorStarts::begin(PeId pe, Core& core, const Plan& plan, Plan* own, Cycle now) {
  const isa::Instruction& instruction = core.instruction();
  // Before the instruction itself is in flight: whether it is the only one that moves.
  const Cycle earliest = first_issue(pe, core, plan, now);
  const bool timer = peers_.timers.is_timer(core, plan, earliest);
  InFlight& starting = core.in_flight.add(plan);
  starting.own_plan = own;
  starting.length = plan.length();
  starting.completes = completes(core.state, instruction);
  read_values(starting, core.state, isa::semantics::scalar_operand(core.state, instruction));
  parts_.count(pe, {.instructions = 1});
  if (plan.thread == kMainThread) {
    const Cycle noops = noops_of(pe, plan, now);
    parts_.note(pe, LineNote::vector(core.state.pc, now, earliest, noops, 0));
  }
  core.state.pc += isa::info(instruction.op).words();
  core.main = plan.thread == kMainThread ? Core::Main::Vector : Core::Main::Ready;
  if (own != nullptr || plan.length() == 0) parts_.tape.spoil();
  launch(pe, core, starting, timer, now, earliest);
}

// Whatever happens until then: nothing can be wrong with it, and it reads what is there now.
bool VectorStarts::start_ahead(PeId pe, Core& core, Cycle begin) {
  const isa::Instruction& i = core.instruction();
  if (!isa::info(i.op).is_vector() || i.asynchronous != 0 || parts_.ledger.tracer.is_open())
    return false;
  const Plan* const plan = peers_.plans.known(*core.program, core.state.pc, core.state.d);
  if (plan == nullptr || plan->length() == 0 || plan->has_fifos) return false;
  const bool others_write_registers = std::ranges::any_of(core.in_flight, [](const InFlight& f) {
    return f.plan->saved != 0 || f.operands().destination.kind == Operand::Kind::Register;
  });
  if (others_write_registers || !is_alone(core, *plan)) return false;
  if ((plan->receives & core.tasks->data()) != 0 || check_its_queues(core, *plan)) return false;
  this->begin(pe, core, *plan, nullptr, begin);
  return true;
}

bool VectorStarts::take_back(PeId pe, Core& core) {
  const InFlight& f = *core.in_flight.find(kMainThread);
  const std::uint64_t stalls = f.stalls_ahead ? peers_.successions.own_stalls(core, f) : 0;
  const bool is_stepped = !f.is_timer;
  parts_.ledger.take_back(pe, {.instructions = 1, .stalls = stalls});
  if (stalls > 0) parts_.ledger.forget_stalls(pe, core.resume);
  if (is_stepped) parts_.transport.cancel({pe, kMainThread});
  core.state.pc = f.pc();
  core.main = Core::Main::Computing;
  core.in_flight.remove_if([&f](const InFlight& other) { return &other == &f; }, [](InFlight&) {});
  return is_stepped;
}

std::optional<Complaint> VectorStarts::check_its_queues(const Core& core, const Plan& plan) const {
  if (!core.program->queues) return std::nullopt;
  return check_queues(plan.operands, *core.program->queues, core.state.view->slots, parts_.image);
}

std::optional<Complaint> VectorStarts::check_all(const Core& core, const Plan& plan,
                                                 Cycle now) const {
  if (auto complaint = check_its_queues(core, plan)) return complaint;
  // A data task may be the consumer.
  const bool alone = (plan.receives & core.tasks->data() & ~core.ids.blocked_at_last()) == 0 &&
                     is_alone(core, plan);
  return alone ? std::nullopt : check_start(plan, surroundings_of(core, parts_.image), now);
}

Cycle VectorStarts::first_issue(PeId pe, const Core& core, const Plan& plan, Cycle now) const {
  Cycle cool =
      first_after(peers_.successions.after(core), plan, now + start_cycles(parts_.profile));
  const bool is_late = plan.thread != kMainThread && !isa::mutant(isa::Mutant::JitterPunctual);
  if (is_late) cool += lateness({pe, plan.thread}, now);
  return cool + noops_of(pe, plan, now);
}

Cycle VectorStarts::noops_of(PeId pe, const Plan& plan, Cycle now) const {
  return plan.may_have_noops() ? noops(parts_.profile, pe, now, plan.issues) : 0;
}

void VectorStarts::launch(PeId pe, Core& core, InFlight& starting, bool timer, Cycle now,
                          Cycle earliest) {
  const Plan& plan = *starting.plan;
  const ThreadId thread{pe, plan.thread};
  if (parts_.ledger.tracer.is_open()) {
    parts_.ledger.tracer.tell({.kind = TraceEvent::Kind::Start,
                               .cycle = now,
                               .pe = pe,
                               .thread = plan.thread,
                               .until = earliest,
                               .count = plan.length(),
                               .in = std::to_array(plan.flow.in),
                               .out = plan.flow.out,
                               .where = core.program->program->line_of(plan.pc)});
  }
  if (parts_.ledger.causes != nullptr) {
    const isa::Succession& after = peers_.successions.after(core);
    const Cycle set_up = std::max<Cycle>(now + start_cycles(parts_.profile), after.settled);
    const Cycle late = first_after(after, plan, set_up) - set_up;
    parts_.ledger.causes->threads.begins(thread, plan.pc, earliest - late, earliest);
  }
  parts_.busy_until(pe, earliest);
  if (earliest > now)
    parts_.ledger.counters.finished(earliest);  // the set-up, even if nothing issues
  if (timer) return peers_.timers.start(pe, core, starting, earliest, core.in_flight.has_one());
  if (plan.length() > 0) {
    if (parts_.tape.is_open()) parts_.tape.begins({plan.thread, &plan.flow, earliest});
    return parts_.transport.begin(thread, plan.flow, earliest);
  }
  if (plan.flow.advance) {
    parts_.transport.write({.kind = ConfigurationWrite::Kind::Advance,
                            .channel = parts_.channels.find(pe, plan.flow.out)});
  }
  peers_.ends.end(thread, 0, earliest);
  if (starting.finish == now) peers_.ends.retire(pe, core, now);
}

}  // namespace wse::vm
