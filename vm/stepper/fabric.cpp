// The routers, stepped cycle by cycle: decide with the state at the start of the cycle, then move.
#include "vm/stepper/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

using isa::mutant;
using isa::Mutant;

// False if the wavelet does not go to the PE at all: no ramp, or a command that the PE ignores.
bool reaches_filter(const Channel& channel, const Wavelet& wavelet) {
  if ((channel.tx & isa::bit(isa::Port::Ramp)) == 0) return false;
  const bool ignored = isa::command_of(wavelet.data, 0).ignore && !mutant(Mutant::IgnoreBit);
  return wavelet.control == 0 || !ignored;
}

}  // namespace

Fabric::Fabric(const Parts& parts)
    : image_(parts.image),
      mesh_(parts.mesh),
      profile_(parts.profile),
      channels_(parts.image, parts.mesh, parts.profile, parts.channels, queues_),
      streams_(parts.streams),
      agenda_(parts.agenda),
      counters_(parts.counters),
      trap_(parts.trap),
      tracer_(parts.tracer),
      up_ramp_cycles_(profile_.ramp_latency_cycles - (mutant(Mutant::RampLatency) ? 1u : 0u)),
      hop_cycles_(profile_.hop_latency_cycles + (mutant(Mutant::HopLate) ? 1u : 0u)),
      rotates_(static_cast<isa::Arbitration>(profile_.arbitration) == isa::Arbitration::Rotate &&
               !mutant(Mutant::RotateStays)),
      link_free_(profile_.link_interval_cycles > 1 ? std::size_t{mesh_.pes()} * mesh_.links() : 0),
      controls_(mesh_.pes()) {
  open_streams(parts.image);
}

std::uint32_t Fabric::pick_input(ChannelId id, Cycle now) {
  const Channel& channel = channels_[id];
  client_->look_at(channel.pe, now + 1);
  return take_input(channel.pe, channels_.queue(channel, QueuePort::DownRamp), now);
}

void Fabric::apply_writes(Cycle now) {
  for (const ConfigurationWrite& write : writes_) apply(write, now);
  writes_.clear();
}

void Fabric::step_router(PeId pe, std::span<Channel> channels, Cycle now) {
  const std::size_t count = channels.size();
  std::size_t first = 0;
  if (rotates_) {
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
  if (moved) agenda_.add(pe, now + 1);
}

bool Fabric::move(Channel& channel, std::uint32_t& used, Cycle now) {
  const bool entered = channel.extra != kNoExtra && enter(channel, now);
  if (!channel.is_routed() || channel.torn_down) return entered;
  const Wavelet& head = queues_.head(channel.from);
  if (head.visible > now) return entered;
  const std::uint32_t tx = targets(channel, head);
  if ((used & tx) != 0 && !mutant(Mutant::LinkDoubleRate)) return entered;
  if (!all_have_room(channel, tx, now)) return entered;
  if (!link_free_.empty() && !links_free(channel.pe, tx, now)) return entered;
  if (channel.leads_out && !may_leave(channel, tx, head.control != 0, now)) return entered;
  used |= tx;
  Wavelet wavelet = queues_.pop(channel.from, now);
  wake_behind(channel, now);
  counters_.finished(now + 1);
  if (tracer_.is_open()) {
    tracer_.move(now, channel.pe, channel.colour, channel.rx, tx, wavelet.data,
                 wavelet.control != 0);
  }
  if (channel.extra != kNoExtra) count_filtered(channel, tx, wavelet);
  const bool advances = wavelet.advances != 0 && channel.rx == isa::Port::Ramp;
  wavelet.advances = 0;
  if (wavelet.control != 0) obey(channel, wavelet, now);
  if (advances) advance(channel, now);
  channels_.for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    deliver(channel, port, target, wavelet, now);
  });
  return true;
}

void Fabric::count_filtered(const Channel& channel, std::uint32_t tx, const Wavelet& wavelet) {
  if (!reaches_filter(channel, wavelet)) return;
  const bool dropped = (tx & isa::bit(isa::Port::Ramp)) == 0 && wavelet.control == 0;
  extras_[channel.extra].dropped += dropped ? 1 : 0;
  extras_[channel.extra].filter.count(wavelet);
}

