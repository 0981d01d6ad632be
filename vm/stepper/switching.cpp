// Changes of how a router treats a colour: control wavelets, advances, writes of its PE; and the
// streams at the edge of the grid.
#include <algorithm>

#include "isa/machine/control_word.h"
#include "isa/support/mutant.h"
#include "vm/stepper/fabric.h"

namespace wse::vm {

using isa::mutant;
using isa::Mutant;

void Fabric::open_streams(const isa::Image& image) {
  for (std::uint32_t k = 0; k < image.streams.size(); ++k) {
    const isa::Stream& stream = image.streams[k];
    const auto side = static_cast<std::size_t>(stream.side);
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh_.pe_at(x, y);
      if (!pes_.contains(pe)) return;
      ChannelExtra& at = extra(channels_.find(pe, stream.colour));
      (stream.enters ? at.enters : at.leaves)[side] = streams_.add_end(k, x, y);
      if (stream.enters) agenda_.add(pe, 0);
    });
  }
}

ChannelExtra& Fabric::extra(ChannelId channel) {
  Channel& owner = channels_[channel];
  if (owner.extra == kNoExtra) {
    owner.extra = static_cast<std::uint32_t>(extras_.size());
    extras_.emplace_back();
    channels_.settle(owner);
    stand(owner);
  }
  return extras_[owner.extra];
}

// As if a router outside the grid held all elements in cycle 0.
bool Fabric::enter(Channel& channel, Cycle now) {
  bool entered = false;
  for (std::size_t side = 0; side < extras_[channel.extra].enters.size(); ++side) {
    const StreamEndId stream = extras_[channel.extra].enters[side];
    if (stream == kNoStream || streams_.left(stream) == 0) continue;
    const QueueId into = channels_.queue(channel, static_cast<QueuePort>(side));
    if (!queues_[into].has_room(now)) continue;
    if (streams_.ready(stream) > now) continue;
    const Cycle visible = now + profile_.hop_latency_cycles;
    const Cycle ready = now + profile_.link_interval_cycles;
    queues_[into].push(Wavelet(streams_.take(stream, ready)), visible);
    agenda_.add(channel.pe, visible);
    agenda_.add(channel.pe, ready);
    ledger_.counters.finished(now + 1);
    ++ledger_.counters.wavelets;
    entered = true;
  }
  return entered;
}

Wavelet Fabric::obey(Channel& channel, Wavelet wavelet, bool goes_on, Cycle now) {
  const Obeyed obeyed = vm::obey(switch_of(channel), wavelet.data());
  change(channel, obeyed.now, now);
  ledger_.history.controlled(channels_.find(channel.pe, channel.colour), obeyed.turn, goes_on);
  return wavelet.with_data(obeyed.word);
}

void Fabric::obey_advance(Channel& channel, Cycle now) {
  const Obeyed obeyed = vm::obey_advance(switch_of(channel));
  change(channel, obeyed.now, now);
  ledger_.history.advanced(channels_.find(channel.pe, channel.colour), obeyed.turn);
}

void Fabric::change(Channel& channel, const SwitchState& next, Cycle now) {
  if (channel.position != next.position) {
    channels_.go_to(channel, next.position);
    ledger_.tracer.position(now, channel.pe, channel.colour, channel.position);
  }
  if (channel.torn_down == next.torn_down) return;
  channel.torn_down = next.torn_down;
  channels_.settle(channel);
  ledger_.tracer.teardown(now, channel.pe, channel.colour, next.torn_down);
  if (!next.torn_down) return;
  client_->torn_down(channel.pe, channel.colour, teardown_seen(profile_, now));
}

// Takes a control wavelet that names no task off the down-ramp, in the cycle in which it is first.
bool Fabric::drop_unwanted(Channel& channel, Cycle now) {
  const QueueId down = channel.down;
  if (!queues_[down].can_take(now) || mutant(Mutant::UnwantedStays)) return false;
  const Wavelet head = queues_[down].head();
  if (!head.control() || !is_unwanted(head.data())) return false;
  queues_[down].pop(now);
  --channel.unwanted;
  channels_.settle(channel);
  agenda_.add(channel.pe, now + 1);
  client_->look_at(channel.pe, now + 1);
  return true;
}

bool Fabric::may_configure(ChannelId id) const {
  const Channel& channel = channels_[id];
  if (channel.torn_down) return true;
  return std::ranges::all_of(channels_.queues(channel),
                             [this](QueueId q) { return queues_[q].empty(); });
}

std::uint32_t Fabric::positions(ChannelId id) const {
  const auto written = written_.find(id);
  return positions_of(channels_[id].routing, written != written_.end() ? written->second : nullptr);
}

void Fabric::write(const ConfigurationWrite& write) {
  writes_.push_back(write);
  if (write.routing != nullptr) written_[write.channel] = write.routing;
}

void Fabric::apply_writes(Cycle now) {
  for (const ConfigurationWrite& write : writes_) apply(write, now);
  writes_.clear();
  if (!written_.empty()) written_.clear();  // costs time for each bucket
}

void Fabric::apply(const ConfigurationWrite& write, Cycle now) {
  Channel& channel = channels_[write.channel];
  using Kind = ConfigurationWrite::Kind;
  const SwitchState next = written(switch_of(channel), write.kind, write.routing, write.position);
  switch (write.kind) {
    case Kind::Routing:
      channel.routing = next.routing;
      channels_.go_to(channel, next.position);
      ledger_.tracer.position(now, channel.pe, channel.colour, channel.position);
      break;
    case Kind::Position:
    case Kind::TeardownExit: change(channel, next, now); break;
    case Kind::Filter: set_filter(write.channel, write.filter); break;
    case Kind::Advance:
      if (channel.routing != nullptr) obey_advance(channel, now);
      break;
  }
  stand(channel);
  agenda_.add(channel.pe, now + 1);
}

}  // namespace wse::vm
