// Changes of a router in the middle of a message.
#include "vm/planes/blocks/switches.h"

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

void Switches::obey(Channel& channel, Standing& wavelet, bool goes_on, Cycle now) {
  const Obeyed obeyed = vm::obey(switch_of(channel), static_cast<std::uint32_t>(wavelet.word));
  change(channel, obeyed.now, now);
  parts_.history.controlled(parts_.table.channels().find(channel.pe, channel.colour), obeyed.turn,
                            goes_on);
  wavelet.word = obeyed.word;
}

Lanes Switches::alike(const RouterPlanes& router, std::uint32_t lane, const Lanes& among) const {
  const ChannelTable& channels = parts_.table.channels();
  const SwitchState first = switch_of(channels[parts_.table.channel(router, lane)]);
  Lanes same;
  for_each_lane(among, [&](std::uint32_t other) {
    same.put(other, switch_of(channels[parts_.table.channel(router, other)]) == first);
  });
  return same;
}

void Switches::obey(RouterPlanes& router, StandingSet& controls, bool goes_on, Cycle now) {
  ChannelTable& channels = parts_.table.channels();
  const SwitchState before =
      switch_of(channels[parts_.table.channel(router, first_of(controls.lanes))]);
  const Obeyed obeyed = vm::obey(before, static_cast<std::uint32_t>(controls.wavelet.word));
  controls.wavelet.word = obeyed.word;
  const bool turns = obeyed.now.position != before.position;
  if (turns) parts_.table.go_to(router, controls.lanes, *before.routing, obeyed.now.position);
  for_each_lane(controls.lanes, [&](std::uint32_t lane) {
    const ChannelId id = parts_.table.channel(router, lane);
    if (turns && !isa::mutant(isa::Mutant::SplitUnmarked)) split_run(channels[id]);
    if (obeyed.now.torn_down != before.torn_down) {
      tear_down(channels[id], obeyed.now.torn_down, now);
    }
    parts_.history.controlled(id, obeyed.turn, goes_on);
  });
}

void Switches::advance(Channel& channel, Cycle now) {
  const Obeyed obeyed = obey_advance(switch_of(channel));
  change(channel, obeyed.now, now);
  parts_.history.advanced(parts_.table.channels().find(channel.pe, channel.colour), obeyed.turn);
}

void Switches::change(Channel& channel, const SwitchState& next, Cycle now) {
  if (channel.position != next.position) {
    parts_.table.go_to(channel, next.position);
    if (!isa::mutant(isa::Mutant::SplitUnmarked)) split_run(channel);
  }
  if (channel.torn_down != next.torn_down) tear_down(channel, next.torn_down, now);
}

void Switches::tear_down(Channel& channel, bool torn_down, Cycle now) {
  channel.torn_down = torn_down;
  parts_.table.of(channel).torn_down.put(parts_.table.lane(channel), torn_down);
  if (!torn_down) return;
  parts_.client.torn_down(channel.pe, channel.colour, teardown_seen(parts_.profile, now));
}

void Switches::change_routing(Channel& channel, const SwitchState& next) {
  channel.routing = next.routing;
  channel.written = nullptr;
  parts_.table.go_to(channel, next.position);
  split_run(channel);
}

void Switches::split_run(const Channel& channel) {
  RouterPlanes& router = parts_.table.of(channel);
  const std::uint32_t lane = parts_.table.lane(channel);
  const auto port = static_cast<std::uint32_t>(channel.routing->positions[channel.position].rx);
  PlaneQueue& from = *router.queue[port];
  if (from.lists()[lane].first == kNone) return;
  const bool head_leaves = router.popped[port].has(lane);
  const std::uint64_t next = from.popped(lane) + (head_leaves ? 1 : 0);
  if (parts_.run_lists.look(from, lane, next).number < next) from.force(lane, head_leaves);
}

void Switches::turn_filter(RouterPlanes& router, std::uint32_t lane) {
  router.filters->turn(lane);
  if (isa::mutant(isa::Mutant::TurnUnmarked)) return;
  split_run(parts_.table.channels()[parts_.table.channel(router, lane)]);
}

}  // namespace wse::vm::wafer
