// Applies the elements that have moved, and retires the instructions that have finished.
#include "vm/pe/vector_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

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

}  // namespace

void VectorEnds::moved(ThreadId thread, std::uint64_t first, std::uint32_t count,
                       const FabricWords& words, Cycle cycle) {
  Core& core = peers_.cores[thread.pe];
  InFlight& f = *core.in_flight.find(thread.thread);
  if (const auto wrong = f.plan->has_indices ? wrong_index(f, words) : std::nullopt) {
    // Its wavelet is shown, and has zeros for an element that is not there.
    const bool is_second = f.plan->flow.packed_out && first % 2 != 0;
    if (words.out != nullptr) *words.out &= is_second ? 0xffff : 0;
    std::string detail =
        fmt::format("a wavelet names element {} of an array of {}", wrong->index, wrong->elements);
    return peers_.traps.raise(thread.pe, f.pc(), {isa::Trap::OutsideMemory, std::move(detail)},
                              cycle);
  }
  apply(f, core.state.memory, first, count, words);
}

void VectorEnds::end(ThreadId thread, std::uint64_t elements, Cycle cycle) {
  Core& core = peers_.cores[thread.pe];
  InFlight& f = *core.in_flight.find(thread.thread);
  const bool complete = elements == f.length;
  f.length = elements;
  remember_words(thread.pe, f);
  f.drain = f.plan->drain & InFlight::kMostDrain;
  f.finish = cycle + f.drain;
  if (parts_.ledger.causes != nullptr) parts_.ledger.causes->threads.ends(thread, cycle, f.finish);
  if (complete && (f.length > 0 || f.finish > cycle)) parts_.ledger.counters.finished(f.finish);
  wake_at_finish(thread.pe, core, f);
  if (f.plan->controls != 0) parts_.agenda.add(thread.pe, cycle);  // the picker has them now
  if (f.plan->conflicts() || !complete) {
    parts_.agenda.add(thread.pe, cycle);  // the drain begins there, not now
  } else {
    parts_.ledger.activity.busy_until(thread.pe, f.finish);
  }
}

// An instruction that ends quietly stays in the list until the PE is looked at for another reason.
// A trace shows its end.
void VectorEnds::wake_at_finish(PeId pe, const Core& core, const InFlight& f) {
  const bool awaited = core.main == Core::Main::Waiting && core.awaited == f.thread();
  if (f.plan->ends_quietly && !awaited && !parts_.ledger.tracer.is_open()) {
    quiet_until_ = std::max(quiet_until_, f.finish);
  } else {
    parts_.agenda.add(pe, f.finish);
  }
}

void VectorEnds::remember_words(PeId pe, const InFlight& ended) {
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

void VectorEnds::controlled(ThreadId thread, std::size_t k, Cycle cycle) {
  Core& core = peers_.cores[thread.pe];
  const InFlight& f = *core.in_flight.find(thread.thread);
  const isa::Descriptor& input = f.operands().in_order()[k]->descriptor;
  const bool activates = input.options.on_control == isa::OnControl::Activate;
  peers_.tasks.tell(thread.pe, core, activates ? isa::Op::Activate : isa::Op::Unblock, input.task,
                    f.pc(), cycle);
}

void VectorEnds::left(PeId pe, std::uint32_t number, TransportClient::Level level, Cycle cycle) {
  Core& core = peers_.cores[pe];
  const isa::Fifo& fifo = core.program->program->fifos[number];
  const auto& task =
      level == TransportClient::Level::Full ? fifo.on_leaving_full : fifo.on_leaving_empty;
  if (task) peers_.tasks.tell(pe, core, isa::Op::Activate, *task, kNoPc, cycle);
}

void VectorEnds::look_at(PeId pe, Core& core, Cycle now) {
  bool over = false;
  for (const InFlight& f : core.in_flight) {
    if (f.finish <= now) {
      over = true;
    } else {
      note_drain(parts_.ledger, pe, f, now);
    }
  }
  if (over) retire(pe, core, now);
}

void VectorEnds::retire(PeId pe, Core& core, Cycle now) {
  std::array<TaskSteps::Completed, 1 + isa::kMicrothreads> completed;
  std::size_t count = 0;
  const auto finish = [&](InFlight& f) {
    const Plan& plan = *f.plan;
    if (f.is_timer) peers_.timers.move(pe, core, f, now);
    peers_.successions.note_finish(pe, core, f, f.finish);
    const Operand& to = plan.operands.destination;
    if (to.kind == Operand::Kind::Register) core.state.r[to.register_number] = f.accumulator;
    if (plan.saved != 0) save_positions(core, f);
    if (plan.has_fifos) move_ends(core.rare->fifos, plan.operands, f.length);
    if (plan.thread == kMainThread) {
      core.state.left =
          f.is_unbounded() ? ~0u : static_cast<std::uint32_t>(plan.length() - f.length);
    }
    parts_.ledger.tracer.instruction(TraceEvent::Kind::End, now, {pe, plan.thread},
                                     *core.program->program, plan.pc);
    if (plan.completion != isa::Completion::None) {
      completed[count++] = {plan.completion, f.completes, plan.pc};
      if (parts_.ledger.causes != nullptr) {
        parts_.ledger.causes->cores.finish_tells(pe, plan.thread, f.completes, now);
      }
    }
    if (f.own_plan != nullptr) peers_.plans.give_back(f.own_plan);
  };
  core.in_flight.remove_if([now](const InFlight& f) { return f.finish <= now; }, finish);
  for (std::size_t k = 0; k < count; ++k) peers_.tasks.complete(pe, core, completed[k], now);
}

// An instruction that has finished and was not retired has finished quietly.
void VectorEnds::flush(Cycle end) {
  for (const PeId pe : peers_.cores.placed()) {
    Core& core = peers_.cores[pe];
    const auto is_over = [end](const InFlight& f) { return f.finish < end; };
    if (std::ranges::any_of(core.in_flight, is_over)) retire(pe, core, end - 1);
    for (InFlight& f : core.in_flight) {
      if (f.is_timer) peers_.timers.move(pe, core, f, end);
    }
  }
}

}  // namespace wse::vm
