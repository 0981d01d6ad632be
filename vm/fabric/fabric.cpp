// The routers, stepped cycle by cycle: decide with the state at the start of the cycle, then move.
#include "vm/fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

using isa::mutant;
using isa::Mutant;

std::uint32_t deepest(const isa::Profile& profile) {
  return std::max({profile.router_depth, profile.up_ramp_depth, profile.down_ramp_depth}) + 1;
}

// Calls visit(port) for the ports of the mask.
template <class Visit>
void for_each_port(std::uint32_t tx, Visit visit) {
  for (std::uint32_t rest = tx; rest != 0; rest &= rest - 1) {
    visit(static_cast<isa::Port>(std::countr_zero(rest)));
  }
}

}  // namespace

Fabric::Fabric(const Mesh& mesh, const isa::Profile& profile, Channels channels, Agendas& agendas,
               Counters& counters, FirstTrap& trap, Tracer& tracer)
    : mesh_(mesh),
      profile_(profile),
      channels_(std::move(channels)),
      agendas_(agendas),
      counters_(counters),
      trap_(trap),
      tracer_(tracer),
      link_loads_(mesh.pes()),
      controls_(mesh.pes()),
      ramp_loads_(mesh.pes()) {
  queues_.resize(channels_.queue_count(), deepest(profile));
}

Fabric::Head Fabric::head(ChannelId channel, Cycle now) const {
  const QueueId down = channels_[channel].queue(QueuePort::DownRamp);
  if (!queues_.can_take(down, now)) return Head::None;
  return queues_.head(down).control ? Head::Control : Head::Data;
}

std::uint32_t Fabric::take_input(ChannelId channel, Cycle now) {
  const Channel& from = channels_[channel];
  const Wavelet wavelet = queues_.pop(from.queue(QueuePort::DownRamp), now);
  agendas_.routers.add(from.pe, now + 1);
  if (controls_[from.pe] > 0) agendas_.cores.add(from.pe, now + 1);  // it may be head now
  if (wavelet.control) --controls_[from.pe];
  return wavelet.data;
}

std::uint32_t Fabric::pick_input(ChannelId channel, Cycle now) {
  agendas_.issue.add(channels_[channel].pe, now + 1);
  agendas_.cores.add(channels_[channel].pe, now + 1);
  return take_input(channel, now);
}

void Fabric::drop_null_entries(PeId pe, Cycle now) {
  for (const Channel& channel : channels_.of(pe)) {
    if (!channel.has(QueuePort::DownRamp)) continue;
    const ChannelId id = channels_.find(pe, channel.colour);
    if (head(id, now) != Head::Control) continue;
    const Wavelet& wavelet = queues_.head(channel.queue(QueuePort::DownRamp));
    if (isa::entry_of(wavelet.data) == isa::kNullEntry) pick_input(id, now);
  }
}

bool Fabric::has_room(ChannelId channel, Cycle now) const {
  const QueueId up = channels_[channel].queue(QueuePort::UpRamp);
  return queues_.occupancy_at_start(up, now) < profile_.up_ramp_depth;
}

void Fabric::inject(ChannelId channel, std::uint32_t data, Cycle now) {
  const Channel& into = channels_[channel];
  const Cycle latency = profile_.ramp_latency_cycles - (mutant(Mutant::RampLatency) ? 1u : 0u);
  const Cycle visible = now + 1 + latency;
  queues_.push(into.queue(QueuePort::UpRamp), {data, 0, false, visible});
  agendas_.routers.add(into.pe, visible);
  ++counters_.wavelets;
}

void Fabric::step(Cycle now) {
  for (const PeId pe : agendas_.routers.take(now)) step_router(pe, now);
}

void Fabric::step_router(PeId pe, Cycle now) {
  const std::span<Channel> channels = channels_.of(pe);
  const std::size_t count = channels.size();
  const auto arbitration = static_cast<isa::Arbitration>(profile_.arbitration);
  std::size_t first = 0;
  if (arbitration == isa::Arbitration::Rotate) {
    const auto colour = static_cast<std::uint32_t>(now % profile_.colours);
    while (first < count && channels[first].colour < colour) ++first;
  }
  std::uint32_t used = 0;
  bool moved = false;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t index = (first + k) % count;
    if (mutant(Mutant::ArbitrationOrder)) index = count - 1 - index;
    moved |= move(channels[index], used, now);
  }
  if (moved) agendas_.routers.add(pe, now + 1);
}

