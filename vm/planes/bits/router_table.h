// All routers of a strip: the planes of each block and colour in use there, the wires between them,
// and the way from a channel to its lane.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "isa/machine/profile.h"
#include "vm/planes/bits/channel_table.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/router_planes.h"
#include "vm/planes/bits/steps.h"
#include "vm/support/large_pages.h"

namespace wse::vm::wafer {

class RouterTable {
 public:
  // Makes the routers of all blocks, so that their numbers are the same in all processes, and
  // queues of those from block `first` up to, but not including, `end`: their channels are there.
  struct Blocks {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    bool contain(std::uint32_t block) const { return block - first < end - first; }
  };
  RouterTable(const Grid& grid, const isa::Profile& profile, ChannelTable& channels,
              const Blocks& own);

  std::size_t size() const { return routers_.size(); }
  RouterPlanes& operator[](std::size_t number) { return routers_[number]; }
  const RouterPlanes& operator[](std::size_t number) const { return routers_[number]; }
  BlockPlanes& block(std::size_t number) { return blocks_[number]; }
  const BlockPlanes& block(std::size_t number) const { return blocks_[number]; }
  // Routers of a block are first(block) .. first(block + 1) - 1, in ascending order of colours.
  std::uint32_t first(std::size_t block) const { return first_[block]; }
  const Shifts& shifts() const { return shifts_; }
  const Grid& grid() const { return grid_; }
  ChannelTable& channels() { return channels_; }
  const ChannelTable& channels() const { return channels_; }

  RouterPlanes& of(const Channel& channel) { return routers_[channel.router]; }
  std::uint32_t lane(const Channel& channel) const { return grid_.lane_of(channel.pe); }
  ChannelId channel(const RouterPlanes& router, std::uint32_t lane) const {
    return channels_.find(grid_.pe_of(router.block, lane), router.colour);
  }
  // A queue that the channel has, and its lane there.
  std::pair<PlaneQueue*, std::uint32_t> queue(ChannelId channel, std::uint32_t queue) {
    const Channel& c = channels_[channel];
    return {routers_[c.router].queue[queue], lane(c)};
  }
  std::pair<const PlaneQueue*, std::uint32_t> queue(ChannelId channel, std::uint32_t queue) const {
    const Channel& c = channels_[channel];
    return {routers_[c.router].queue[queue], lane(c)};
  }
  // The queue behind a link; nullptr: another process has it.
  struct Behind {
    std::uint32_t router;
    std::uint32_t lane;
    PlaneQueue* queue;
  };
  Behind behind(const RouterPlanes& router, std::uint32_t lane, std::uint32_t link) const;

  // Gives each strip wires of its own, in which other strips' blocks have all room and send
  // nothing. `ends`: by strip, after its last block. Before the first cycle.
  void share(std::span<const std::uint32_t> ends);

  // Another position of its routing, or the first one of a new routing.
  void go_to(Channel& channel, std::size_t position);
  // Gives the channels of these lanes another position of the routing that all of them have.
  void go_to(RouterPlanes& router, const Lanes& lanes, const isa::Routing& routing,
             std::size_t position);

 private:
  void make_routers();
  void make_queues(const isa::Profile& profile);
  void make_wires(const Blocks& strip);
  void connect(RouterPlanes& router);
  std::uint32_t find(std::int64_t block, std::uint32_t colour) const;

  const Grid& grid_;
  ChannelTable& channels_;
  Blocks own_;
  Shifts shifts_;
  std::vector<std::uint32_t> first_;
  LargeVector<RouterPlanes> routers_;
  LargeVector<BlockPlanes> blocks_;
  // Queues of all routers, one after the other as routers come to them.
  LargeVector<PlaneQueue> queues_;
  LargeVector<Lanes> planes_;
  LargeVector<RunList> run_lists_;
  std::deque<Wire> wires_;
};

}  // namespace wse::vm::wafer
