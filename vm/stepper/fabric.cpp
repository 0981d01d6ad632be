// The routers, stepped cycle by cycle: decide with the state at the start of the cycle, then move.
#include "vm/stepper/fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/control_word.h"
#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

using isa::mutant;
using isa::Mutant;

// False if the wavelet does not go to the PE at all: no ramp, or a command that the PE ignores.
bool reaches_filter(const isa::SwitchPosition& position, const Wavelet& wavelet) {
  if ((position.tx & isa::bit(isa::Port::Ramp)) == 0) return false;
  const bool ignored = isa::command_of(wavelet.data, 0).ignore && !mutant(Mutant::IgnoreBit);
  return wavelet.control == 0 || !ignored;
}

}  // namespace

Fabric::Fabric(const Parts& parts)
    : image_(parts.image),
      mesh_(parts.mesh),
      profile_(parts.profile),
      channels_(parts.image, parts.mesh, parts.channels),
      streams_(parts.streams),
      agendas_(parts.agendas),
      counters_(parts.counters),
      trap_(parts.trap),
      tracer_(parts.tracer),
      link_loads_(std::size_t{mesh_.pes()} * mesh_.links()),
      link_free_(profile_.link_interval_cycles > 1 ? link_loads_.size() : 0),
      controls_(mesh_.pes()),
      ramp_loads_(mesh_.pes()) {
  queues_.resize(channels_.queue_count(), queue_places(profile_));
  open_streams(parts.image);
}

Fabric::Head Fabric::head(ChannelId channel, Cycle now) const {
  if (!channels_[channel].has(QueuePort::DownRamp)) return Head::None;
  const QueueId down = channels_[channel].queue(QueuePort::DownRamp);
  if (!queues_.can_take(down, now)) return Head::None;
  if (!queues_.is_control(down)) return Head::Data;
  const bool unwanted = isa::entry_of(queues_.head(down).data) == isa::kNoEntry;
  return unwanted ? Head::None : Head::Control;  // the router drops it
}

std::uint32_t Fabric::take_input(ChannelId channel, Cycle now) {
  const Channel& from = channels_[channel];
  const Wavelet wavelet = queues_.pop(from.queue(QueuePort::DownRamp), now);
  agendas_.routers.add(from.pe, now + 1);
  if (controls_[from.pe] > 0) client_->look_at(from.pe, now + 1);  // it may be head now
  if (wavelet.control != 0) --controls_[from.pe];
  return wavelet.data;
}

std::uint32_t Fabric::pick_input(ChannelId channel, Cycle now) {
  agendas_.issue.add(channels_[channel].pe, now + 1);
  client_->look_at(channels_[channel].pe, now + 1);
  return take_input(channel, now);
}

bool Fabric::has_room(ChannelId channel, Cycle now) const {
  const QueueId up = channels_[channel].queue(QueuePort::UpRamp);
  return queues_.occupancy_at_start(up, now) < profile_.up_ramp_depth;
}

void Fabric::inject(ChannelId channel, Wavelet wavelet, Cycle now) {
  const Channel& into = channels_[channel];
  const Cycle latency = profile_.ramp_latency_cycles - (mutant(Mutant::RampLatency) ? 1u : 0u);
  wavelet.hops = 0;
  wavelet.visible = now + 1 + latency;
  queues_.push(into.queue(QueuePort::UpRamp), wavelet);
  agendas_.routers.add(into.pe, wavelet.visible);
  ++counters_.wavelets;
}

void Fabric::step(Cycle now) {
  for (const PeId pe : agendas_.routers.take(now)) step_router(pe, now);
  for (const ConfigurationWrite& write : writes_) apply(write, now);
  writes_.clear();
}

void Fabric::step_router(PeId pe, Cycle now) {
  const std::span<Channel> channels = channels_.of(pe);
  const std::size_t count = channels.size();
  const auto arbitration = static_cast<isa::Arbitration>(profile_.arbitration);
  std::size_t first = 0;
  if (arbitration == isa::Arbitration::Rotate && !mutant(Mutant::RotateStays)) {
    const auto colour = static_cast<std::uint32_t>(now % profile_.colours);
    while (first < count && channels[first].colour < colour) ++first;
  }
  std::uint32_t used = 0;
  bool moved = false;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t index = first + k < count ? first + k : first + k - count;
    if (mutant(Mutant::ArbitrationOrder)) index = count - 1 - index;
    if (channels[index].unwanted > 0) moved |= drop_unwanted(channels[index], now);
    moved |= move(channels[index], used, now);
  }
  if (moved) agendas_.routers.add(pe, now + 1);
}

