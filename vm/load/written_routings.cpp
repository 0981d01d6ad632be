// Finds the routings that programs write, when the first one is asked for.
#include "vm/load/written_routings.h"

#include <algorithm>
#include <utility>

namespace wse::vm {

const std::vector<const isa::Routing*>& WrittenRoutings::of(ChannelId channel) {
  if (!std::exchange(is_found_, true)) {
    for (const ChannelMap::Written& one : map_.written()) {
      if (!pes_.contains(one.pe)) continue;
      written_[map_.find(one.pe, one.colour)].push_back(one.routing);
    }
  }
  static const std::vector<const isa::Routing*> kNoOthers;
  const auto found = written_.find(channel);
  return found != written_.end() ? found->second : kNoOthers;
}

std::uint32_t WrittenRoutings::number_of(ChannelId channel, const isa::Routing* routing) {
  if (routing == nullptr) return kNone;
  const std::vector<const isa::Routing*>& others = of(channel);
  const auto other = std::ranges::find(others, routing);
  return other != others.end() ? static_cast<std::uint32_t>(other - others.begin()) : kImage;
}

const isa::Routing* WrittenRoutings::routing_of(ChannelId channel, std::uint32_t number,
                                                const isa::Routing* image) {
  if (number == kNone) return nullptr;
  return number == kImage ? image : of(channel)[number];
}

}  // namespace wse::vm
