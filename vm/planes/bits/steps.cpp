// The steps, and their levels.
#include "vm/planes/bits/steps.h"

#include "isa/semantics/ranges.h"
#include "isa/support/mutant.h"
#include "vm/contract/boundary.h"
#include "vm/planes/bits/deciding.h"

namespace wse::vm::wafer {
namespace {

// ---- issue

// Lanes that take a wavelet with the next issue.
[[gnu::always_inline]] inline Lanes taking(const ThreadPlanes& thread, const RampUse& use) {
  return thread.has_halved ? without(use.lanes, use.halved & thread.second) : use.lanes;
}

// Lanes that send none with it, though they send.
[[gnu::always_inline]] inline Lanes silent(const ThreadPlanes& thread) {
  if (!thread.has_halved) return {};
  return without(thread.sends_halved, thread.second | thread.left.at_last());
}

// Lanes whose inputs all have a data wavelet at the head.
[[gnu::always_inline]] inline Lanes inputs_ready(const ThreadPlanes& thread, const Lanes& lanes) {
  Lanes ready = lanes;
  for (const RampUse& use : thread.inputs) {
    const PlaneQueue& ramp = *use.router->queue[kDownRamp];
    Lanes heads = without(ramp.heads(), use.router->took);
    if (ramp.flags().any()) heads.remove(ramp.flags().heads_with(RampFlag::Control));
    ready.remove(without(taking(thread, use), heads));
  }
  return ready;
}

// Returns those of them that take a control wavelet with this issue, and no element.
[[gnu::always_inline]] inline Lanes taking_controls(const ThreadPlanes& thread,
                                                    const Lanes& lanes) {
  Lanes controlled;
  for (const RampUse& use : thread.inputs) {
    const PlaneQueue& ramp = *use.router->queue[kDownRamp];
    if (!ramp.flags().any()) continue;
    Lanes heads = ramp.heads() & ramp.flags().heads_with(RampFlag::Control);
    heads.remove(ramp.flags().heads_with(RampFlag::Unwanted) | use.router->took);
    controlled |= taking(thread, use) & use.controls & heads;
  }
  return controlled & lanes;
}

// Returns those of them whose output has room.
[[gnu::always_inline]] inline Lanes outputs_ready(const ThreadPlanes& thread, const Lanes& lanes,
                                                  const Lanes& up_ramp) {
  const Lanes quiet = silent(thread);
  Lanes ready = without(lanes, without(thread.sending, quiet) & up_ramp);
  for (const RampUse& use : thread.outputs) {
    ready.remove(without(use.lanes, quiet) & use.router->queue[kUpRamp]->full());
  }
  return ready;
}

struct Slots {
  std::array<Lanes, kSlots> taken;
  std::array<Lanes, kSlots> held;  // in the next cycle
  Lanes up_ramp;
  Lanes issued;
};

// Lanes whose main thread must not issue in this cycle; of these, those in a gap.
[[gnu::always_inline]] inline Lanes rest(MapPlanes& maps, Lanes& in_gap) {
  const std::size_t gap = maps.rests.size() - 1;
  maps.gap_begins = maps.rests[gap - 1].any();
  const Lanes stalled = maps.rests[gap];
  for (std::size_t k = 0; k < gap; ++k) {
    in_gap |= maps.rests[k];
    maps.rests[k] = maps.rests[k + 1];
  }
  maps.rests[gap] = {};
  const Lanes resting = in_gap | stalled;
  maps.has_rests = resting.any();
  return resting;
}

// The last issue for a scalar, unless it is the last of all, is followed by a gap.
[[gnu::always_inline]] inline void begin_rests(MapPlanes& maps, const ThreadPlanes& main,
                                               const Lanes& ready) {
  const Lanes over = isa::mutant(isa::Mutant::GapAtEnd) ? Lanes{} : main.ended;
  const Lanes turned = without(maps.round.step(ready & maps.moving), over);
  const std::size_t gap = maps.rests.size() - 1;
  maps.rests[gap - 1] |= without(turned, main.slow);
  maps.rests[gap] |= turned & main.slow;
}

// Of `free`, whose other inputs and outputs are known, those that wait for FIFOs do not issue, and
// those that must not wait end.
[[gnu::always_inline]] inline void look_at_fifos(ThreadPlanes& thread, const Lanes& free,
                                                 Lanes& input, Lanes& ready, Lanes& by_fifo) {
  FifoWaits& waits = *thread.fifos;
  const FifoWaits::Blocked blocked = waits.blocked();
  const Lanes ends = free & waits.ends_early;
  thread.cut |= ends & (blocked.empty | blocked.full);
  thread.has_ended |= thread.cut.any();
  waits.refused |= ends & blocked.full;
  input.remove(blocked.empty);
  ready.remove(blocked.empty | blocked.full);
  by_fifo |= free & (blocked.empty | blocked.full);
}

// Updates FIFOs by what went through them in this cycle. True if others are full or empty now.
[[gnu::always_inline]] inline bool update_fifos(IssuePlanes& planes) {
  bool changed = false;
  for (const auto& fifo : planes.fifos) {
    changed |= fifo->update();
    planes.has_left |= (fifo->left_full() | fifo->left_empty()).any();
  }
  return changed;
}

// Of `free`, those that have taken a control wavelet.
[[gnu::always_inline]] inline Lanes take_controls(ThreadPlanes& thread, const Lanes& free,
                                                  Slots& slots, std::uint32_t slot) {
  const Lanes controlled = taking_controls(thread, free);
  thread.controlled |= controlled;
  slots.taken[slot] |= controlled;
  slots.issued |= controlled;
  return controlled;
}

[[gnu::always_inline]] inline void issue_ready(ThreadPlanes& thread, const Lanes& ready,
                                               Slots& slots, std::uint32_t slot) {
  slots.taken[slot] |= ready;
  slots.issued |= ready;
  const Lanes sending = without(ready, silent(thread));
  slots.up_ramp |= sending & thread.sending;
  slots.held[slot] |= ready & thread.slow;
  for (RampUse& use : thread.inputs) {
    const Lanes received = ready & taking(thread, use);
    if (!received.any()) continue;
    use.router->received |= received;
    use.is_busy = true;
  }
  const Lanes ended = thread.left.step(ready);
  for (RampUse& use : thread.outputs) {
    const Lanes used = ready & use.lanes;
    if (!used.any()) continue;
    use.router->injected |= sending & used;
    if (!isa::mutant(isa::Mutant::LastUnmarked))
      use.router->last |= without(ended & used, thread.control);
    use.is_busy = true;
  }
  if (thread.has_halved) thread.second = thread.second ^ (ready & thread.halved);
  if (thread.fifos != nullptr) thread.fifos->move(ready);
  thread.issued |= ready;
  thread.has_issued = true;
  if (!ended.any()) return;
  thread.ended |= ended;
  thread.has_ended = true;
}

[[gnu::always_inline]] inline void forget(ThreadPlanes& thread) {
  if (!thread.has_issued) return;
  thread.issued = {};
  thread.has_issued = false;
  for (RampUse& use : thread.inputs) use.is_busy = false;
  for (RampUse& use : thread.outputs) use.is_busy = false;
}

[[gnu::always_inline]] inline Lanes changed(const ActivityPlanes& now,
                                            const ActivityPlanes& before) {
  return (now.busy ^ before.busy) | (now.stalled ^ before.stalled) |
         (now.wait_output ^ before.wait_output) | (now.wait_input ^ before.wait_input) |
         (now.by_fifo ^ before.by_fifo);
}

// Of what a lane does only the first of these stays.
[[gnu::always_inline]] inline void leave_first(ActivityPlanes& activity) {
  activity.stalled.remove(activity.busy);
  activity.wait_output.remove(activity.busy | activity.stalled);
  activity.wait_input.remove(activity.busy | activity.stalled | activity.wait_output);
  activity.by_fifo &= activity.wait_output | activity.wait_input;
}

// Rounds are counted step by step.
[[gnu::always_inline]] inline bool maps(const IssuePlanes& planes) {
  if (planes.maps == nullptr) return false;
  return planes.maps->has_rests ||
         (planes.maps->moving & planes.threads[kMainThread]->moving).any();
}

[[gnu::always_inline]] inline bool issue(IssuePlanes& planes) {
  Slots slots;
  slots.taken = {planes.scalar | planes.held[0], planes.held[1]};
  ActivityPlanes& activity = planes.activity;
  const ActivityPlanes before = activity;
  for (const auto& thread : planes.threads) {
    if (thread != nullptr) forget(*thread);
  }
  for (const auto& fifo : planes.fifos) fifo->begin_cycle();
  activity.wait_output = activity.wait_input = activity.by_fifo = {};
  activity.stalled = planes.held[0] | planes.held[1];
  Lanes in_gap;
  bool alternates = false;
  const Lanes resting = planes.maps != nullptr ? rest(*planes.maps, in_gap) : Lanes{};
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    for (const auto& place : planes.threads) {
      if (place == nullptr) continue;
      ThreadPlanes& thread = *place;
      const bool may_rest = planes.maps != nullptr && &place == &planes.threads[kMainThread];
      Lanes of_slot = slot == 0 ? without(thread.moving, thread.in_send_slot)
                                : thread.moving & thread.in_send_slot;
      if (may_rest) of_slot.remove(resting);
      Lanes free = without(of_slot, slots.taken[slot]);
      if (!free.any()) continue;
      if (thread.has_controls) {
        const Lanes controlled = take_controls(thread, free, slots, slot);
        planes.has_controlled |= controlled.any();
        free.remove(controlled);
      }
      Lanes input = inputs_ready(thread, free);
      Lanes ready = outputs_ready(thread, input, slots.up_ramp);
      if (thread.fifos != nullptr) {
        look_at_fifos(thread, free, input, ready, activity.by_fifo);
        planes.has_ended |= thread.has_ended;
      }
      activity.wait_input |= without(free, input);
      activity.wait_output |= without(input, ready);
      if (!ready.any()) continue;
      issue_ready(thread, ready, slots, slot);
      if (may_rest) begin_rests(*planes.maps, thread, ready);
      planes.has_ended |= thread.has_ended;
      planes.has_control |= (ready & thread.control).any();
      if (thread.has_named) planes.has_named |= (ready & thread.named).any();
      alternates |= thread.has_halved && (ready & thread.halved).any();
    }
  }
  activity.busy = slots.issued | in_gap;
  leave_first(activity);
  planes.otherwise = changed(activity, before);
  planes.is_otherwise = planes.otherwise.any();
  const Lanes holds = (planes.held[0] ^ slots.held[0]) | (planes.held[1] ^ slots.held[1]);
  const bool fills = update_fifos(planes);
  const bool has_events =
      planes.has_ended || planes.has_control || planes.has_controlled || planes.has_named;
  planes.repeats = !has_events && !alternates && !fills && !holds.any() && !maps(planes);
  planes.held = slots.held;
  return slots.issued.any();
}

// ---- decide

// Puts the wavelets that move on the wires of their links and takes them from their queues.
[[gnu::always_inline]] inline void send(RouterPlanes& router, BlockPlanes& block,
                                        const Lanes& moved, Moves& moves) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if (router.sent[link] == nullptr) continue;
    const Lanes sent = moved & router.tx[link];
    block.used[link] |= sent;
    if (sent.any()) moves.sending |= 1u << link;
    if (write_wire(router.sent[link], sent)) moves.changed |= 1u << link;
  }
  router.sends = moves.sending != 0;
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    if (router.queue[port] != nullptr) router.popped[port] = moved & router.rx[port];
  }
}

