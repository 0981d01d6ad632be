// Adds up what queues have counted, also of blocks that rest.
#include "vm/planes/wafer_counts.h"

namespace wse::vm::wafer {

void WaferCounts::read_links(Cycle now, LinkSums& sums) {
  parts_.rests.settle(now);
  const Grid& grid = parts_.table.grid();
  for (std::size_t number = 0; number < parts_.table.size(); ++number) {
    const RouterPlanes& router = parts_.table[number];
    if (!parts_.pes.contains(grid.pe_of(router.block, 0))) continue;  // of another strip
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (router.queue[link] == nullptr) continue;
      router.queue[link]->pushed().for_each([&](std::uint32_t lane, std::uint64_t came) {
        sums.came(grid.pe_of(router.block, lane), static_cast<isa::Port>(link), came);
      });
    }
  }
}

void WaferCounts::count_unfinished() {
  parts_.ending.count_issued();
  for (PeId pe = parts_.pes.first; pe < parts_.pes.end; ++pe) {
    const Arrived here = arrived(pe);
    for (std::uint32_t link = 0; link < kLinks; ++link) parts_.counters.hops += here.pushed[link];
  }
}

Arrived WaferCounts::arrived(PeId pe) const {
  constexpr auto kDown = static_cast<std::size_t>(QueuePort::DownRamp);
  const ChannelTable& channels = parts_.table.channels();
  Arrived arrived;
  for (ChannelId id = channels.map().first(pe); id < channels.map().first(pe + 1); ++id) {
    for (std::uint32_t k = 0; k < kQueues; ++k) {
      if ((channels[id].queues >> k & 1) == 0) continue;
      const auto [queue, lane] = parts_.table.queue(id, k);
      arrived.pushed[k == kDownRamp ? kDown : k] += queue->pushed().value(lane);
      arrived.waiting += queue->size(lane);
      if (k == kDownRamp) arrived.waiting_down += queue->size(lane);
    }
  }
  return arrived;
}

}  // namespace wse::vm::wafer
