// Tasks, instructions and routers take from down-ramps.
#include "vm/planes/blocks/down_ramps.h"

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

Transport::Head DownRamps::head(ChannelId id) const {
  using Head = Transport::Head;
  const Channel& channel = parts_.table.channels()[id];
  if ((channel.queues >> kDownRamp & 1) == 0) return Head::None;
  const RouterPlanes& router = parts_.table[channel.router];
  const PlaneQueue& down = *router.queue[kDownRamp];
  const std::uint32_t lane = parts_.table.lane(channel);
  if (!down.heads().has(lane) || router.took.has(lane)) return Head::None;
  if (!down.flags().head_has(RampFlag::Control, lane)) return Head::Data;
  return down.flags().head_has(RampFlag::Unwanted, lane) ? Head::None : Head::Control;
}

std::uint32_t DownRamps::head_data(ChannelId id) {
  const auto [down, lane] = parts_.table.queue(id, kDownRamp);
  const std::uint64_t number = down->popped(lane);
  if (isa::mutant(isa::Mutant::PickerForgets)) parts_.run_lists.find(*down, lane, number);
  return parts_.words.value(parts_.run_lists.look(*down, lane, number));
}

std::uint32_t DownRamps::pick(ChannelId id, Cycle now) {
  Channel& channel = parts_.table.channels()[id];
  RouterPlanes& router = parts_.table.of(channel);
  const auto [down, lane] = parts_.table.queue(id, kDownRamp);
  const bool sleeps_on = isa::mutant(isa::Mutant::SteadyPick);
  if (parts_.rests.has(router.block) && !sleeps_on) parts_.rests.wake(router.block, now);
  if (down->flags().head_has(RampFlag::Control, lane)) {
    pass_control(id);
    parts_.controls.remove(channel.pe);
  }
  const Standing wavelet = parts_.run_lists.find(*down, lane, down->popped(lane));
  const std::uint32_t value = parts_.words.value(wavelet);
  if (parts_.run_lists.is_last(wavelet)) parts_.run_lists.drop(*down, lane);
  down->pop_now(lane);
  router.took.set(lane);
  parts_.activity.touch(channel.router);
  parts_.client.look_at(channel.pe, now + 1);
  return value;
}

void DownRamps::pass_control(ChannelId id) {
  const std::uint32_t reader = parts_.table.channels()[id].reader;
  if (reader == kNone) return;
  Thread& thread = parts_.threads[reader];
  parts_.words.apply(reader, parts_.issue.issued(thread));
  for (std::size_t k = 0; k < thread.in.size(); ++k) {
    const bool passes = thread.in[k] == id && !isa::mutant(isa::Mutant::ControlCounts);
    if (passes) ++thread.next[k];
  }
}

void DownRamps::drop_control(ChannelId id, Cycle now) {
  const Channel& channel = parts_.table.channels()[id];
  const auto [down, lane] = parts_.table.queue(id, kDownRamp);
  pass_control(id);
  parts_.run_lists.find(*down, lane, down->popped(lane));
  parts_.run_lists.drop(*down, lane);
  parts_.table.of(channel).received.set(lane);
  parts_.client.look_at(channel.pe, now + 1);
}

void DownRamps::take_control(ChannelId id, Cycle now) {
  drop_control(id, now);
  parts_.controls.remove(parts_.table.channels()[id].pe);
  parts_.activity.touch(parts_.table.channels()[id].router);
}

}  // namespace wse::vm::wafer
