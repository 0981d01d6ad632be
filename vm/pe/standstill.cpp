// Says what may stay when nothing moves any more.
#include "vm/pe/standstill.h"

#include <algorithm>
#include <bit>

#include "isa/support/mutant.h"
#include "vm/pe/scalar_step.h"

namespace wse::vm {

// Says yes to an instruction that has finished, to one without a bound, which has no end to come
// to, and at a PE that only serves to one that waits for its first wavelet or element of a FIFO: a
// request may never come. An instruction without input, or in the middle, waits for others to do
// their part.
bool Standstill::may_stay(PeId pe, const Core& core, const InFlight& f, Cycle now) const {
  if (!f.is_moving()) return f.finish <= now;
  if (f.is_unbounded() || waits_for_stream(f)) return true;
  if (!core.program->program->passive) return false;
  const Flow& flow = f.plan->flow;
  const bool has_input =
      flow.has_input() || flow.fifo_in[0] != kNoFifo || flow.fifo_in[1] != kNoFifo;
  if (!has_input) return isa::mutant(isa::Mutant::SendsMayStay);
  if (isa::mutant(isa::Mutant::MiddleMayStay)) return true;
  const std::vector<WaitingThread> waiting = transport_.inspector().waiting(pe, now);
  return std::ranges::any_of(waiting, [&f](const WaitingThread& thread) {
    return thread.thread.thread == f.thread() && thread.issued == 0;
  });
}

bool Standstill::waits_for_stream(const InFlight& f) const {
  if (open_colours_ == 0 || !f.is_moving()) return false;
  return std::ranges::any_of(f.plan->flow.in, [this](std::uint32_t colour) {
    return colour != kNoColour && (open_colours_ >> colour & 1) != 0;
  });
}

bool Standstill::is_done(PeId pe, Cycle now) const {
  const Core& of = cores_[pe];
  const bool serves =
      of.program->program->passive || of.program->waits_for_launches ||
      std::ranges::any_of(of.in_flight, [this](const InFlight& f) { return waits_for_stream(f); });
  if (!serves && of.main != Core::Main::Halted) return false;
  return std::ranges::all_of(of.in_flight,
                             [&](const InFlight& f) { return may_stay(pe, of, f, now); });
}

bool Standstill::all_done(Cycle now) const {
  return std::ranges::all_of(cores_.placed(), [&](PeId pe) { return is_done(pe, now); });
}

std::uint32_t Standstill::ready_task(PeId pe) const {
  const Core& of = cores_[pe];
  if (of.main == Core::Main::Halted) return kNoTask;
  const IdMask ready = of.ids.activated_at_last() & ~of.ids.blocked_at_last() & of.tasks->local();
  return ready == 0 ? kNoTask : of.tasks->at(static_cast<std::uint32_t>(std::countr_zero(ready)));
}

bool Standstill::serves(ThreadId thread, Cycle now) const {
  if (is_done(thread.pe, now)) return true;
  const Core& of = cores_[thread.pe];
  if (!of.program->program->passive) return false;
  // The instructions without whose end the thread does not go on.
  const bool is_main = thread.thread == kMainThread;
  const bool saves = is_main && of.main == Core::Main::Saving;
  const bool awaits = is_main && of.main == Core::Main::Waiting;
  const std::uint32_t needed = awaits ? of.awaited : thread.thread;
  const std::uint32_t used = saves ? descriptor_registers(of.instruction()) : 0;
  return std::ranges::all_of(of.in_flight, [&](const InFlight& f) {
    const bool counts = saves ? (f.plan->saved & used) != 0 : f.thread() == needed;
    return !counts || may_stay(thread.pe, of, f, now);
  });
}

}  // namespace wse::vm
