// Writes act, and filters answer.
#include "vm/planes/blocks/configuration.h"

#include <memory>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

void Configuration::set_filter(ChannelId id, const FilterSetting& filter) {
  const Channel& channel = table_.channels()[id];
  std::unique_ptr<FilterPlanes>& filters = table_.of(channel).filters;
  if (filters == nullptr) filters = std::make_unique<FilterPlanes>();
  filters->open(table_.lane(channel), filter);
}

std::uint64_t Configuration::dropped(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  const FilterPlanes* const filters = table_[channel.router].filters.get();
  return filters != nullptr ? filters->dropped.value(table_.lane(channel)) : 0;
}

bool Configuration::drops(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  const FilterPlanes* const filters = table_[channel.router].filters.get();
  return filters != nullptr && filters->dropping.has(table_.lane(channel));
}

bool Configuration::may_write(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  if (channel.torn_down) return true;
  for (std::uint32_t k = 0; k < kQueues; ++k) {
    if ((channel.queues >> k & 1) == 0) continue;
    const auto [queue, lane] = table_.queue(id, k);
    if (queue->size(lane) > 0) return false;
  }
  return true;
}

std::uint32_t Configuration::positions(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  return positions_of(channel.routing, channel.written);
}

void Configuration::write(const ConfigurationWrite& write) {
  writes_.push_back({.routing = write.routing,
                     .channel = write.channel,
                     .kind = write.kind,
                     .position = static_cast<std::uint8_t>(write.position)});
  if (write.kind == ConfigurationWrite::Kind::Filter) filters_.push_back(write.filter);
  if (write.routing != nullptr) table_.channels()[write.channel].written = write.routing;
}

bool Configuration::apply(Cycle now) {
  if (writes_.empty()) return false;
  next_filter_ = 0;
  for (const Write& write : writes_) apply(write, now);
  writes_.clear();
  filters_.clear();
  return true;
}

void Configuration::apply(const Write& write, Cycle now) {
  Channel& channel = table_.channels()[write.channel];
  const std::uint32_t block = table_.of(channel).block;
  const bool sleeps_on = isa::mutant(isa::Mutant::SteadyWrite);
  if (rests_.has(block) && !sleeps_on) rests_.wake(block, now + 1);
  using Kind = ConfigurationWrite::Kind;
  const SwitchState next = written(switch_of(channel), write.kind, write.routing, write.position);
  switch (write.kind) {
    case Kind::Routing: switches_.change_routing(channel, next); break;
    case Kind::Position:
    case Kind::TeardownExit: switches_.change(channel, next, now); break;
    case Kind::Filter:
      set_filter(write.channel, filters_[next_filter_++]);
      if (channel.routing != nullptr) switches_.split_run(channel);
      break;
    case Kind::Advance:
      if (channel.routing != nullptr) switches_.advance(channel, now);
      break;
  }
}

}  // namespace wse::vm::wafer
