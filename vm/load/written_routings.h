// The routings that a channel may ever have, by number: that of the image, or one that the program
// of its PE writes. So a state names a routing without a pointer.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/load/channel_map.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

class WrittenRoutings {
 public:
  static constexpr std::uint32_t kNone = ~0u;         // nothing routes the colour here
  static constexpr std::uint32_t kImage = kNone - 1;  // as the machine begins

  // Of the PEs of a strip. The map must live longer.
  WrittenRoutings(const PeRange& pes, const ChannelMap& map) : pes_(pes), map_(map) {}

  // Returns the number of what the channel has now; null: kNone.
  std::uint32_t number_of(ChannelId channel, const isa::Routing* routing);
  // Returns whether the channel may have a routing of that number.
  bool has(ChannelId channel, std::uint32_t number) {
    return number >= kImage || number < of(channel).size();
  }
  // Returns that of a number which it may have; `image` is what the machine begins with.
  const isa::Routing* routing_of(ChannelId channel, std::uint32_t number,
                                 const isa::Routing* image);

 private:
  const std::vector<const isa::Routing*>& of(ChannelId channel);

  PeRange pes_;
  const ChannelMap& map_;
  bool is_found_ = false;
  std::unordered_map<ChannelId, std::vector<const isa::Routing*>> written_;  // once asked for
};

}  // namespace wse::vm
