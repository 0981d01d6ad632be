// What planes cannot do: moves of marked wavelets, switches, and what PEs write about them.
#include <algorithm>

#include "vm/prefetch.h"
#include "vm/wafer/routers.h"

namespace wse::vm::wafer {
namespace {

constexpr std::size_t kMovesAhead = 4;

}  // namespace

void Routers::drop_unwanted(RouterPlanes& router, std::uint32_t lane, Cycle now) {
  const ChannelId id = table_.channel(router, lane);
  PlaneQueue& down = *router.queue[kDownRamp];
  take_control(id);
  words_.find(down, lane, down.popped(lane));
  words_.drop(down, lane);
  router.received.set(lane);
  client_->look_at(table_.channels()[id].pe, now + 1);
}

// Of many that move in one cycle, those that come later are fetched ahead.
void Routers::move_all_marked(RouterPlanes& router, const Lanes& marked, Cycle now) {
  marked_lanes_.clear();
  for_each_lane(marked, [this](std::uint32_t lane) { marked_lanes_.push_back(lane); });
  const std::size_t count = marked_lanes_.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (k + 3 * kMovesAhead < count) {
      prefetch(&table_.channels()[table_.channel(router, marked_lanes_[k + 3 * kMovesAhead])]);
    }
    if (k + 2 * kMovesAhead < count) {
      words_.prefetch_record(head_queue(router, marked_lanes_[k + 2 * kMovesAhead]),
                             marked_lanes_[k + 2 * kMovesAhead]);
    }
    if (k + kMovesAhead < count)
      words_.prefetch_train(head_queue(router, marked_lanes_[k + kMovesAhead]),
                            marked_lanes_[k + kMovesAhead]);
    move_marked(router, marked_lanes_[k], now);
  }
}

const PlaneQueue& Routers::head_queue(const RouterPlanes& router, std::uint32_t lane) const {
  const Channel& channel = table_.channels()[table_.channel(router, lane)];
  const auto port = static_cast<std::uint32_t>(channel.routing->positions[channel.position].rx);
  return *router.queue[port];
}

void Routers::move_marked(RouterPlanes& router, std::uint32_t lane, Cycle now) {
  Channel& channel = table_.channels()[table_.channel(router, lane)];
  const isa::SwitchPosition current = channel.routing->positions[channel.position];
  PlaneQueue& from = *router.queue[static_cast<std::uint32_t>(current.rx)];
  const std::uint64_t number = from.popped(lane);
  Standing wavelet = words_.find(from, lane, number);
  const bool begins = from.take_forced(lane) || wavelet.number == number;
  const bool advances = current.rx == isa::Port::Ramp && words_.advances(wavelet);
  std::uint32_t tx = current.tx;
  words_.hold(wavelet);
  if (words_.is_last(wavelet)) words_.drop(from, lane);
  if (wavelet.is_control()) {
    const bool hidden = isa::command_of(static_cast<std::uint32_t>(wavelet.word), 0).ignore;
    if (hidden) tx &= ~isa::bit(isa::Port::Ramp);
    wavelet.advances = false;
    wavelet = obey(channel, wavelet, now);
  }
  const bool drops = router.filters != nullptr && router.filters->dropping.has(lane);
  if (drops && !wavelet.is_control()) tx &= ~isa::bit(isa::Port::Ramp);
  if (advances) advance(channel);
  for_each_port(tx, [&](isa::Port port) {
    deliver(channel, static_cast<std::uint32_t>(port), wavelet, begins, now);
  });
  words_.release(wavelet);
}

void Routers::deliver(const Channel& channel, std::uint32_t port, const Standing& wavelet,
                      bool begins, Cycle now) {
  const RouterTable::Behind place = table_.behind(channel.router, table_.lane(channel), port);
  if (port < kLinks) {
    Standing arriving = wavelet;
    ++arriving.hops;
    const std::uint32_t block = table_[place.router].block;
    if (!border_.owns(block)) return send_across(place, port, arriving, begins);
    disturb(block, now);
    return arrive(place, arriving, begins);
  }
  if (begins) words_.append(*place.queue, place.lane, wavelet);
  counters_.max_distance = std::max(counters_.max_distance, wavelet.hops);
  if (wavelet.is_control()) arrive_control(channel, *place.queue, wavelet, now);
}

void Routers::arrive(const RouterTable::Behind& place, const Standing& wavelet, bool begins) {
  if (begins) words_.append(*place.queue, place.lane, wavelet);
  if (wavelet.is_control()) return flag_control(place.router, *place.queue, place.lane, wavelet);
  new_flags_.push_back({place.queue, place.lane, Flag::Marked, place.router});
}

void Routers::arrive_control(const Channel& channel, PlaneQueue& down, const Standing& wavelet,
                             Cycle now) {
  const std::uint32_t lane = table_.lane(channel);
  new_flags_.push_back({&down, lane, Flag::Control, channel.router});
  if (isa::entry_of(static_cast<std::uint32_t>(wavelet.word)) == isa::kNoEntry) {
    new_flags_.push_back({&down, lane, Flag::Unwanted, channel.router});
    return;
  }
  count_control(channel.pe, 1);
  client_->look_at(channel.pe, now + profile_.ramp_latency_cycles);
}