[[gnu::always_inline]] inline void decide(RouterPlanes& router, BlockPlanes& block,
                                          const Shifts& shifts, Moves& moves) {
  using Kind = Moves::Kind;
  moves.clear();
  const PlaneQueue* const down = router.queue[kDownRamp];
  if (down != nullptr && down->flags().any()) {
    moves.set(Kind::Dropped,
              without(down->heads() & down->flags().heads_with(RampFlag::Unwanted), router.took));
  }
  Fronts fronts;
  find_fronts(router, fronts);
  if (!fronts.candidates.any() && !router.sends) return;
  const Lanes addressed = without(router.tx[kUpRamp], fronts.hidden);
  Lanes to_pe = addressed;
  if (router.filters != nullptr) to_pe.remove(without(router.filters->dropping, fronts.commands));
  Lanes moved = without(fronts.candidates, find_blocked(router, block, block.used, shifts, to_pe));
  if (router.leads_out) {
    const Lanes leaving = find_leaving(router, block, moved);
    moved.remove(leaving);
    moves.set(Kind::Leaving, leaving);
  }
  moves.any = moved.any();
  if (!moves.any && !router.sends) return;
  moves.set(Kind::Marked, moved & fronts.marked);
  block.used[kUpRamp] |= moved & to_pe;
  send(router, block, moved, moves);
  router.delivered = moved & to_pe;
  moves.set(Kind::ToTask, router.delivered & router.data_task);
  if (router.filters == nullptr) return;
  const Lanes uncounted = isa::mutant(isa::Mutant::CommandsCount) ? Lanes{} : fronts.commands;
  moves.set(Kind::Turned, router.filters->count(without(moved & addressed, uncounted)));
}

