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
    counters_.finished(now + 1);
    ++counters_.wavelets;
    entered = true;
  }
  return entered;
}

Wavelet Fabric::obey(Channel& channel, Wavelet wavelet, bool goes_on, Cycle now) {
  const isa::Command command = isa::command_of(wavelet.data(), 0).command;
  bool changed = false;
  switch (command) {
    case isa::Command::Nop: break;
    case isa::Command::Advance: changed = advance(channel, now); break;
    case isa::Command::Reset: changed = go_to(channel, 0, now); break;
    case isa::Command::Teardown: tear_down(channel, now); break;
  }
  history_.controlled(channels_.find(channel.pe, channel.colour),
                      turn_of(*channel.routing, wavelet.data(), changed), goes_on);
  bool pops = false;
  switch (channel.routing->pop) {
    case isa::PopMode::Never: break;
    case isa::PopMode::Always: pops = true; break;
    case isa::PopMode::OnAdvance: pops = changed || mutant(Mutant::PopMode); break;
    case isa::PopMode::OnAdvanceNop: pops = changed || command == isa::Command::Nop; break;
  }
  return pops ? wavelet.with_data(isa::popped(wavelet.data())) : wavelet;
}

void Fabric::obey_advance(Channel& channel, Cycle now) {
  const bool changed = advance(channel, now);
  history_.advanced(channels_.find(channel.pe, channel.colour),
                    changed ? Turn::Made : idle_advance(*channel.routing));
}

bool Fabric::advance(Channel& channel, Cycle now) {
  const std::size_t next = std::size_t{channel.position} + 1;
  if (next < channel.routing->positions.size()) return go_to(channel, next, now);
  return channel.routing->ring && !mutant(Mutant::RingStays) && go_to(channel, 0, now);
}

bool Fabric::go_to(Channel& channel, std::size_t position, Cycle now) {
  if (channel.position == position) return false;
  channels_.go_to(channel, position);
  tracer_.position(now, channel.pe, channel.colour, channel.position);
  return true;
}

void Fabric::tear_down(Channel& channel, Cycle now) {
  if (channel.torn_down) return;
  channel.torn_down = true;
  channels_.settle(channel);
  tracer_.teardown(now, channel.pe, channel.colour, true);
  const Cycle late = mutant(Mutant::TeardownLate) ? 1 : 0;
  client_->torn_down(channel.pe, channel.colour, now + 1 + profile_.ramp_latency_cycles + late);
}

// Takes a control wavelet that names no task off the down-ramp, in the cycle in which it is first.
bool Fabric::drop_unwanted(Channel& channel, Cycle now) {
  const QueueId down = channel.down;
  if (!queues_[down].can_take(now) || mutant(Mutant::UnwantedStays)) return false;
  const Wavelet head = queues_[down].head();
  if (!head.control() || isa::entry_of(head.data()) != isa::kNoEntry) return false;
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
  const isa::Routing* const routing =
      written != written_.end() ? written->second : channels_[id].routing;
  return routing == nullptr ? 0 : static_cast<std::uint32_t>(routing->positions.size());
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
  switch (write.kind) {
    case ConfigurationWrite::Kind::Routing:
      channel.routing = write.routing;
      channels_.go_to(channel, 0);
      tracer_.position(now, channel.pe, channel.colour, 0);
      break;
    case ConfigurationWrite::Kind::Position: go_to(channel, write.position, now); break;
    case ConfigurationWrite::Kind::Filter: set_filter(write.channel, write.filter); break;
    case ConfigurationWrite::Kind::TeardownExit:
      if (channel.torn_down) tracer_.teardown(now, channel.pe, channel.colour, false);
      channel.torn_down = false;
      channels_.settle(channel);
      break;
    case ConfigurationWrite::Kind::Advance:
      if (channel.routing != nullptr) obey_advance(channel, now);
      break;
  }
  stand(channel);
  agenda_.add(channel.pe, now + 1);
}

}  // namespace wse::vm
