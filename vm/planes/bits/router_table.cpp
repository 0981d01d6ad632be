// From channels to planes, queues and wires.
#include "vm/planes/bits/router_table.h"

namespace wse::vm::wafer {
namespace {

QueueShape shape_of(std::uint32_t queue, const isa::Profile& profile) {
  switch (queue) {
    case kUpRamp: return {profile.up_ramp_depth, profile.ramp_latency_cycles + 1};
    case kDownRamp: return {profile.down_ramp_depth, profile.ramp_latency_cycles};
    default: return {profile.router_depth, profile.hop_latency_cycles};
  }
}

constexpr std::uint32_t opposite(std::uint32_t link) {
  return static_cast<std::uint32_t>(isa::opposite(static_cast<isa::Port>(link)));
}

// Shows the position in the planes of the lane, or of each of some.
template <class Which>
void show(RouterPlanes& router, const BlockPlanes& block, const Which& lanes,
          const isa::SwitchPosition& position) {
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    const bool sends = (position.tx >> port & 1) != 0;
    router.rx[port].put(lanes, static_cast<std::uint32_t>(position.rx) == port);
    router.tx[port].put(lanes, sends);
    if (sends && port < kLinks && block.edge[port].has_any(lanes)) {
      router.leads_out = true;
    }
  }
}

}  // namespace

RouterTable::RouterTable(const Grid& grid, const isa::Profile& profile, ChannelTable& channels,
                         const Blocks& own)
    : grid_(grid), channels_(channels), own_(own), blocks_(grid.blocks()) {
  for (std::uint32_t link = 0; link < kLinks; ++link) shifts_[link] = grid.shift(link);
  for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
    grid.for_each_pe(block, [&](PeId pe, std::uint32_t lane) {
      for (std::uint32_t link = 0; link < kLinks; ++link) {
        const bool at_edge = !grid.mesh().neighbour(pe, grid.mesh().link_port(link));
        blocks_[block].edge[link].put(lane, at_edge);
      }
    });
  }
  make_routers();
  make_queues(profile);
  make_wires({0, grid.blocks()});
  for (RouterPlanes& router : routers_) connect(router);
  for (Channel& channel : channels.all()) {
    if (channel.routing != nullptr) go_to(channel, channel.position);
  }
}

void RouterTable::make_routers() {
  const ChannelMap& map = channels_.map();
  for (std::uint32_t block = 0; block < grid_.blocks(); ++block) {
    first_.push_back(static_cast<std::uint32_t>(routers_.size()));
    std::array<std::uint32_t, isa::kMaxColours> queues = {};
    std::uint32_t colours = 0;
    grid_.for_each_pe(block, [&](PeId pe, std::uint32_t) {
      colours |= map.colours(pe);
      if (!own_.contain(block)) return;
      for (ChannelId id = map.first(pe); id < map.first(pe + 1); ++id) {
        queues[channels_[id].colour] |= channels_[id].queues;
      }
    });
    std::array<std::uint32_t, isa::kMaxColours> numbers = {};
    for (; colours != 0; colours &= colours - 1) {
      const auto colour = static_cast<std::uint32_t>(std::countr_zero(colours));
      numbers[colour] = static_cast<std::uint32_t>(routers_.size());
      RouterPlanes& router = routers_.emplace_back();
      router.block = block;
      router.colour = colour;
      router.queues = queues[colour];
    }
    if (!own_.contain(block)) continue;
    grid_.for_each_pe(block, [&](PeId pe, std::uint32_t lane) {
      for (ChannelId id = map.first(pe); id < map.first(pe + 1); ++id) {
        Channel& channel = channels_[id];
        channel.router = numbers[channel.colour];
        RouterPlanes& router = routers_[channel.router];
        if (channel.torn_down) router.torn_down.set(lane);
        if (channel.has_data_task) router.data_task.set(lane);
      }
    });
  }
  first_.push_back(static_cast<std::uint32_t>(routers_.size()));
}

