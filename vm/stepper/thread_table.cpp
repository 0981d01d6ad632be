// Gives threads their places, ramps and words.
#include "vm/stepper/thread_table.h"

#include <new>

namespace wse::vm {

void ThreadTable::set_threads(PeId pe, std::uint32_t threads) {
  if (places_ + threads > kNothing) throw std::bad_alloc();
  at(pe).row = static_cast<std::uint32_t>(places_);
  places_ += threads;
}

void ThreadTable::set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities) {
  if (fifos_at_.empty()) fifos_at_.resize(pes().size(), kNothing);
  fifos_at_[pes().index(pe)] = static_cast<std::uint32_t>(fifos_.size());
  fifos_.emplace_back(capacities);
}

void ThreadTable::open_places() {
  threads_ = UntouchedTable<MovingThread>(places_, PageSize::Small);
}

void ThreadTable::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  IssuingPe& state = at(id.pe);
  MovingThread& thread = threads_[state.row + id.thread];
  thread.begin(static_cast<std::uint8_t>(id.thread), flow, earliest);
  open(id.pe, flow, thread);
  const bool sends = (all_slots_ & 1u << kSendSlot) != 0 && flow.is_send();
  state.moving |= 1u << (id.thread + (sends ? kSendSlot * turns::kSlots : 0));
  state.quiet_until = std::min(state.quiet_until, earliest);
}

void ThreadTable::open(PeId pe, const Flow& flow, MovingThread& thread) {
  switch (flow.course) {
    case Course::Memory: return;
    case Course::Any: return open_any(pe, thread);
    case Course::Receive: thread.ramp = ramps_.down_ramp(pe, flow.in[flow.input]); break;
    case Course::Send: thread.ramp = ramps_.up_ramp(pe, flow.out); break;
  }
  if (thread.length > kFew) thread.aside = blocks_.take();
}

void ThreadTable::open_any(PeId pe, MovingThread& thread) {
  const Flow& flow = *thread.flow;
  thread.aside = operands_.take();
  FabricOperands& own = operands_[thread.aside];
  own = {};
  if (flow.out != kNoColour) own.out = ramps_.up_ramp(pe, flow.out);
  if (thread.runs_ahead() && thread.length > kFew) own.block = blocks_.take();
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (flow.in[k] == kNoColour) continue;
    own.in[k] = ramps_.down_ramp(pe, flow.in[k]);
    if (k != kDestinationIndex && thread.keeps_words()) own.blocks_in[k] = blocks_.take();
  }
}

void ThreadTable::release(const MovingThread& thread) {
  if (thread.course != Course::Any) return blocks_.give_back(thread.aside);
  const FabricOperands& fabric = operands_[thread.aside];
  for (const std::uint32_t block : {fabric.block, fabric.blocks_in[0], fabric.blocks_in[1]}) {
    if (block != kNothing) blocks_.give_back(block);
  }
  operands_.give_back(thread.aside);
}

}  // namespace wse::vm
