// The state of each channel beside its planes: its routing, its position, its queues.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/image/image.h"
#include "isa/support/checked.h"
#include "vm/load/channel_map.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/messages/runs.h"
#include "vm/support/large_pages.h"
#include "vm/support/pe_range.h"

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
  // Makes the channels of the PEs `pes`. `image`, `mesh` and `map` must stay.
  ChannelTable(const isa::Image& image, const isa::Topology& mesh, const ChannelMap& map,
               const PeRange& pes);

  // Returns a channel of one of these PEs.
  Channel& operator[](ChannelId id) { return channels_[index(id)]; }
  const Channel& operator[](ChannelId id) const { return channels_[index(id)]; }
  // All of them.
  std::span<Channel> all() { return channels_; }
  // The queues that channels of the colour have at any PE of the mesh, as bits.
  std::uint32_t queues_of(std::uint32_t colour) const { return queues_of_[colour]; }
  ChannelId find(PeId pe, std::uint32_t colour) const { return map_.find(pe, colour); }
  const ChannelMap& map() const { return map_; }

 private:
  std::size_t index(ChannelId id) const {
    isa::check_that(id - first_ < channels_.size(), "a process looks at channels of its own PEs");
    return id - first_;
  }
  void begin(PeId pe);
  // Queues for what a routing takes and delivers, and behind its links.
  void make_room(PeId pe, std::uint32_t colour, const isa::Routing& routing);
  void add_queues(PeId pe, std::uint32_t colour, std::uint32_t queues);

  const isa::Topology& mesh_;
  const ChannelMap& map_;
  PeRange pes_;
  ChannelId first_;
  LargeVector<Channel> channels_;
  std::array<std::uint32_t, isa::kMaxColours> queues_of_ = {};
};

}  // namespace wse::vm::wafer
