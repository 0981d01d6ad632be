// Reads lanes.
#include "vm/planes/wafer_state.h"

#include <array>
#include <span>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

constexpr std::uint32_t kFirstHalf = 0xffff;  // of a packed wavelet: the element that comes first

// Returns after how many cycles, counted from the next one, the wavelet can be taken that is the
// k-th from the head, k < size. Planes do not know since when one can that can be taken then.
Cycle cycles_to_visible(const PlaneQueue& queue, std::uint32_t lane, std::uint32_t k) {
  const std::span<const Lanes> stages = queue.stages();
  std::uint32_t on_their_way = 0;
  for (const Lanes& lanes : stages) on_their_way += lanes.has(lane) ? 1 : 0;
  std::uint32_t later = queue.size(lane) - 1 - k;  // wavelets that came after it
  if (later >= on_their_way || isa::mutant(isa::Mutant::GivenVisible)) return 0;
  std::size_t stage = 0;
  while (!stages[stage].has(lane) || later-- > 0) ++stage;
  return stages.size() - stage;
}

QueuePort port_of(std::uint32_t queue) {
  return queue == kDownRamp ? QueuePort::DownRamp : static_cast<QueuePort>(queue);
}

}  // namespace

void WaferState::give(PeId pe, Cycle now, TransportState& state) {
  const ChannelMap& map = parts_.table.channels().map();
  for (ChannelId id = map.first(pe); id < map.first(pe + 1); ++id) {
    give_queues(id, now, static_cast<std::uint32_t>(state.channels.size()), state);
    state.channels.push_back(given(id));
  }
  if (!has(pe)) return;
  for (std::uint32_t k = 0; k < parts_.threads.count(pe); ++k) {
    const Thread& thread = parts_.threads[ThreadId{pe, k}];
    if (thread.state != Thread::State::Free) state.threads.push_back(given(thread, now));
  }
  give_fifos(pe, state);
  const std::uint32_t lane = grid_.lane_of(pe);
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    if (parts_.issue.of(pe).held[slot].has(lane)) state.held_until[slot] = now + 2;
  }
  state.scalar_until = parts_.held.held_until(pe);
  state.peak = parts_.peaks.of(pe);
}

TransportState::Channel WaferState::given(ChannelId id) {
  const Channel& channel = parts_.table.channels()[id];
  TransportState::Channel given{.routing = routings_.number_of(id, channel.routing),
                                .position = channel.position,
                                .torn_down = channel.torn_down};
  if (!has(channel.pe)) return given;
  const FilterPlanes* const filters = parts_.table[channel.router].filters.get();
  if (filters == nullptr) return given;
  const std::uint32_t lane = parts_.table.lane(channel);
  given.filter.dropped = filters->dropped.value(lane);
  given.has_filter = filters->filtered.has(lane) || given.filter.dropped > 0;
  if (!filters->filtered.has(lane)) return given;
  given.filter.counting = filters->now(lane);
  given.filter.shape.kind =
      given.filter.counting.is_sparse() ? isa::FilterKind::Sparse : isa::FilterKind::Counter;
  return given;
}

void WaferState::give_queues(ChannelId id, Cycle now, std::uint32_t number, TransportState& state) {
  for (std::uint32_t k = 0; k < kQueues; ++k) {
    if ((parts_.table.channels()[id].queues >> k & 1) == 0) continue;
    const auto [queue, lane] = parts_.table.queue(id, k);
    if (queue->pushed().value(lane) == 0) continue;
    const std::uint32_t size = queue->size(lane);
    state.queues.push_back({number, port_of(k), queue->pushed().value(lane), size});
    for (std::uint32_t place = 0; place < size; ++place) {
      const Standing standing = parts_.run_lists.look(*queue, lane, queue->popped(lane) + place);
      const Cycle later = cycles_to_visible(*queue, lane, place);
      state.wavelets.push_back({.data = parts_.words.value(standing),
                                .hops = standing.hops,
                                .control = standing.is_control(),
                                .advances = k == kUpRamp && parts_.run_lists.advances(standing),
                                .visible = later == 0 ? now : now + 1 + later});
    }
  }
}

