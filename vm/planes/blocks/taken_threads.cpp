// Threads begin, or continue in the middle.
#include "vm/planes/blocks/taken_threads.h"

namespace wse::vm::wafer {

bool TakenThreads::take(PeId pe, const TransportState& state,
                        const TransportStates::BegunBy& begun_by, Cycle now) {
  const std::uint32_t count = parts_.threads.count(pe);
  std::uint32_t taken = 0;
  for (const TransportState::Thread& given : state.threads) {
    const ThreadId id{pe, given.number};
    if (id.thread >= count || (taken >> id.thread & 1) != 0 || given.unseen) return false;
    taken |= 1u << id.thread;
    const TransportStates::Begun begun = begun_by(id);
    if (begun.flow == nullptr || !take_thread(id, given, begun, now)) return false;
  }
  for (std::uint32_t k = 0; k < count; ++k) {  // all that the cores wait for
    if ((taken >> k & 1) == 0 && begun_by({pe, k}).flow != nullptr) return false;
  }
  return take_slots(pe, state, now) && take_fifos(pe, state);
}

// A thread that has issued nothing begins here, whether it had begun there or not.
bool TakenThreads::take_thread(ThreadId id, const TransportState::Thread& given,
                               const TransportStates::Begun& begun, Cycle now) {
  const Flow& flow = *begun.flow;
  const bool is_due = given.next > now && given.next >= begun.from;
  if (!is_due || !is_within_reach(given.next, now) || flow.length == 0) return false;
  if (given.issued == 0) {
    parts_.starting.begin(id, flow, given.next);
    return true;
  }
  if (begun.from > now || !can_go_on(flow, given.issued)) return false;
  parts_.starting.go_on(
      id, flow, {.elements = given.issued, .half_in = given.half_in, .half_out = given.half_out});
  parts_.ending.has_counted(id, given.issued);
  return given.next == now + 1 || rest(id, flow, given.next, now);
}

bool TakenThreads::can_go_on(const Flow& flow, std::uint64_t issued) {
  if (issued >= flow.length) return false;
  if (flow.length == kNoBound && issued >= DownCounter::kEndless) return false;
  const std::uint64_t in_round = flow.group == 0 ? issued : issued % flow.group;
  return in_round % flow.elements_per_issue == 0;
}

bool TakenThreads::rest(ThreadId id, const Flow& flow, Cycle next, Cycle now) {
  const bool rests = id.thread == kMainThread && flow.gap_cycles != 0;
  if (!rests || next - now - 2 > flow.gap_cycles) return false;
  MapPlanes& maps = *parts_.issue.of(id.pe).maps;
  maps.rests[next - now - 2].set(parts_.grid.lane_of(id.pe));
  return true;
}

// A bank conflict holds a slot for one cycle more.
bool TakenThreads::take_slots(PeId pe, const TransportState& state, Cycle now) {
  IssuePlanes& planes = parts_.issue.of(pe);
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const Cycle until = state.held_until[slot];
    if (until == 0) continue;
    if (until != now + 2) return false;
    planes.held[slot].set(parts_.grid.lane_of(pe));
    parts_.moving.add(parts_.grid.block_of(pe));
  }
  const Cycle until = state.scalar_until;
  if (until == 0) return true;
  if (until <= now || !is_within_reach(until, now)) return false;
  parts_.held.hold(pe, until);
  return true;
}

bool TakenThreads::take_fifos(PeId pe, const TransportState& state) {
  if (state.fifos.size() != parts_.fifos.count(pe)) return false;
  for (std::uint32_t k = 0; k < state.fifos.size(); ++k) {
    const auto [size, refused] = state.fifos[k];
    if (size > parts_.fifos.capacity(pe, k)) return false;
    parts_.fifos.begin_with(pe, k, size, refused);
    parts_.issue.of(pe).fifos[k]->begin_with(parts_.grid.lane_of(pe), size);
  }
  return true;
}

}  // namespace wse::vm::wafer
