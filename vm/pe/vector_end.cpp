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

// Whether its elements leave the instruction in flight as it was.
bool changes_memory_alone(const Plan& plan) {
  return plan.operands.destination.kind != Operand::Kind::Register && !plan.has_indices &&
         !plan.is_mapped();
}

}  // namespace

void VectorEnds::moved(ThreadId thread, std::uint64_t first, std::uint32_t count,
                       const FabricWords& words, Cycle cycle) {
  if (AlikeCore* const state = peers_.cores.lane(thread.pe)) {
    InFlight& alike = *state->core().in_flight.find(thread.thread);
    if (changes_memory_alone(*alike.plan)) {
      return apply(alike, parts_.loaded.data(thread.pe), first, count, words);
    }
  }
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
  if (AlikeCore* const state = peers_.cores.lane(thread.pe)) {
    if (const AlikeCore::Ended* const ended = after(*state, {thread.thread, elements, cycle})) {
      tell(thread.pe, ended->ending, cycle);
      return peers_.cores.join(thread.pe, *ended->then.at);
    }
  }
  Core& core = peers_.cores[thread.pe];
  InFlight& f = *core.in_flight.find(thread.thread);
  set_end(f, elements, cycle);
  if (parts_.ledger.causes != nullptr) parts_.ledger.causes->threads.ends(thread, cycle, f.finish);
  tell(thread.pe, ending(core, f, cycle), cycle);
}

const AlikeCore::Ended* VectorEnds::after(AlikeCore& state, const AlikeCore::End& end) {
  if (const AlikeCore::Ended* const known = state.after(end)) return known;
  if (state.lanes == 1) return nullptr;  // nobody else will need it
  AlikeCore* const then = peers_.cores.copy_of(state);
  if (then == nullptr) return nullptr;
  InFlight& f = *then->core().in_flight.find(end.thread);
  set_end(f, end.elements, end.cycle);
  return &state.note({end, then->id(), ending(then->core(), f, end.cycle)});
}

void VectorEnds::set_end(InFlight& f, std::uint64_t elements, Cycle cycle) {
  f.length = elements;
  f.drain = f.plan->drain & InFlight::kMostDrain;
  f.finish = cycle + f.drain;
}

// An instruction that ends quietly stays in the list until the PE is looked at for another reason.
// Where the main thread must act, or a trace is written, the PE is looked at when it finishes.
VectorEnding VectorEnds::ending(const Core& core, const InFlight& f, Cycle cycle) {
  const Plan& plan = *f.plan;
  const bool complete = f.length == plan.length();
  if (complete && (f.length > 0 || f.finish > cycle)) parts_.ledger.counters.finished(f.finish);
  VectorEnding ending;
  ending.finish = f.finish;
  const bool awaited = core.main == Core::Main::Waiting && core.awaited == f.thread();
  ending.wakes_at_finish = !plan.ends_quietly || awaited || parts_.ledger.tracer.is_open();
  if (!ending.wakes_at_finish) quiet_until_ = std::max(quiet_until_, f.finish);
  ending.is_busy = complete && !plan.conflicts();  // else the drain begins there, not now
  ending.looks_at_once = !ending.is_busy || plan.controls != 0;  // the picker has these now
  for (std::uint32_t rest = plan.word_operands; rest != 0; rest &= rest - 1) {
    const Operand& operand = *plan.operands.all()[static_cast<std::size_t>(std::countr_zero(rest))];
    const bool receives = operand.receives();
    ending.words[ending.colours++] = {
        static_cast<std::uint8_t>(operand.descriptor.colour), receives,
        receives ? operand.wavelets_of(f.length) : plan.flow.words_out(f.length)};
  }
  return ending;
}

void VectorEnds::tell(PeId pe, const VectorEnding& ending, Cycle cycle) {
  for (std::size_t k = 0; k < ending.colours; ++k) {
    const auto [colour, are_taken, count] = ending.words[k];
    const ChannelId channel = parts_.channels.find(pe, colour);
    are_taken ? parts_.ledger.history.took(channel, count)
              : parts_.ledger.history.sent(channel, count);
  }
  if (ending.wakes_at_finish) parts_.agenda.add(pe, ending.finish);
  if (ending.looks_at_once) parts_.agenda.add(pe, cycle);
  if (ending.is_busy) parts_.ledger.activity.busy_until(pe, ending.finish);
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
      peers_.timers.note_drain(pe, f, now);
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
