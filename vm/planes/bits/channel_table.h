// The state of each channel beside its planes: its routing, its position, its queues.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/image/image.h"
#include "vm/load/channel_map.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/messages/runs.h"
#include "vm/support/large_pages.h"

namespace wse::vm::wafer {

// The queues of a channel: one for each port from which wavelets come, then the down-ramp.
inline constexpr std::uint32_t kUpRamp = static_cast<std::uint32_t>(isa::Port::Ramp);
inline constexpr std::uint32_t kDownRamp = isa::kMeshPorts;
inline constexpr std::uint32_t kQueues = kDownRamp + 1;

struct Channel {
  const isa::Routing* routing = nullptr;  // nullptr: nothing routes this colour here
  const isa::Routing* written = nullptr;  // in this cycle, for the next one
  PeId pe = 0;
  std::uint8_t colour = 0;
  std::uint8_t position = 0;
  std::uint8_t queues = 0;  // that it has, as bits
  bool torn_down = false;
  bool has_data_task = false;
  std::uint32_t router = 0;      // of its block and colour, see Routers
  std::uint32_t reader = kNone;  // the thread that takes from its down-ramp
};

class ChannelTable {
 public:
  // `image`, `mesh` and `map` must stay.
  ChannelTable(const isa::Image& image, const isa::Topology& mesh, const ChannelMap& map);

  Channel& operator[](ChannelId id) { return channels_[id]; }
  const Channel& operator[](ChannelId id) const { return channels_[id]; }
  std::size_t size() const { return channels_.size(); }
  ChannelId find(PeId pe, std::uint32_t colour) const { return map_.find(pe, colour); }
  const ChannelMap& map() const { return map_; }

 private:
  // Queues for what a routing takes and delivers, and behind its links.
  void make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing);

  const isa::Topology& mesh_;
  const ChannelMap& map_;
  LargeVector<Channel> channels_;
};

}  // namespace wse::vm::wafer
