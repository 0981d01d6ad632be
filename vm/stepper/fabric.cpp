// The routers, stepped cycle by cycle: decide with the state at the start of the cycle, then move.
#include "vm/stepper/fabric.h"

#include <algorithm>
#include <array>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

using isa::mutant;
using isa::Mutant;

// A planted error of moves, which the short way has not.
bool plants_a_move() { return mutant(Mutant::LinkDoubleRate) || mutant(Mutant::MulticastSplit); }

// False if the wavelet does not go to the PE at all: no ramp, or a command that the PE ignores.
bool reaches_filter(const Channel& channel, Wavelet wavelet) {
  if ((channel.tx & isa::bit(isa::Port::Ramp)) == 0) return false;
  return !wavelet.control() || !is_hidden(wavelet.data());
}

}  // namespace

Fabric::Fabric(const FabricParts& parts, const Peers& peers)
    : mesh_(parts.mesh),
      profile_(parts.profile),
      pes_(parts.pes),
      queues_(peers.state.queues()),
      channels_(peers.state.channels()),
      state_(peers.state),
      ramps_(peers.ramps),
      switching_(peers.switching),
      border_(peers.border),
      edge_(parts, peers.state),
      has_borders_(peers.border.exists()),
      agenda_(parts.agenda),
      ledger_(parts.ledger),
      hop_cycles_(profile_.hop_latency_cycles + (mutant(Mutant::HopLate) ? 1u : 0u)),
      rotates_(static_cast<isa::Arbitration>(profile_.arbitration) == isa::Arbitration::Rotate &&
               !mutant(Mutant::RotateStays)),
      link_free_(profile_.link_interval_cycles > 1 ? pes_.size() * mesh_.links() : 0) {}

void Fabric::begin_cycle(Cycle now) {
  link_sums_ = state_.links();
  takes_short_way_ = link_free_.empty() && !ledger_.tracer.has_sink() && !plants_a_move();
  over_link_ = agenda_.due(now + hop_cycles_);
  down_ramp_ = agenda_.due(now + profile_.ramp_latency_cycles);
}

bool Fabric::step_router(PeId pe, std::uint32_t rest, Cycle now) {
  std::uint32_t& standing = state_.standing(pe);
  Channel* const channels = channels_.first_of(pe);
  const bool ascending = !rotates_ && !mutant(Mutant::ArbitrationOrder);
  std::uint32_t used = 0;
  bool moved = false;
  while (rest != 0) {
    const std::uint32_t number = ascending ? lowest(rest) : next_in_turn(pe, rest, now);
    rest &= ~(1u << number);
    Channel& channel = channels[number];
    if (channel.plain && takes_short_way_) {
      moved |= move_plain(channel, used, now);
    } else {
      if (channel.unwanted > 0) moved |= ramps_.drop_unwanted(channel, now);
      moved |= move(channel, used, now);
    }
    if (!state_.stands(channel)) standing &= ~(1u << number);
  }
  return moved;
}

std::uint32_t Fabric::next_in_turn(PeId pe, std::uint32_t rest, Cycle now) const {
  if (mutant(Mutant::ArbitrationOrder)) return std::bit_width(rest) - 1u;
  const std::uint32_t first = 1u << now % profile_.colours;
  const std::uint32_t before = ones(channels_.colours(pe) & (first - 1));
  const std::uint32_t behind = rest >> before << before;
  return lowest(behind != 0 ? behind : rest);
}

bool Fabric::move_plain(Channel& channel, std::uint32_t& used, Cycle now) {
  Queue& from = queues_[channel.from];
  if (!from.visible(now)) return false;
  const Wavelet head = from.head();
  if (!head.plain()) return move(channel, used, now);
  if ((used & channel.tx) != 0) return false;
  const auto [first, second] = channel.links;
  const bool to_pe = (channel.tx & isa::bit(isa::Port::Ramp)) != 0;
  if (first != kNoQueue && !queues_[first].has_room(now)) return false;
  if (second != kNoQueue && !queues_[second].has_room(now)) return false;
  if (to_pe && !queues_[channel.down].has_room(now)) return false;
  used |= channel.tx;
  if (ledger_.causes != nullptr) [[unlikely]]
    tell_causes(channel, channel.tx, now);
  if (is_awaited(from)) wake_behind(channel, true, now);
  from.pop(now);
  ledger_.counters.finished(now + 1);
  if (first != kNoQueue) put_behind_link(first, head);
  if (second != kNoQueue) put_behind_link(second, head);
  if (link_sums_ != nullptr) [[unlikely]]
    count_links(channel);
  if (to_pe) deliver_down(channel, head);
  return true;
}

