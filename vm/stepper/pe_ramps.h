// The ramps between PEs and routers, as the PE's side sees them: what it can take, and where it
// puts what it sends.
#pragma once

#include "isa/machine/control_word.h"
#include "vm/contract/router_rules.h"
#include "vm/stepper/router_state.h"

namespace wse::vm {

class PeRamps {
 public:
  using Head = Transport::Head;

  // `state` must live longer too.
  PeRamps(const FabricParts& parts, RouterState& state);

  // kNoQueue if the colour has none at the PE.
  QueueId up_ramp(PeId pe, std::uint32_t colour) const { return ramps(pe, colour).up; }
  QueueId down_ramp(PeId pe, std::uint32_t colour) const { return ramps(pe, colour).down; }
  Head head(ChannelId channel, Cycle now) const {
    return head_of(state_.channels().ramps(channel).down, now);
  }
  std::uint32_t head_data(ChannelId channel) const {
    return state_.queues()[state_.channels().ramps(channel).down].head().data();
  }
  // The same of a down-ramp.
  Head head_of(QueueId down, Cycle now) const {
    if (down == kNoQueue || !state_.queues()[down].can_take(now)) return Head::None;
    const Wavelet head = state_.queues()[down].head();
    if (!head.control()) return Head::Data;
    // The router drops what nobody wants.
    return is_unwanted(head.data()) ? Head::None : Head::Control;
  }
  // A thread of the PE waits for the head of a down-ramp: it looks again when one that is on its
  // way has come. Later ones wake it.
  void await(PeId pe, QueueId down, Cycle now) {
    const Queue& queue = state_.queues()[down];
    if (!queue.empty() && !queue.visible(now)) agenda_.add(pe, queue.visible_from(0));
  }
  // Takes the head of a down-ramp of the PE, which must be on the agenda of the next cycle: its
  // router may wait for room.
  std::uint32_t take(PeId pe, QueueId down, Cycle now) {
    std::uint32_t& controls = state_.controls(pe);
    if (controls > 0) client_.look_at(pe, now + 1);  // one may be head now
    const Wavelet wavelet = state_.queues()[down].pop(now);
    if (wavelet.control()) --controls;
    return wavelet.data();
  }
  // The same for the picker, which looks at what was after it in the next cycle.
  std::uint32_t pick(ChannelId channel, Cycle now);
  // Whether control wavelets that ask for a task are in the down-ramps of the PE.
  bool has_controls(PeId pe) const { return state_.controls(pe) > 0; }
  bool has_room(QueueId up, Cycle now) const { return state_.queues()[up].has_room(now); }
  // For who tells what an event waited for: the head of a down-ramp, a place of an up-ramp.
  // To the trace: nothing that issues takes the first wavelet of the down-ramp.
  void tell_take(PeId pe, std::uint32_t colour, Cycle now) const {
    if (!ledger_.tracer.is_open()) return;
    ledger_.tracer.tell({.kind = TraceEvent::Kind::Take, .cycle = now, .pe = pe, .colour = colour});
  }
  causes::Head head_cause(QueueId down) const {
    return {number_of(down), state_.queues()[down].visible_from(0)};
  }
  causes::Place place_cause(QueueId up, Cycle now) const {
    return {number_of(up), state_.queues()[up].has_last_place(now)};
  }
  // Into an up-ramp. The wavelet has made no hop.
  void inject(QueueId up, Wavelet wavelet, Cycle now) {
    state_.put(up, wavelet, agenda_.due(now + 1 + up_ramp_cycles_));
    ++ledger_.counters.wavelets;
  }

  // ---- by the router
  // A wavelet came into a down-ramp: wakes who looks at it beside the issue slots.
  void arrive(Channel& channel, Wavelet wavelet, Cycle visible);
  // Takes a control wavelet that names no task off the down-ramp, in the cycle in which it is
  // first. True if it did.
  bool drop_unwanted(Channel& channel, Cycle now);

  const Queues& queues() const { return state_.queues(); }

 private:
  const Ramps& ramps(PeId pe, std::uint32_t colour) const {
    return state_.channels().ramps(state_.channels().find(pe, colour));
  }

  RouterState& state_;
  Agenda& agenda_;
  Ledger& ledger_;
  TransportClient& client_;
  Cycle up_ramp_cycles_;
};

}  // namespace wse::vm
