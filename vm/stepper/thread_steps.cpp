// Steps of threads that may use more than one ramp or FIFO, or take control wavelets.
#include "vm/stepper/thread_steps.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {

bool ThreadSteps::step_any(PeId pe, MovingThread& thread, SlotsInCycle& slots, Cycle now) {
  if (thread.flow->controllable && take_controls(pe, thread, now)) return true;
  bool input = inputs_ready(pe, thread, now);
  bool output = output_ready(thread, slots, now);
  if (thread.flow->has_fifo()) {
    const bool filled = fifos_filled(pe, thread, now);
    const bool room = fifo_has_room(pe, thread, now);
    if (thread.flow->may_end_early && !(filled && room)) {
      if (!room) refuse_rest(pe, thread);
      end_early(pe, thread, now + 1);
    }
    input &= filled;
    output &= room;
    slots.wants_fifo |= !filled || !room;
  }
  if (!input || !output) {
    slots.wants_input |= !input;
    slots.wants_output |= input;
    return false;
  }
  slots.up_ramp |= thread.sends_wavelet(thread.end());
  words_.issue(pe, thread, now);
  return true;
}

bool ThreadSteps::take_controls(PeId pe, MovingThread& thread, Cycle now) {
  bool taken = false;
  const std::uint64_t element = thread.issued;
  const FabricOperands& fabric = threads_.operands(thread);
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = thread.flow->on_control[k];
    if (action == isa::OnControl::Leave || !thread.flow->takes_wavelet(k, element)) continue;
    if (ramps_.head_of(fabric.in[k], now) != PeRamps::Head::Control) continue;
    ramps_.tell_take(pe, thread.flow->in[k], now);
    if (ledger_.causes != nullptr) {
      const causes::Head head = ramps_.head_cause(fabric.in[k]);
      ledger_.causes->threads.issues({pe, thread.number}, now,
                                     {.words = {{&head, 1}, {}}, .held = now + 1, .next = now + 1});
    }
    ramps_.take(pe, fabric.in[k], now);
    taken = true;
    if (isa::mutant(isa::Mutant::OnControlLost)) continue;
    if (action == isa::OnControl::Terminate) {
      end_early(pe, thread, now + 1);
    } else {
      client_.controlled({pe, thread.number}, k, now);
    }
  }
  if (taken) thread.next = now + 1;
  return taken;
}

void ThreadSteps::refuse_rest(PeId pe, const MovingThread& thread) {
  if (thread.length == kNoBound) return;
  threads_.fifos(pe).refuse(thread.flow->fifo_out, thread.length - thread.issued);
}

void ThreadSteps::end_early(PeId pe, MovingThread& thread, Cycle next) {
  thread.length = thread.issued;
  thread.next = next;
  agenda_.add(pe, next);
}

bool ThreadSteps::fifos_filled(PeId pe, const MovingThread& thread, Cycle now) const {
  return std::ranges::none_of(thread.flow->fifo_in, [&](std::uint32_t fifo) {
    return fifo != kNoFifo && threads_.fifos(pe).is_empty(fifo, now);
  });
}

bool ThreadSteps::fifo_has_room(PeId pe, const MovingThread& thread, Cycle now) const {
  const std::uint32_t fifo = thread.flow->fifo_out;
  return fifo == kNoFifo || !threads_.fifos(pe).is_full(fifo, now);
}

bool ThreadSteps::inputs_ready(PeId pe, const MovingThread& thread, Cycle now) const {
  const FabricOperands& fabric = threads_.operands(thread);
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!thread.flow->takes_wavelet(k, thread.issued)) continue;
    if (ramps_.head_of(fabric.in[k], now) == PeRamps::Head::Data) continue;
    ramps_.await(pe, fabric.in[k], now);
    return false;
  }
  return true;
}

bool ThreadSteps::output_ready(const MovingThread& thread, const SlotsInCycle& slots,
                               Cycle now) const {
  if (!thread.sends_wavelet(thread.end())) return true;
  return !slots.up_ramp && ramps_.has_room(threads_.operands(thread).out, now);
}

}  // namespace wse::vm