bool Fabric::move(Channel& channel, std::uint32_t& used, Cycle now) {
  const bool entered = channel.extra != kNoExtra && edge_.enter(channel, now);
  if (!channel.is_routed() || channel.torn_down) return entered;
  if (!queues_[channel.from].visible(now)) return entered;
  const std::uint32_t tx = targets(channel, queues_[channel.from].head());
  if ((used & tx) != 0 && !mutant(Mutant::LinkDoubleRate)) return entered;
  if (!all_have_room(channel, tx, now)) return entered;
  if (!link_free_.empty() && !links_free(channel.pe, tx, now)) return entered;
  if (channel.leads_out && !edge_.may_leave(channel, tx, now)) return entered;
  used |= tx;
  if (ledger_.causes != nullptr) tell_causes(channel, tx, now);
  const bool awaited = is_awaited(queues_[channel.from]);
  if (awaited || has_borders_) wake_behind(channel, awaited, now);
  Wavelet wavelet = queues_[channel.from].pop(now);
  ledger_.counters.finished(now + 1);
  if (ledger_.tracer.is_open()) {
    ledger_.tracer.tell({.kind = TraceEvent::Kind::Move,
                         .cycle = now,
                         .pe = channel.pe,
                         .colour = channel.colour,
                         .from = channel.rx,
                         .to = tx,
                         .data = wavelet.data(),
                         .control = wavelet.control()});
  }
  if (channel.extra != kNoExtra) count_filtered(channel, tx, wavelet);
  const bool advances = wavelet.advances() && channel.rx == isa::Port::Ramp;
  wavelet = wavelet.without_advance();
  if (wavelet.control()) wavelet = switching_.obey(channel, wavelet, tx != 0, now);
  if (advances) switching_.obey_advance(channel, now);
  channels_.for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    deliver(channel, port, target, wavelet, now);
  });
  return true;
}

void Fabric::tell_causes(const Channel& channel, std::uint32_t tx, Cycle now) {
  std::array<causes::Place, isa::kPorts> places;
  std::size_t count = 0;
  const auto add = [&](QueueId target) {
    if (target == kNoQueue) return;
    places[count++] = {number_of(target), queues_[target].has_last_place(now)};
  };
  // By port: the ramp of a mesh comes after its links.
  if (channel.plain && tx == channel.tx && tx >> isa::kMeshPorts == 0) {
    add(channel.links[0]);
    add(channel.links[1]);
    if ((tx & isa::bit(isa::Port::Ramp)) != 0) add(channel.down);
  } else {
    channels_.for_each_target(channel, tx, [&](isa::Port, QueueId target) { add(target); });
  }
  const causes::Head head{number_of(channel.from), queues_[channel.from].visible_from(0)};
  ledger_.causes->routers.moves({.pe = channel.pe,
                                 .colour = channel.colour,
                                 .is_from_ramp = channel.rx == isa::Port::Ramp,
                                 .ports = tx,
                                 .links = tx & ~isa::bit(isa::Port::Ramp),
                                 .interval = profile_.link_interval_cycles,
                                 .channel = channels_.id_of(channel),
                                 .words = {{&head, 1}, {places.data(), count}}},
                                now);
}

void Fabric::count_links(const Channel& channel) {
  for_each_port(channel.tx & ~isa::bit(isa::Port::Ramp),
                [&](isa::Port port) { link_sums_->leaves(channel.pe, port); });
}