TransportState::Thread WaferState::given(const Thread& thread, Cycle now) const {
  TransportState::Thread given{.number = thread.number, .next = thread.earliest};
  if (thread.state == Thread::State::Coming) return given;
  given.issued = parts_.issue.issued(thread);
  given.next = next_of(thread, now);
  if (given.issued % 2 == 0) return given;
  const Flow& flow = *thread.flow;
  for (std::size_t k = 0; k < given.half_in.size(); ++k) {
    const bool is_half = thread.in[k] != kNoChannel && flow.packed_in[k];
    if (is_half) given.half_in[k] = parts_.words.half_taken(parts_.threads.index(thread.id()), k);
  }
  if (thread.message != kNone && flow.packed_out) {
    const std::uint32_t* const words =
        parts_.messages[thread.message].words_of(grid_.lane_of(thread.pe));
    given.half_out = words[given.issued / 2] & kFirstHalf;
  }
  return given;
}

Cycle WaferState::next_of(const Thread& thread, Cycle now) const {
  const IssuePlanes& planes = parts_.issue.of(thread.pe);
  const std::uint32_t lane = grid_.lane_of(thread.pe);
  if (thread.number == kMainThread && planes.maps != nullptr) {
    const std::vector<Lanes>& rests = planes.maps->rests;
    for (std::size_t k = 0; k < rests.size(); ++k) {
      if (rests[k].has(lane)) return now + 2 + k;
    }
  }
  return now + 1;
}

void WaferState::give_fifos(PeId pe, TransportState& state) const {
  const IssuePlanes& planes = parts_.issue.of(pe);
  const std::uint32_t count = parts_.fifos.count(pe);
  for (std::uint32_t k = 0; k < count; ++k) {
    state.fifos.push_back({planes.fifos[k]->level(grid_.lane_of(pe)), parts_.fifos.refused(pe, k)});
  }
}

// Whoever holds a slot or moves elements looks at once, and asks for later cycles then.
void WaferState::for_each_visit(Cycle now, const Visit& visit) const {
  const ChannelTable& channels = parts_.table.channels();
  for (PeId pe = parts_.pes.first; pe < parts_.pes.end; ++pe) {
    if (!has(pe)) continue;
    const std::array<Lanes, kSlots>& held = parts_.issue.of(pe).held;
    const std::uint32_t lane_of_pe = grid_.lane_of(pe);
    if (held[0].has(lane_of_pe) || held[1].has(lane_of_pe)) visit(pe, now + 1);
    for (std::uint32_t k = 0; k < parts_.threads.count(pe); ++k) {
      const Thread& thread = parts_.threads[ThreadId{pe, k}];
      if (thread.state == Thread::State::Coming) visit(pe, thread.earliest);
      if (thread.state == Thread::State::Moving) visit(pe, now + 1);
    }
    for (ChannelId id = channels.map().first(pe); id < channels.map().first(pe + 1); ++id) {
      for (std::uint32_t k = 0; k < kQueues; ++k) {
        if ((channels[id].queues >> k & 1) == 0) continue;
        const auto [queue, lane] = parts_.table.queue(id, k);
        for (std::uint32_t place = 0; place < queue->size(lane); ++place) {
          visit(pe, now + 1 + cycles_to_visible(*queue, lane, place));
        }
      }
    }
  }
}

void WaferState::for_each_neighbour(const std::function<void(PeId pe)>& visit) const {
  const isa::Topology& mesh = grid_.mesh();
  for (PeId pe = parts_.pes.first; pe < parts_.pes.end; ++pe) {
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      const auto there = mesh.neighbour(pe, mesh.link_port(link));
      if (there && !parts_.pes.contains(*there)) visit(*there);
    }
  }
}

}  // namespace wse::vm::wafer