bool Fabric::move(Channel& channel, std::uint32_t& used, Cycle now) {
  const bool entered = channel.extra != kNoExtra && enter(channel, now);
  const isa::SwitchPosition* position = channel.current();
  if (position == nullptr || channel.torn_down) return entered;
  const QueueId from = channel.queue(input_queue(position->rx));
  if (!queues_.visible(from, now)) return entered;
  const std::uint32_t tx = targets(channel, *position, from);
  if ((used & tx) != 0 && !mutant(Mutant::LinkDoubleRate)) return entered;
  if (!all_have_room(channel, tx, now)) return entered;
  if (!link_free_.empty() && !links_free(channel.pe, tx, now)) return entered;
  if (channel.leads_out && !may_leave(channel, tx, from, now)) return entered;
  used |= tx;
  Wavelet wavelet = queues_.pop(from, now);
  wake_behind(channel, position->rx, now);
  counters_.finished(now + 1);
  tracer_.move(now, channel.pe, channel.colour, *position, tx, wavelet.data, wavelet.control != 0);
  if (channel.extra != kNoExtra && reaches_filter(*position, wavelet)) {
    const bool dropped = (tx & isa::bit(isa::Port::Ramp)) == 0 && wavelet.control == 0;
    extras_[channel.extra].dropped += dropped ? 1 : 0;
    extras_[channel.extra].filter.count(wavelet);
  }
  const bool advances = wavelet.advances != 0 && position->rx == isa::Port::Ramp;
  wavelet.advances = 0;
  if (wavelet.control != 0) obey(channel, wavelet, now);
  if (advances) advance(channel, now);
  channels_.for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    deliver(channel, port, target, wavelet, now);
  });
  return true;
}

std::uint32_t Fabric::targets(const Channel& channel, const isa::SwitchPosition& position,
                              QueueId from) const {
  constexpr std::uint32_t kRamp = isa::bit(isa::Port::Ramp);
  if (mutant(Mutant::AdvanceEarly) && queues_.head(from).advances != 0) {
    const std::vector<isa::SwitchPosition>& positions = channel.routing->positions;
    return positions[(channel.position + 1u) % positions.size()].tx;
  }
  if (!queues_.is_control(from) && channel.extra == kNoExtra) return position.tx;
  const Wavelet& wavelet = queues_.head(from);
  if (!reaches_filter(position, wavelet)) return position.tx & ~kRamp;
  if (channel.extra == kNoExtra || extras_[channel.extra].filter.passes(wavelet)) {
    return position.tx;
  }
  return position.tx & ~kRamp;
}

void Fabric::wake_behind(const Channel& channel, isa::Port rx, Cycle now) {
  if (rx == isa::Port::Ramp) {
    agendas_.issue.add(channel.pe, now + 1);
  } else if (channel.extra == kNoExtra || mesh_.neighbour(channel.pe, rx)) {
    agendas_.routers.add(mesh_.linked(channel.pe, rx), now + 1);
  }
}

bool Fabric::all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const {
  if (mutant(Mutant::MulticastSplit)) tx &= ~tx + 1;  // the lowest port only
  const std::uint32_t link_depth = profile_.router_depth + (mutant(Mutant::RouterDepth) ? 1u : 0u);
  bool room = true;
  channels_.for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    if (target == kNoQueue) return;  // see may_leave()
    const std::uint32_t depth = port == isa::Port::Ramp ? profile_.down_ramp_depth : link_depth;
    room &= queues_.occupancy_at_start(target, now) < depth;
  });
  return room;
}

std::uint32_t Fabric::full_ports(ChannelId id, Cycle now) const {
  const Channel& channel = channels_[id];
  const isa::SwitchPosition* position = channel.current();
  if (position == nullptr) return 0;
  const QueueId from = channel.queue(input_queue(position->rx));
  std::uint32_t full = 0;
  for_each_port(queues_.empty(from) ? position->tx : targets(channel, *position, from),
                [&](isa::Port port) {
                  if (!all_have_room(channel, isa::bit(port), now)) full |= isa::bit(port);
                });
  return full;
}

