// Vector instructions of a core: start, the ranges that the transport reports, finish.
#include <fmt/format.h>

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/checks.h"
#include "vm/pe/cores.h"
#include "vm/pe/rates.h"

namespace wse::vm {
namespace {

// What is taken from operand k, in the order of the inputs.
void add_input(Flow& flow, std::size_t k, const Operand& operand) {
  const isa::Descriptor& d = operand.descriptor;
  if (operand.is_fifo() && k != kDestinationIndex) flow.fifo_in[k] = d.fifo;
  if (!operand.receives()) return;
  flow.in[k] = d.colour;
  flow.on_control[k] = d.options.on_control;
  flow.controllable |= d.options.on_control != isa::OnControl::Leave;
  flow.at_once |= operand.is_indexed();
  if (k != kDestinationIndex) flow.packed_in[k] = d.options.packed;
}

Flow flow_of(const InFlight& f, const Rate& rate) {
  Flow flow{.length = f.length,
            .elements_per_issue = rate.elements_per_issue,
            .cycles_per_issue = rate.cycles_per_issue,
            .flops = isa::info(f.op).flops};
  for (std::size_t k = 0; k < kInputs; ++k) add_input(flow, k, *f.operands.in_order()[k]);
  const Operand& to = f.operands.destination;
  if (to.is_fifo()) flow.fifo_out = to.descriptor.fifo;
  flow.may_end_early = flow.has_fifo() && f.thread == kMainThread;
  flow.at_once |= flow.has_fifo();
  if (to.kind == Operand::Kind::FabricOut) {
    flow.out = to.descriptor.colour;
    flow.packed_out = to.descriptor.options.packed;
    flow.control = to.descriptor.options.control;
    flow.advance = to.descriptor.options.advance;
  }
  return flow;
}

std::uint32_t controls_of(const Operands& operands) {
  std::uint32_t set = 0;
  for (const Operand* operand : operands.all()) {
    if (operand->on_control() != isa::OnControl::Leave) set |= 1u << operand->descriptor.colour;
  }
  return set;
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
  starting.function = parts_.executor.range(instruction.op);
  starting.completed = completed_by(core.state, instruction);
  starting.accumulator = starting.operands.destination.word;
  starting.controls = controls_of(starting.operands);
  const auto operands = starting.operands.all();
  starting.has_fifos = std::ranges::any_of(operands, &Operand::is_fifo);
  starting.has_indices = std::ranges::any_of(operands, &Operand::is_indexed);
  std::optional<Complaint> complaint = check_all(core, starting, now);
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

std::optional<Complaint> Cores::check_all(const Core& core, InFlight& starting, Cycle now) const {
  const isa::InstructionInfo& row = isa::info(starting.op);
  auto failed = place_fifos(starting.operands, row, *core.program->program, core.fifos);
  if (failed) return Complaint{isa::Trap::BadDescriptor, std::move(*failed)};
  if (auto complaint = check_operands(starting, core.state.memory_bytes)) return complaint;
  if (auto complaint = check_inputs(starting.operands, parts_.profile)) return complaint;
  if (core.program->queues) {
    auto complaint =
        check_queues(starting.operands, *core.program->queues, core.state.slots, parts_.image);
    if (complaint) return complaint;
  }
  return check_start(starting, surroundings(core), now);
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
  const Flow flow = flow_of(starting, rate);
  starting.conflicts = rate.cycles_per_issue > 1;
  core.in_flight.push_back(std::move(starting));
  if (flow.length == 0) {
    if (flow.advance) {
      parts_.transport.write({.kind = ConfigurationWrite::Kind::Advance,
                              .channel = parts_.channels.find(pe, flow.out)});
    }
    end(thread, 0, earliest);
    if (core.in_flight.back().finish == now) retire(pe, core, now);
    return;
  }
  parts_.transport.begin(thread, flow, earliest);
}

void Cores::moved(ThreadId thread, std::uint64_t first, std::uint32_t count,
                  const FabricWords& words, Cycle cycle) {
  Core& core = core_of(thread.pe);
  InFlight& f = *core.find(thread.thread);
  if (const auto wrong = f.has_indices ? wrong_index(f, words) : std::nullopt) {
    return raise_at(
        thread.pe, f.pc, isa::Trap::OutsideMemory,
        fmt::format("a wavelet names element {} of an array of {}", wrong->index, wrong->elements),
        cycle);
  }
  apply(f, core.state.memory, first, count, words);
}

void Cores::end(ThreadId thread, std::uint64_t elements, Cycle cycle) {
  Core& core = core_of(thread.pe);
  InFlight& f = *core.find(thread.thread);
  const bool complete = elements == f.length;
  f.length = elements;
  remember_words(thread.pe, f);
  f.drains_from = cycle;
  f.finish = cycle;
  if (!isa::mutant(isa::Mutant::DrainMissing)) f.finish += parts_.profile.vector_drain_cycles;
  const bool sends = f.operands.destination.kind == Operand::Kind::FabricOut;
  f.claims_until = sends ? cycle : f.finish;
  if (complete && (f.length > 0 || f.finish > cycle)) parts_.counters.finished(f.finish);
  parts_.agenda.add(thread.pe, f.finish);
  if (f.controls != 0) parts_.agenda.add(thread.pe, cycle);  // the picker has them now
  if (f.conflicts || !complete) {
    parts_.agenda.add(thread.pe, cycle);  // the drain begins there, not now
  } else {
    parts_.activity.busy_until(thread.pe, f.finish);
  }
}

// Control wavelets are no words.
void Cores::remember_words(PeId pe, const InFlight& ended) {
  for (const Operand* operand : ended.operands.all()) {
    if (!operand->is_fabric() || operand->descriptor.options.control) continue;
    const ChannelId channel = parts_.channels.find(pe, operand->descriptor.colour);
    const std::uint64_t words = operand->wavelets_of(ended.length);
    if (operand->receives()) {
      parts_.history.took(channel, words);
    } else {
      parts_.history.sent(channel, words);
    }
  }
}

void Cores::controlled(ThreadId thread, std::size_t k, Cycle cycle) {
  Core& core = core_of(thread.pe);
  const InFlight& f = *core.find(thread.thread);
  const isa::Descriptor& input = f.operands.in_order()[k]->descriptor;
  const bool activates = input.options.on_control == isa::OnControl::Activate;
  tell(thread.pe, core, activates ? isa::Op::Activate : isa::Op::Unblock, input.task, f.pc, cycle);
}

void Cores::left(PeId pe, std::uint32_t number, Level level, Cycle cycle) {
  Core& core = core_of(pe);
  const isa::Fifo& fifo = core.program->program->fifos[number];
  const auto& task = level == Level::Full ? fifo.on_leaving_full : fifo.on_leaving_empty;
  if (task) tell(pe, core, isa::Op::Activate, *task, kNoPc, cycle);
}

}  // namespace wse::vm