std::uint32_t Fabric::targets(const Channel& channel, const Wavelet& head) const {
  constexpr std::uint32_t kRamp = isa::bit(isa::Port::Ramp);
  if (mutant(Mutant::AdvanceEarly) && head.advances != 0) {
    const std::vector<isa::SwitchPosition>& positions = channel.routing->positions;
    return positions[(channel.position + 1u) % positions.size()].tx;
  }
  if (head.control == 0 && channel.extra == kNoExtra) return channel.tx;
  if (!reaches_filter(channel, head)) return channel.tx & ~kRamp;
  if (channel.extra == kNoExtra || extras_[channel.extra].filter.passes(head)) return channel.tx;
  return channel.tx & ~kRamp;
}

void Fabric::wake_behind(const Channel& channel, Cycle now) {
  if (channel.rx == isa::Port::Ramp) {
    agenda_.add(channel.pe, now + 1);
  } else if (channel.extra == kNoExtra || mesh_.neighbour(channel.pe, channel.rx)) {
    agenda_.add(mesh_.linked(channel.pe, channel.rx), now + 1);
  }
}

bool Fabric::all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const {
  if (mutant(Mutant::MulticastSplit)) tx &= ~tx + 1;  // the lowest port only
  bool room = true;
  channels_.for_each_target(channel, tx, [&](isa::Port, QueueId target) {
    room &= target == kNoQueue || queues_.has_room(target, now);  // see may_leave()
  });
  return room;
}

std::uint32_t Fabric::full_ports(ChannelId id, Cycle now) const {
  const Channel& channel = channels_[id];
  if (!channel.is_routed()) return 0;
  const bool empty = queues_.empty(channel.from);
  std::uint32_t full = 0;
  for_each_port(empty ? channel.tx : targets(channel, queues_.head(channel.from)),
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
  agenda_.add(pe, free);
  return false;
}

// False, and a trap, if a port leads off the grid and no stream takes the wavelet there.
bool Fabric::may_leave(const Channel& channel, std::uint32_t tx, bool control, Cycle now) {
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
    agenda_.add(channel.pe, wavelet.visible);
    if (wavelet.control != 0 || channel.has_data_task) arrive(channel, wavelet);
    counters_.max_distance = std::max(counters_.max_distance, std::uint32_t{wavelet.hops});
  } else {
    wavelet.visible = now + hop_cycles_;
    ++wavelet.hops;
    ++counters_.hops;
    agenda_.add(mesh_.linked(channel.pe, port), wavelet.visible);
  }
  queues_.push(target, wavelet);
}

// Wakes who looks at the down-ramp beside the issue slots.
void Fabric::arrive(Channel& channel, const Wavelet& wavelet) {
  if (wavelet.control != 0) {
    if (isa::entry_of(wavelet.data) == isa::kNoEntry) {
      ++channel.unwanted;  // the router looks at it when the issue slots do
      return;
    }
    ++controls_[channel.pe];
  }
  client_->look_at(channel.pe, wavelet.visible);
}

// The load of a link is what was ever in the queue behind it.
TransportTotals Fabric::totals() const {
  TransportTotals totals{.wavelets_left = streams_.waiting()};
  for (const QueueId q : channels_.queues()) totals.wavelets_left += queues_.size(q);
  for (PeId pe = 0; pe < mesh_.pes(); ++pe) {
    std::array<std::uint64_t, isa::kPorts> loads = {};
    for (const Channel& channel : channels_.of(pe)) {
      channels_.for_each_target(channel, channel.ports, [&](isa::Port port, QueueId target) {
        if (target != kNoQueue) loads[static_cast<std::size_t>(port)] += queues_.pushed(target);
      });
    }
    std::uint64_t& ramp = loads[static_cast<std::size_t>(isa::Port::Ramp)];
    totals.max_ramp_wavelets = std::max(totals.max_ramp_wavelets, std::exchange(ramp, 0));
    for (const std::uint64_t load : loads) {
      totals.links_used += load > 0 ? 1 : 0;
      totals.max_link_load = std::max(totals.max_link_load, load);
    }
  }
  return totals;
}

}  // namespace wse::vm
