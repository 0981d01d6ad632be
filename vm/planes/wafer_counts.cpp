// Adds up what queues have counted, also of blocks that rest.
#include "vm/planes/wafer_counts.h"

namespace wse::vm::wafer {

void WaferCounts::keep_links() {
  const Grid& grid = parts_.table.grid();
  links_ = std::make_unique<Links>(grid.mesh());
  LinkSums& sums = links_->sums;
  const bool has_rows = sums.tiles().side() == 1;
  links_->runs.resize(std::size_t{grid.blocks()} * kLinks);
  links_->tallies.reserve(links_->runs.size());
  for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      std::vector<LinkTally::Run>& runs = links_->runs[links_->tallies.size()];
      if (is_own(block)) runs = tally_runs(grid, block, isa::Port(link), sums.tiles());
      links_->tallies.emplace_back(runs, has_rows, sums);
    }
  }
  for (std::size_t number = 0; number < parts_.table.size(); ++number) {
    const RouterPlanes& router = parts_.table[number];
    if (!is_own(router.block)) continue;
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (router.queue[link] == nullptr) continue;
      UpCounter& counter = router.queue[link]->pushed();
      counter.keep(links_->tallies[router.block * kLinks + link]);
      links_->counters.push_back(&counter);
    }
  }
}

void WaferCounts::read_links(Cycle now, LinkSums& sums) {
  parts_.rests.settle(now);
  for (UpCounter* const counter : links_->counters) counter->tell();
  sums.add(links_->sums);
}

void WaferCounts::add_pushed(QueuePort port, std::span<std::uint64_t> wavelets) const {
  const std::uint32_t queue =
      port == QueuePort::DownRamp ? kDownRamp : static_cast<std::uint32_t>(port);
  for (std::size_t number = 0; number < parts_.table.size(); ++number) {
    const RouterPlanes& router = parts_.table[number];
    if (router.queue[queue] == nullptr || !is_own(router.block)) continue;
    const auto pushed = router.queue[queue]->pushed().values();
    parts_.table.grid().for_each_pe(
        router.block, [&](PeId pe, std::uint32_t lane) { wavelets[pe] += pushed[lane]; });
  }
}

void WaferCounts::add_waiting_down(std::span<std::uint64_t> wavelets) const {
  for (std::size_t number = 0; number < parts_.table.size(); ++number) {
    const RouterPlanes& router = parts_.table[number];
    if (router.queue[kDownRamp] == nullptr || !is_own(router.block)) continue;
    for (const Lanes& held : router.queue[kDownRamp]->totals()) {
      for_each_lane(held, [&](std::uint32_t lane) {
        ++wavelets[parts_.table.grid().pe_of(router.block, lane)];
      });
    }
  }
}

void WaferCounts::count_unfinished() {
  parts_.ending.count_issued();
  for (std::size_t number = 0; number < parts_.table.size(); ++number) {
    const RouterPlanes& router = parts_.table[number];
    if (!is_own(router.block)) continue;
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (router.queue[link] == nullptr) continue;
      for (const std::uint64_t pushed : router.queue[link]->pushed().values()) {
        parts_.counters.hops += pushed;
      }
    }
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
