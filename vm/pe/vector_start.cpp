// Vector instructions of a core: start, the ranges that the engine reports, finish.
#include "vm/pe/checks.h"
#include "vm/pe/cores.h"
#include "vm/pe/rates.h"

namespace wse::vm {
namespace {

Flow flow_of(const InFlight& f, const Rate& rate, Cycle earliest) {
  Flow flow{.length = f.length,
            .elements_per_issue = rate.elements_per_issue,
            .cycles_per_issue = rate.cycles_per_issue,
            .earliest = earliest,
            .flops = isa::info(f.op).flops};
  for (std::size_t k = 0; k < 2; ++k) {
    const Operand& source = f.operands.source[k];
    if (source.kind != Operand::Kind::FabricIn) continue;
    flow.in[k] = source.descriptor.colour;
    flow.packed_in[k] = source.descriptor.options.packed;
  }
  const Operand& to = f.operands.destination;
  if (to.kind == Operand::Kind::FabricOut) {
    flow.out = to.descriptor.colour;
    flow.packed_out = to.descriptor.options.packed;
    flow.control = to.descriptor.options.control;
    flow.advance = to.descriptor.options.advance;
  }
  return flow;
}

Completed completed_by(const isa::ScalarState& state, const isa::Instruction& i) {
  const std::uint32_t id = i.completes_slot != 0 ? state.slots[i.completes] : i.completes;
  return {i.completion_action(), id, state.pc};
}

}  // namespace

void Cores::start_vector(PeId pe, Core& core, Cycle now) {
  const isa::Instruction& instruction = core.instruction();
  InFlight starting;
  starting.thread = instruction.asynchronous != 0 ? 1 + instruction.microthread : kMainThread;
  starting.pc = core.state.pc;
  starting.op = instruction.op;
  starting.operands = operands_of(core.state, instruction);
  starting.saved = starting.operands.saved_registers();
  starting.function = isa::range_function(instruction.op);
  starting.completed = completed_by(core.state, instruction);
  starting.accumulator = starting.operands.destination.word;
  std::optional<Complaint> complaint = check_operands(starting, core.state.memory_bytes);
  if (!complaint) {
    complaint = check_start(starting, surroundings(core), now);
  }
  if (complaint) {
    raise(pe, core, complaint->trap, std::move(complaint->detail), now);
    core.main = Core::Main::Halted;
    return;
  }
  ++core.state.instructions;
  core.state.pc += isa::info(instruction.op).words();
  core.main = starting.thread == kMainThread ? Core::Main::Vector : Core::Main::Ready;
  launch(pe, core, std::move(starting), now);
}

void Cores::launch(PeId pe, Core& core, InFlight&& starting, Cycle now) {
  const isa::Profile& profile = parts_.profile;
  const Cycle earliest = now + profile.vector_start_cycles;
  const ThreadId thread{pe, starting.thread};
  parts_.tracer.instruction(now, thread, "start", *core.program->program, starting.pc);
  parts_.activity.busy_until(pe, earliest);
  if (earliest > now) parts_.counters.finished(earliest);  // the set-up, even if nothing issues
  const isa::InstructionInfo& row = isa::info(starting.op);
  Rate rate;
  if (starting.length > 0) {
    rate = rate_of(profile, costs_.of(row.cost).simd, row, starting.operands);
  }
  const Flow flow = flow_of(starting, rate, earliest);
  starting.conflicts = rate.cycles_per_issue > 1;
  core.in_flight.push_back(std::move(starting));
  if (flow.length == 0) {
    if (flow.advance) {
      parts_.fabric.write({.kind = ConfigurationWrite::Kind::Advance,
                           .channel = parts_.fabric.channel(pe, flow.out)});
    }
    end(thread, earliest);
    if (core.in_flight.back().finish == now) retire(pe, core, now);
    return;
  }
  parts_.issuer.begin(thread, flow);
  parts_.agendas.issue.add(pe, earliest);
}

void Cores::moved(ThreadId thread, std::uint32_t first, std::uint32_t count,
                  const FabricWords& words) {
  Core& core = core_of(thread.pe);
  InFlight& f = *core.find(thread.thread);
  apply(f, core.state.memory, first, count, words);
}

void Cores::end(ThreadId thread, Cycle cycle) {
  InFlight& f = *core_of(thread.pe).find(thread.thread);
  f.drains_from = cycle;
  f.finish = cycle + parts_.profile.vector_drain_cycles;
  const bool sends = f.operands.destination.kind == Operand::Kind::FabricOut;
  f.claims_until = sends ? cycle : f.finish;
  if (f.length > 0 || f.finish > cycle) parts_.counters.finished(f.finish);
  parts_.agendas.cores.add(thread.pe, f.finish);
  if (f.conflicts) {  // the rest of the last issue is a stall; the drain comes after it
    parts_.agendas.cores.add(thread.pe, cycle);
  } else {
    parts_.activity.busy_until(thread.pe, f.finish);
  }
}

}  // namespace wse::vm
