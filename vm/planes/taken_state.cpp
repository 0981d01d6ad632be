// Writes lanes.
#include "vm/planes/taken_state.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

TakenState::TakenState(const Parts& parts)
    : parts_(parts),
      queues_(parts.queues),
      threads_(parts.threads),
      routings_(parts.pes, parts.table.channels().map()),
      deepest_(std::max({parts.profile.router_depth, parts.profile.up_ramp_depth,
                         parts.profile.down_ramp_depth})) {}

bool TakenState::take(PeId pe, const TransportState& state,
                      const TransportStates::BegunBy& begun_by, Cycle now) {
  const ChannelMap& map = parts_.table.channels().map();
  const ChannelId first = map.first(pe);
  const bool fits = state.channels.size() == map.first(pe + 1) - first && state.link_free.empty() &&
                    state.peak <= deepest_ && now < kNever >> 1;
  if (!fits) return false;
  if (!parts_.table.grid().has(pe)) return state.threads.empty() && state.fifos.empty();
  for (std::uint32_t k = 0; k < state.channels.size(); ++k) {
    if (!take_channel(first + k, state.channels[k])) return false;
  }
  parts_.peaks.begin_with(pe, state.peak);
  return queues_.take(first, state, now) && threads_.take(pe, state, begun_by, now);
}

bool TakenState::take_channel(ChannelId id, const TransportState::Channel& given) {
  Channel& channel = parts_.table.channels()[id];
  if (!routings_.has(id, given.routing)) return false;
  const isa::Routing* const routing = routings_.routing_of(id, given.routing, channel.routing);
  if (routing == nullptr) {  // no program takes one away
    if (given.routing == WrittenRoutings::kImage || channel.routing != nullptr) return false;
  } else {
    if (given.position >= routing->positions.size()) return false;
    channel.routing = routing;
    parts_.table.go_to(channel, given.position);
  }
  channel.torn_down = given.torn_down;
  parts_.table.of(channel).torn_down.put(parts_.table.lane(channel), given.torn_down);
  return take_filter(channel, given);
}

bool TakenState::take_filter(const Channel& channel, const TransportState::Channel& given) {
  std::unique_ptr<FilterPlanes>& filters = parts_.table.of(channel).filters;
  if (!given.has_filter && filters == nullptr) return true;
  if (filters == nullptr) filters = std::make_unique<FilterPlanes>();
  const std::uint32_t lane = parts_.table.lane(channel);
  filters->open(lane, {});
  if (!given.has_filter) return true;
  const TransportState::Filter& filter = given.filter;
  filters->dropped.add(lane, filter.dropped);
  if (filter.shape.kind == isa::FilterKind::None) return true;
  const bool is_sparse = filter.shape.kind == isa::FilterKind::Sparse;
  if (!is_sparse && filter.shape.kind != isa::FilterKind::Counter) return false;
  if (filter.counting.is_sparse() != is_sparse) return false;
  filters->begin_with(lane, filter.counting);
  return true;
}

// Planes count what went over links when somebody asks; the other machine has told it.
void TakenState::settle(Cycle now) {
  RouterTable& table = parts_.table;
  for (std::uint32_t block = 0; block < table.grid().blocks(); ++block) {
    if (!parts_.border.owns(block)) continue;
    std::uint32_t active = 0;
    for (std::uint32_t k = table.first(block); k < table.first(block + 1); ++k) {
      if (open(table[k])) active |= 1u << (k - table.first(block));
    }
    parts_.activity.renew(block, active);
  }
  parts_.order.go_on(now);
}

bool TakenState::open(RouterPlanes& router) {
  bool has_some = false;
  for (std::uint32_t k = 0; k < kQueues; ++k) {
    const PlaneQueue* const queue = router.queue[k];
    if (queue == nullptr) continue;
    has_some |= queue->totals()[0].any();
    if (k >= kLinks) continue;
    for (const std::uint64_t pushed : queue->pushed().values()) parts_.counters.hops -= pushed;
    if (isa::mutant(isa::Mutant::TakenRoom)) continue;
    write_wire(router.room[k], inverse(queue->full()));
    parts_.disturbances.show_room(router, k);
  }
  return has_some;
}

// ---- where several processes have the machine

bool TakenState::fill_queues(const std::map<PeId, TransportState>& given) {
  const ChannelMap& map = parts_.table.channels().map();
  for (const auto& [pe, state] : given) {
    std::vector<std::uint32_t> colours;
    for (std::uint32_t rest = map.colours(pe); rest != 0; rest &= rest - 1) {
      colours.push_back(static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    for (const TransportState::Queue& queue : state.queues) {
      const auto port = static_cast<std::uint32_t>(queue.port);
      if (port >= kLinks || queue.waiting < parts_.profile.router_depth) continue;
      if (queue.channel >= colours.size()) return false;
      see_full(pe, colours[queue.channel], static_cast<isa::Port>(port));
    }
  }
  return true;
}

void TakenState::see_full(PeId there, std::uint32_t colour, isa::Port port) {
  const Grid& grid = parts_.table.grid();
  const auto here = grid.mesh().neighbour(there, port);
  if (!here || !parts_.pes.contains(*here) || !grid.has(there) || !grid.has(*here)) return;
  const ChannelMap& map = parts_.table.channels().map();
  if ((map.colours(*here) >> colour & 1) == 0) return;
  const RouterPlanes& router = parts_.table.of(parts_.table.channels()[map.find(*here, colour)]);
  std::uint64_t* const own = router.room_behind[static_cast<std::uint32_t>(isa::opposite(port))];
  if (own == nullptr) return;
  std::uint64_t* const words = words_beside(grid, own, router.block, grid.block_of(there));
  Lanes room = load(words);
  room.clear(grid.lane_of(there));
  write_wire(words, room);
}

void TakenState::count_links(PeId pe, const TransportState& state) {
  for (const TransportState::Queue& queue : state.queues) {
    const auto port = static_cast<std::uint32_t>(queue.port);
    if (port < kLinks) parts_.counts.add_to_links(pe, static_cast<isa::Port>(port), queue.pushed);
  }
}

}  // namespace wse::vm::wafer