// Command 0 acts on the channel; the wavelet as it travels on.
Standing Routers::obey(Channel& channel, Standing wavelet, Cycle now) {
  const auto word = static_cast<std::uint32_t>(wavelet.word);
  const isa::Command command = isa::command_of(word, 0).command;
  bool changed = false;
  switch (command) {
    case isa::Command::Nop: break;
    case isa::Command::Advance: changed = advance(channel); break;
    case isa::Command::Reset: changed = go_to(channel, 0); break;
    case isa::Command::Teardown: tear_down(channel, now); break;
  }
  bool pops = false;
  switch (channel.routing->pop) {
    case isa::PopMode::Never: break;
    case isa::PopMode::Always: pops = true; break;
    case isa::PopMode::OnAdvance: pops = changed; break;
    case isa::PopMode::OnAdvanceNop: pops = changed || command == isa::Command::Nop; break;
  }
  if (pops) wavelet.word = isa::popped(word);
  return wavelet;
}

bool Routers::advance(Channel& channel) {
  const std::size_t next = std::size_t{channel.position} + 1;
  if (next < channel.routing->positions.size()) return go_to(channel, next);
  return channel.routing->ring && go_to(channel, 0);
}

bool Routers::go_to(Channel& channel, std::size_t position) {
  if (channel.position == position) return false;
  table_.go_to(channel, position);
  split_run(channel);
  return true;
}

void Routers::split_run(Channel& channel) {
  RouterPlanes& router = table_.of(channel);
  const std::uint32_t lane = table_.lane(channel);
  const auto port = static_cast<std::uint32_t>(channel.routing->positions[channel.position].rx);
  PlaneQueue& from = *router.queue[port];
  if (from.trail(lane).first == kNone) return;
  const bool head_leaves = router.popped[port].has(lane);
  const std::uint64_t next = from.popped(lane) + (head_leaves ? 1 : 0);
  if (words_.look(from, lane, next).number < next) from.force(lane, head_leaves);
}

void Routers::turn_filter(RouterPlanes& router, std::uint32_t lane) {
  router.filters->turn(lane);
  split_run(table_.channels()[table_.channel(router, lane)]);
}

void Routers::tear_down(Channel& channel, Cycle now) {
  if (channel.torn_down) return;
  channel.torn_down = true;
  table_.of(channel).torn_down.set(table_.lane(channel));
  client_->torn_down(channel.pe, channel.colour, now + 1 + profile_.ramp_latency_cycles);
}

// ---- configuration

void Routers::set_filter(ChannelId id, const FilterSetting& filter) {
  const Channel& channel = table_.channels()[id];
  std::unique_ptr<FilterPlanes>& filters = table_.of(channel).filters;
  if (filters == nullptr) filters = std::make_unique<FilterPlanes>();
  filters->open(table_.lane(channel), filter);
}

std::uint64_t Routers::dropped(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  const FilterPlanes* const filters = table_[channel.router].filters.get();
  return filters != nullptr ? filters->dropped.value(table_.lane(channel)) : 0;
}

bool Routers::drops(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  const FilterPlanes* const filters = table_[channel.router].filters.get();
  return filters != nullptr && filters->dropping.has(table_.lane(channel));
}

bool Routers::may_configure(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  if (channel.torn_down) return true;
  for (std::uint32_t k = 0; k < kQueues; ++k) {
    if ((channel.queues >> k & 1) == 0) continue;
    const auto [queue, lane] = table_.queue(id, k);
    if (queue->size(lane) > 0) return false;
  }
  return true;
}

std::uint32_t Routers::positions(ChannelId id) const {
  const Channel& channel = table_.channels()[id];
  const isa::Routing* const routing =
      channel.written != nullptr ? channel.written : channel.routing;
  return routing == nullptr ? 0 : static_cast<std::uint32_t>(routing->positions.size());
}

void Routers::write(const ConfigurationWrite& write) {
  writes_.push_back(write);
  if (write.routing != nullptr) table_.channels()[write.channel].written = write.routing;
}

void Routers::apply_writes(Cycle now) {
  restless_ |= !writes_.empty();
  for (const ConfigurationWrite& write : writes_) apply(write, now);
  writes_.clear();
}

void Routers::apply(const ConfigurationWrite& write, Cycle now) {
  Channel& channel = table_.channels()[write.channel];
  const std::uint32_t block = table_.of(channel).block;
  if (rests_.has(block)) rests_.wake(block, now + 1);
  switch (write.kind) {
    case ConfigurationWrite::Kind::Routing:
      channel.routing = write.routing;
      channel.written = nullptr;
      table_.go_to(channel, 0);
      split_run(channel);
      break;
    case ConfigurationWrite::Kind::Position: go_to(channel, write.position); break;
    case ConfigurationWrite::Kind::Filter: break;  // refused when the machine was made
    case ConfigurationWrite::Kind::TeardownExit:
      channel.torn_down = false;
      table_.of(channel).torn_down.clear(table_.lane(channel));
      break;
    case ConfigurationWrite::Kind::Advance:
      if (channel.routing != nullptr) advance(channel);
      break;
  }
}

}  // namespace wse::vm::wafer
