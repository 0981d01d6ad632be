// Threads in the issue slots: their places, how they begin, and what is seen of them from outside.
#include <algorithm>
#include <new>

#include "isa/support/mutant.h"
#include "vm/stepper/issuer.h"

namespace wse::vm {

std::uint32_t Issuer::slots_of(const isa::Profile& profile) {
  const bool duplex = static_cast<isa::IssueMode>(profile.issue) == isa::IssueMode::Duplex;
  return duplex && !isa::mutant(isa::Mutant::DuplexOneSlot) ? kBothSlots : kOneSlot;
}

Issuer::Issuer(const PeRange& pes, const isa::Profile& profile, Fabric& fabric, Agenda& agenda,
               Ledger& ledger)
    : fabric_(fabric),
      agenda_(agenda),
      ledger_(ledger),
      all_slots_(slots_of(profile)),
      range_(pes),
      pes_(pes.size()) {}

void Issuer::set_threads(PeId pe, std::uint32_t threads) {
  if (places_ + threads > kNothing) throw std::bad_alloc();
  at(pe).row = static_cast<std::uint32_t>(places_);
  places_ += threads;
}

void Issuer::set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities) {
  if (fifos_at_.empty()) fifos_at_.resize(range_.size());
  fifos_at_[range_.index(pe)] = static_cast<std::uint32_t>(fifos_.size());
  fifos_.emplace_back(capacities);
}

void Issuer::connect(Relay& client) {
  client_ = &client;
  threads_ = std::make_unique_for_overwrite<MovingThread[]>(places_);
}

void Issuer::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  Pe& state = at(id.pe);
  MovingThread& thread = threads_[state.row + id.thread];
  thread.begin(static_cast<std::uint8_t>(id.thread), flow, earliest);
  open(id.pe, flow, thread);
  const bool sends = all_slots_ == kBothSlots && flow.is_send();
  state.moving |= 1u << (id.thread + (sends ? kSendSlot * kSlotTurns : 0));
  state.quiet_until = std::min(state.quiet_until, earliest);
  agenda_.add(id.pe, earliest);
}

void Issuer::cancel(ThreadId id) {
  Pe& state = at(id.pe);
  release(thread_of(state, id.thread));
  state.moving &= ~(1u << id.thread | 1u << (id.thread + kSlotTurns));
}

void Issuer::open(PeId pe, const Flow& flow, MovingThread& thread) {
  switch (flow.course) {
    case Course::Memory: return;
    case Course::Any: return open_any(pe, thread);
    case Course::Receive: thread.ramp = fabric_.down_ramp(pe, flow.in[flow.input]); break;
    case Course::Send: thread.ramp = fabric_.up_ramp(pe, flow.out); break;
  }
  if (thread.length > kFew) thread.aside = blocks_.take();
}

void Issuer::open_any(PeId pe, MovingThread& thread) {
  const Flow& flow = *thread.flow;
  thread.aside = operands_.take();
  FabricOperands& own = operands_[thread.aside];
  own = {};
  if (flow.out != kNoColour) own.out = fabric_.up_ramp(pe, flow.out);
  if (thread.runs_ahead() && thread.length > kFew) own.block = blocks_.take();
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (flow.in[k] == kNoColour) continue;
    own.in[k] = fabric_.down_ramp(pe, flow.in[k]);
    if (k != kDestinationIndex && thread.keeps_words()) own.blocks_in[k] = blocks_.take();
  }
}

void Issuer::release(const MovingThread& thread) {
  if (thread.aside == kNothing) return;
  if (thread.course != Course::Any) return blocks_.give_back(thread.aside);
  const FabricOperands& fabric = operands_[thread.aside];
  for (const std::uint32_t block : {fabric.block, fabric.blocks_in[0], fabric.blocks_in[1]}) {
    if (block != kNothing) blocks_.give_back(block);
  }
  operands_.give_back(thread.aside);
}

void Issuer::flush(Cycle end) {
  for (PeId pe = range_.first; pe < range_.end; ++pe) {
    const Pe& state = at(pe);
    if (is_unseen(state)) ledger_.counters.finished(catch_up(pe, state, end));
    for (std::uint32_t rest = numbers(state.moving); rest != 0; rest = without_first(rest)) {
      apply_rest(pe, thread_of(state, first_of(rest)));
    }
  }
}

std::vector<WaitingThread> Issuer::waiting(PeId pe, Cycle now) const {
  std::vector<WaitingThread> result;
  for (std::uint32_t rest = numbers(at(pe).moving); rest != 0; rest = without_first(rest)) {
    const MovingThread& thread = thread_of(at(pe), first_of(rest));
    const Flow& flow = *thread.flow;
    WaitingThread waiting{.thread = {pe, thread.number}, .issued = thread.issued};
    for (std::size_t k = 0; k < kInputs; ++k) {
      if (!flow.takes_wavelet(k, thread.issued)) continue;
      const bool there =
          fabric_.head_of(fabric_.down_ramp(pe, flow.in[k]), now) == Fabric::Head::Data;
      if (!there) waiting.inputs[k] = flow.in[k];
    }
    const bool sends = thread.sends_wavelet(thread.end());
    if (sends && !fabric_.has_room(fabric_.up_ramp(pe, flow.out), now)) waiting.output = flow.out;
    for (const std::uint32_t fifo : flow.fifo_in) {
      if (fifo != kNoFifo && fifos(pe).size(fifo) == 0) waiting.empty = fifo;
    }
    if (!fifo_has_room(pe, thread, now)) waiting.full = flow.fifo_out;
    result.push_back(waiting);
  }
  return result;
}

}  // namespace wse::vm