// False if a link still carries the wavelet before; the router is looked at again when all are
// free.
bool Fabric::links_free(PeId pe, std::uint32_t tx, Cycle now) {
  Cycle free = now;
  for_each_port(tx & ~isa::bit(isa::Port::Ramp),
                [&](isa::Port port) { free = std::max(free, link_free_[link(pe, port)]); });
  if (free == now) return true;
  agendas_.routers.add(pe, free);
  return false;
}

// False, and a trap, if a port leads off the grid and no stream takes the wavelet there.
bool Fabric::may_leave(const Channel& channel, std::uint32_t tx, QueueId from, Cycle now) {
  const bool control = queues_.is_control(from);
  bool may = true;
  channels_.for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    if (target != kNoQueue) return;
    const auto side = static_cast<std::size_t>(port);
    const StreamEndId stream =
        channel.extra == kNoExtra ? kNoStream : extras_[channel.extra].leaves[side];
    if (stream != kNoStream && !control && streams_.left(stream) > 0) return;
    may = false;
    if (stream != kNoStream && !control) {
      const isa::Stream& full = streams_.stream(stream);
      trap_.raise({.trap = isa::Trap::StreamFull,
                   .cycle = now,
                   .pe = channel.pe,
                   .detail = fmt::format("{} has {} elements here", full.name, full.count),
                   .stream = &full});
      return;
    }
    trap_.raise({.trap = isa::Trap::OffGrid,
                 .cycle = now,
                 .pe = channel.pe,
                 .detail = fmt::format("a {}wavelet of colour {} would leave the grid to the {}",
                                       control ? "control " : "",
                                       image_.colour_name(channel.colour), isa::text(port)),
                 .routing = channel.routing});
  });
  return may;
}

void Fabric::deliver(Channel& channel, isa::Port port, QueueId target, Wavelet wavelet, Cycle now) {
  if (!link_free_.empty() && port != isa::Port::Ramp) {
    const Cycle early = mutant(Mutant::LinkInterval) ? 1 : 0;
    link_free_[link(channel.pe, port)] = now + profile_.link_interval_cycles - early;
  }
  if (target == kNoQueue) {
    return streams_.put(extras_[channel.extra].leaves[static_cast<std::size_t>(port)],
                        wavelet.data);
  }
  if (port == isa::Port::Ramp) {
    wavelet.visible = now + profile_.ramp_latency_cycles;
    agendas_.issue.add(channel.pe, wavelet.visible);
    arrive(channel, wavelet);
    ++ramp_loads_[channel.pe];
    counters_.max_distance = std::max(counters_.max_distance, std::uint32_t{wavelet.hops});
  } else {
    wavelet.visible = now + profile_.hop_latency_cycles + (mutant(Mutant::HopLate) ? 1u : 0u);
    ++wavelet.hops;
    ++counters_.hops;
    ++link_loads_[link(channel.pe, port)];
    agendas_.routers.add(mesh_.linked(channel.pe, port), wavelet.visible);
  }
  queues_.push(target, wavelet);
}

// Wakes who looks at the down-ramp.
void Fabric::arrive(Channel& channel, const Wavelet& wavelet) {
  const bool control = wavelet.control != 0;
  if (control && isa::entry_of(wavelet.data) == isa::kNoEntry) {
    ++channel.unwanted;
    agendas_.routers.add(channel.pe, wavelet.visible);
    return;
  }
  if (control) ++controls_[channel.pe];
  if (control || channel.has_data_task) client_->look_at(channel.pe, wavelet.visible);
}

std::uint64_t Fabric::links_used() const {
  const auto unused = std::ranges::count(link_loads_, 0u);
  return link_loads_.size() - static_cast<std::size_t>(unused);
}

std::uint64_t Fabric::max_link_load() const { return std::ranges::max(link_loads_); }

std::uint64_t Fabric::max_ramp_wavelets() const { return std::ranges::max(ramp_loads_); }

std::uint64_t Fabric::wavelets_left() const {
  std::uint64_t left = streams_.waiting();
  for (QueueId q = 0; q < channels_.queue_count(); ++q) left += queues_.size(q);
  return left;
}

}  // namespace wse::vm