bool Fabric::move(Channel& channel, std::uint32_t& used, Cycle now) {
  const isa::SwitchPosition* position = channel.current();
  if (position == nullptr) return false;
  const QueueId from = channel.queue(input_queue(position->rx));
  if (!queues_.visible(from, now)) return false;
  const std::uint32_t tx = position->tx;
  if ((used & tx) != 0 && !mutant(Mutant::LinkDoubleRate)) return false;
  if (!all_have_room(channel, tx, now) || leaves_grid(channel, tx, now)) return false;
  used |= tx;
  const Wavelet wavelet = queues_.pop(from, now);
  if (position->rx == isa::Port::Ramp) {
    agendas_.issue.add(channel.pe, now + 1);
  } else {
    agendas_.routers.add(mesh_.linked(channel.pe, position->rx), now + 1);
  }
  for_each_port(tx, [&](isa::Port port) { deliver(channel, port, wavelet, now); });
  counters_.finished(now + 1);
  tracer_.move(now, channel.pe, channel.colour, position->rx, tx, wavelet.data);
  return true;
}

bool Fabric::all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const {
  if (mutant(Mutant::MulticastSplit)) tx &= ~tx + 1;  // the lowest port only
  const std::uint32_t link_depth = profile_.router_depth + (mutant(Mutant::RouterDepth) ? 1u : 0u);
  bool room = true;
  for_each_port(tx, [&](isa::Port port) {
    const QueueId target = channel.target[static_cast<std::size_t>(port)];
    if (target == kNoQueue) return;  // see leaves_grid()
    const std::uint32_t depth = port == isa::Port::Ramp ? profile_.down_ramp_depth : link_depth;
    room &= queues_.occupancy_at_start(target, now) < depth;
  });
  return room;
}

bool Fabric::leaves_grid(const Channel& channel, std::uint32_t tx, Cycle now) {
  bool leaves = false;
  for_each_port(tx, [&](isa::Port port) {
    if (channel.target[static_cast<std::size_t>(port)] != kNoQueue) return;
    leaves = true;
    trap_.raise({isa::Trap::OffGrid, now, channel.pe, kNoPc,
                 fmt::format("a wavelet of colour {} would leave the grid to the {}",
                             channel.colour, isa::text(port))});
  });
  return leaves;
}

void Fabric::deliver(const Channel& channel, isa::Port port, Wavelet wavelet, Cycle now) {
  const QueueId target = channel.target[static_cast<std::size_t>(port)];
  if (port == isa::Port::Ramp) {
    wavelet.visible = now + profile_.ramp_latency_cycles;
    agendas_.issue.add(channel.pe, wavelet.visible);
    if (wavelet.control || channel.has_data_task) agendas_.cores.add(channel.pe, wavelet.visible);
    if (wavelet.control) ++controls_[channel.pe];
    ++ramp_loads_[channel.pe];
    counters_.max_distance = std::max(counters_.max_distance, std::uint32_t{wavelet.hops});
  } else {
    wavelet.visible = now + profile_.hop_latency_cycles;
    ++wavelet.hops;
    ++counters_.hops;
    ++link_loads_[channel.pe][static_cast<std::size_t>(port)];
    agendas_.routers.add(mesh_.linked(channel.pe, port), wavelet.visible);
  }
  queues_.push(target, wavelet);
}

std::uint64_t Fabric::links_used() const {
  std::uint64_t used = 0;
  for (const auto& loads : link_loads_) {
    used += static_cast<std::uint64_t>(std::ranges::count_if(loads, [](auto n) { return n > 0; }));
  }
  return used;
}

std::uint64_t Fabric::max_link_load() const {
  std::uint64_t most = 0;
  for (const auto& loads : link_loads_) most = std::max(most, std::ranges::max(loads));
  return most;
}

std::uint64_t Fabric::max_ramp_wavelets() const { return std::ranges::max(ramp_loads_); }

std::uint64_t Fabric::wavelets_left() const {
  std::uint64_t left = 0;
  for (QueueId q = 0; q < channels_.queue_count(); ++q) left += queues_.size(q);
  return left;
}

}  // namespace wse::vm
