// Finds lanes that are alike, and moves their words.
#include "vm/planes/blocks/marked_sets.h"

namespace wse::vm::wafer {
namespace {

// Lanes of a run: to find those that are alike takes as long as some single moves.
constexpr std::uint32_t kFewest = 8;

// Removes the lanes whose wavelets go other ways than that of the lane.
void keep_same_ways(Lanes& lanes, const RouterPlanes& router, std::uint32_t lane) {
  keep_same(lanes, router.delivered, lane);
  for (std::uint32_t link = 0; link < kLinks; ++link) keep_same(lanes, router.tx[link], lane);
}

}  // namespace

Lanes MarkedSets::move(RouterPlanes& router, std::uint32_t port, const Lanes& marked, Cycle now) {
  const PlaneQueue& from = *router.queue[port];
  Lanes rest = without(marked & from.lists().joined(), from.forced());
  if (rest.count() < kFewest) return marked;
  Lanes alone = without(marked, rest);
  for_each_lane(rest, [&](std::uint32_t lane) { parts_.run_lists.fetch().run(from, lane); });
  while (rest.any()) {
    const std::uint32_t lane = first_of(rest);
    Lanes lanes;
    lanes.set(lane);
    if (parts_.run_lists.first(from, lane).lists >= kFewest) {
      lanes = parts_.run_lists.alike(from, lane, rest);
      keep_same_ways(lanes, router, lane);
    }
    rest.remove(lanes);
    if (lanes.has_one() || !move_alike(router, port, lanes, now)) alone |= lanes;
  }
  return alone;
}

bool MarkedSets::move_alike(RouterPlanes& router, std::uint32_t port, const Lanes& lanes,
                            Cycle now) {
  PlaneQueue& from = *router.queue[port];
  const StandingSet wavelets = parts_.run_lists.find(from, lanes);
  if (port == kUpRamp && parts_.run_lists.advances(wavelets.wavelet)) return false;
  const std::uint32_t lane = first_of(lanes);
  const std::uint32_t ports = router.ways(lane);
  if (wavelets.wavelet.is_control()) {
    parts_.run_lists.drop(from, lanes);
    move_controls(router, wavelets, ports, now);
    return true;
  }
  const bool begins = wavelets.wavelet.number == from.popped(lane);
  deliver(router, wavelets, ports, begins, now);
  if (parts_.run_lists.is_last(wavelets.wavelet)) parts_.run_lists.drop(from, lanes);
  return true;
}

void MarkedSets::move_controls(RouterPlanes& router, const StandingSet& controls,
                               std::uint32_t ports, Cycle now) {
  Lanes rest = controls.lanes;
  while (rest.any()) {
    StandingSet alike = controls;
    alike.lanes = parts_.switches.alike(router, first_of(rest), rest);
    rest.remove(alike.lanes);
    alike.wavelet.advances = false;
    parts_.switches.obey(router, alike, ports != 0, now);
    deliver(router, alike, ports, true, now);
  }
}

void MarkedSets::deliver(const RouterPlanes& router, const StandingSet& wavelets,
                         std::uint32_t ports, bool begins, Cycle now) {
  if ((ports >> kUpRamp & 1) != 0) parts_.arrivals.at_pe(router, wavelets, begins, now);
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if ((ports >> link & 1) == 0) continue;
    parts_.arrivals.over_link(router, link, wavelets, begins, now);
  }
}

}  // namespace wse::vm::wafer