// ---- update

// Lanes of which something has been pushed and cannot be taken yet.
[[gnu::always_inline]] inline Lanes on_their_way(const PlaneQueue& queue) {
  Lanes all;
  for (const Lanes& lanes : queue.stages()) all |= lanes;
  return all;
}

[[gnu::always_inline]] inline void update(RouterPlanes& router, const Shifts& shifts) {
  Lanes standing;
  Lanes in_flight;
  Lanes differs = router.took;
  router.room_changed = 0;
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if (router.queue[link] == nullptr) continue;
    const Lanes sent = router.sent_here[link] != nullptr
                           ? read_wire(router.sent_here[link], shifts[link])
                           : Lanes{};
    PlaneQueue& queue = *router.queue[link];
    differs |= queue.differs_after(router.popped[link], sent);
    const bool fills = queue.update(router.popped[link], sent);
    standing |= queue.totals()[0];
    in_flight |= on_their_way(queue);
    if (fills && write_wire(router.room[link], inverse(queue.full()))) {
      router.room_changed |= 1u << link;
    }
  }
  if (router.queue[kUpRamp] != nullptr) {
    PlaneQueue& queue = *router.queue[kUpRamp];
    differs |= queue.differs_after(router.popped[kUpRamp], router.injected) | router.last;
    queue.update(router.popped[kUpRamp], router.injected);
    if (router.last.any()) queue.flag_last(LinkFlag::Marked, router.last);
    standing |= queue.totals()[0];
    in_flight |= on_their_way(queue);
    router.last = {};
  }
  bool has_controls = false;
  if (router.queue[kDownRamp] != nullptr) {
    PlaneQueue& queue = *router.queue[kDownRamp];
    differs |= queue.differs_after(router.received, router.delivered);
    queue.update(router.received, router.delivered);
    in_flight |= on_their_way(queue);
    has_controls = queue.flags().any();
    router.took = {};
  }
  router.was_in_flight = router.is_in_flight;
  router.is_in_flight = in_flight.any();
  router.stands = has_controls || standing.any();
  router.repeats = !differs.any();
}

