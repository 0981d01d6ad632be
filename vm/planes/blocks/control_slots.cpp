// What issue slots do one by one: elements that wavelets name, and control wavelets that
// instructions take in the slot of an element.
#include "vm/planes/blocks/slots.h"

namespace wse::vm::wafer {

void Slots::start_at_once(const Alike& alike, ThreadPlanes& planes) {
  const Flow& flow = *alike.flow;
  if (flow.has_fifo()) use_fifos(alike, planes);
  planes.has_named |= flow.named;
  planes.named.put(alike.lanes, flow.named);
  if (flow.in[kDestinationIndex] == kNoColour) return;
  RampUse& use = ramp_use(planes.inputs, alike, flow.in[kDestinationIndex]);
  use.lanes |= alike.lanes;
  use.halved.remove(alike.lanes);
  use.controls.put(alike.lanes, flow.on_control[kDestinationIndex] != isa::OnControl::Leave);
}

void Slots::apply_named(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_named = false;
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    const ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->has_named) continue;
    for_each_lane(thread->issued & thread->named, [&](std::uint32_t lane) {
      const std::uint32_t index = threads_.index({grid_.pe_of(block, lane), number});
      words_.apply_named(index, issue_.issued(threads_[index]), now);
    });
  }
}

void Slots::take_controls(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_controlled = false;
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->controlled.any()) continue;
    for_each_lane(thread->controlled, [&](std::uint32_t lane) {
      take_controls(threads_[ThreadId{grid_.pe_of(block, lane), number}], thread->cut, now);
    });
    thread->controlled = {};
    thread->has_ended |= thread->cut.any();
    planes.has_ended |= thread->has_ended;
  }
}

// Of several inputs all that have one are taken.
void Slots::take_controls(const Thread& thread, Lanes& cut, Cycle now) {
  const Flow& flow = *thread.flow;
  const std::uint64_t issued = issue_.issued(thread);
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = flow.on_control[k];
    if (action == isa::OnControl::Leave || !flow.takes_wavelet(k, issued)) continue;
    const ChannelId in = input(thread, k);
    if (down_ramps_.head(in) != Transport::Head::Control) continue;
    down_ramps_.take_control(in, now);
    if (action == isa::OnControl::Terminate) {
      cut.set(grid_.lane_of(thread.pe));
    } else {
      client_->controlled(thread.id(), k, now);
    }
  }
}

}  // namespace wse::vm::wafer