void Fabric::count_filtered(const Channel& channel, std::uint32_t tx, Wavelet wavelet) {
  if (!reaches_filter(channel, wavelet)) return;
  const bool dropped = (tx & isa::bit(isa::Port::Ramp)) == 0 && !wavelet.control();
  state_.extra(channel).dropped += dropped ? 1 : 0;
  state_.extra(channel).filter.count(wavelet);
}

std::uint32_t Fabric::targets(const Channel& channel, Wavelet head) const {
  constexpr std::uint32_t kRamp = isa::bit(isa::Port::Ramp);
  if (mutant(Mutant::AdvanceEarly) && head.advances()) {
    const std::vector<isa::SwitchPosition>& positions = channel.routing->positions;
    return positions[(channel.position + 1u) % positions.size()].tx;
  }
  if (!head.control() && channel.extra == kNoExtra) return channel.tx;
  if (!reaches_filter(channel, head)) return channel.tx & ~kRamp;
  if (channel.extra == kNoExtra || state_.extra(channel).filter.passes(head)) return channel.tx;
  return channel.tx & ~kRamp;
}

void Fabric::wake_behind(const Channel& channel, bool awaited, Cycle now) {
  if (channel.rx == isa::Port::Ramp) return;  // the PE itself, which is looked at again
  if (channel.extra != kNoExtra && !mesh_.neighbour(channel.pe, channel.rx)) return;
  const PeId there = mesh_.linked(channel.pe, channel.rx);
  if (has_borders_ && !pes_.contains(there))
    return border_.tell_freed(channel, there, awaited, now);
  if (awaited) agenda_.add(there, now + 1);
}

bool Fabric::all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const {
  if (mutant(Mutant::MulticastSplit)) tx &= ~tx + 1;  // the lowest port only
  bool room = true;
  channels_.for_each_target(channel, tx, [&](isa::Port, QueueId target) {
    room &= target == kNoQueue || queues_[target].has_room(now);  // see Edge::may_leave
  });
  return room;
}

std::uint32_t Fabric::full_ports(ChannelId id, Cycle now) const {
  const Channel& channel = channels_[id];
  if (!channel.is_routed()) return 0;
  const bool empty = queues_[channel.from].empty();
  std::uint32_t full = 0;
  for_each_port(empty ? channel.tx : targets(channel, queues_[channel.from].head()),
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

void Fabric::deliver(Channel& channel, isa::Port port, QueueId target, Wavelet wavelet, Cycle now) {
  if (!link_free_.empty()) occupy_link(channel.pe, port, now);
  if (target == kNoQueue) return edge_.leave(channel, port, wavelet);
  if (port == isa::Port::Ramp) return deliver_down(channel, wavelet);
  if (link_sums_ != nullptr) link_sums_->leaves(channel.pe, port);
  const PeId there = queues_[target].reader().pe;
  if (pes_.contains(there)) return put_behind_link(target, wavelet);
  ++ledger_.counters.hops;
  queues_[target].push(wavelet.with_hop(), over_link_.cycle());
  border_.send(channel, port, there, wavelet.with_hop(), over_link_.cycle());
}

void Fabric::put_behind_link(QueueId target, Wavelet wavelet) {
  state_.put(target, wavelet.with_hop(), over_link_);
  ++ledger_.counters.hops;
}

void Fabric::deliver_down(Channel& channel, Wavelet wavelet) {
  queues_[channel.down].push(wavelet, down_ramp_.cycle());
  state_.peaks().note(channel.down);
  if (!wavelet.plain() || state_.has_threads(channel.pe)) down_ramp_.add(channel.pe);
  ledger_.counters.max_distance = std::max(ledger_.counters.max_distance, wavelet.hops());
  if (wavelet.control() || channel.has_data_task)
    ramps_.arrive(channel, wavelet, down_ramp_.cycle());
}

void Fabric::occupy_link(PeId pe, isa::Port port, Cycle now) {
  if (port == isa::Port::Ramp) return;
  const Cycle early = mutant(Mutant::LinkInterval) ? 1 : 0;
  link_free_[link(pe, port)] = now + profile_.link_interval_cycles - early;
}

}  // namespace wse::vm