// All of them, compiled for one level; `flatten` inlines what they call.
#define LEVEL(name, target)                                                                        \
  struct name {                                                                                    \
    [[gnu::flatten]] target static bool issue_block(IssuePlanes& planes) { return issue(planes); } \
    [[gnu::flatten]] target static void decide_block(RouterPlanes& router, BlockPlanes& block,     \
                                                     const Shifts& shifts, Moves& moves) {         \
      decide(router, block, shifts, moves);                                                        \
    }                                                                                              \
    [[gnu::flatten]] target static void update_block(RouterPlanes& router, const Shifts& shifts) { \
      update(router, shifts);                                                                      \
    }                                                                                              \
    static constexpr Steps kSteps = {issue_block, decide_block, update_block};                     \
  };
LEVEL(Plain, )
// Without optimisation nothing is inlined, and a function of one level would hand lanes to one of
// another, which takes them elsewhere.
#if defined(__x86_64__) && defined(__OPTIMIZE__)
LEVEL(V3, [[gnu::target("arch=x86-64-v3")]])
LEVEL(V4, [[gnu::target("arch=x86-64-v4")]])
#else
using V3 = Plain;
using V4 = Plain;
#endif
#undef LEVEL

const Steps& steps_of_this_host() {
  if (isa::has_level(isa::HostLevel::V4)) return V4::kSteps;
  if (isa::has_level(isa::HostLevel::V3)) return V3::kSteps;
  return Plain::kSteps;
}

}  // namespace

const Steps& steps() {
  static const Steps& kSteps = steps_of_this_host();
  return kSteps;
}

}  // namespace wse::vm::wafer