void RouterTable::make_queues(const isa::Profile& profile) {
  const auto for_each_queue = [this](auto visit) {
    for (RouterPlanes& router : routers_) {
      for (std::uint32_t queue = 0; queue < kQueues; ++queue) {
        if ((router.queues >> queue & 1) != 0) visit(router, queue);
      }
    }
  };
  std::size_t queues = 0;
  std::size_t planes = 0;
  for_each_queue([&](const RouterPlanes&, std::uint32_t queue) {
    ++queues;
    planes += PlaneQueue::planes_of(shape_of(queue, profile));
  });
  queues_.reserve(queues);
  planes_.resize(planes);
  run_lists_.resize(queues * kLanes);
  Lanes* next = planes_.data();
  for_each_queue([&](RouterPlanes& router, std::uint32_t queue) {
    const QueueShape shape = shape_of(queue, profile);
    router.queue[queue] =
        &queues_.emplace_back(shape, next, run_lists_.data() + queues_.size() * kLanes);
    next += PlaneQueue::planes_of(shape);
  });
}

void RouterTable::share(std::span<const std::uint32_t> ends) {
  wires_.clear();
  std::uint32_t first = 0;
  for (const std::uint32_t end : ends) {
    make_wires({first, end});
    first = end;
  }
}

// For each colour and link over which any PE of the mesh may send: what leaves, and the room behind
// it.
void RouterTable::make_wires(const Blocks& strip) {
  for (std::uint32_t k = 0; k < isa::kMaxColours * kLinks; ++k) {
    const std::uint32_t colour = k / kLinks;
    const std::uint32_t link = k % kLinks;
    if ((channels_.queues_of(colour) >> opposite(link) & 1) == 0) continue;
    Wire& sent = wires_.emplace_back(grid_.wire_words(), grid_.wire_padding());
    Wire& room = wires_.emplace_back(grid_.wire_words(), grid_.wire_padding());
    for (RouterPlanes& router : routers_) {
      if (router.colour != colour) continue;
      std::uint64_t* const shown = room.at(grid_.wire_word(router.block));
      const bool is_in_strip = strip.contain(router.block);
      const bool has_queue = (router.queues >> opposite(link) & 1) != 0;
      if (!is_in_strip || has_queue) write_wire(shown, inverse({}));
      if (!is_in_strip) continue;
      router.sent[link] = sent.at(grid_.wire_word(router.block));
      router.room_behind[link] = shown;
      if (!has_queue) continue;
      router.room[opposite(link)] = shown;
      router.sent_here[opposite(link)] = router.sent[link];
    }
  }
}

void RouterTable::connect(RouterPlanes& router) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    const auto [first, second] = grid_.beside(router.block, link);
    router.beside[link] = {find(first, router.colour), find(second, router.colour)};
  }
}

std::uint32_t RouterTable::find(std::int64_t block, std::uint32_t colour) const {
  if (block < 0 || block >= grid_.blocks()) return kNone;
  for (std::uint32_t k = first(static_cast<std::size_t>(block));
       k < first(static_cast<std::size_t>(block) + 1); ++k) {
    if (routers_[k].colour == colour) return k;
  }
  return kNone;
}

RouterTable::Behind RouterTable::behind(const RouterPlanes& router, std::uint32_t lane,
                                        std::uint32_t link) const {
  const LaneBeside place = grid_.beside(router.block, lane, link);
  const std::uint32_t there = router.beside[link][place.which];
  return {there, place.lane, routers_[there].queue[opposite(link)]};
}

void RouterTable::go_to(Channel& channel, std::size_t position) {
  channel.position = static_cast<std::uint8_t>(position);
  show(of(channel), blocks_[of(channel).block], lane(channel),
       channel.routing->positions[position]);
}

void RouterTable::go_to(RouterPlanes& router, const Lanes& lanes, const isa::Routing& routing,
                        std::size_t position) {
  for_each_lane(lanes, [&](std::uint32_t lane) {
    channels_[channel(router, lane)].position = static_cast<std::uint8_t>(position);
  });
  show(router, blocks_[router.block], lanes, routing.positions[position]);
}

}  // namespace wse::vm::wafer
