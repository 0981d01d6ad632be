// What planes cannot do: moves of marked wavelets, switches, and what PEs write about them.
#include <algorithm>
#include <span>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/blocks/routers.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

void Routers::move_marked(const RouterPlanes& router, const Lanes& marked, Cycle now) {
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    if (router.queue[port] == nullptr) continue;
    const Lanes moving = marked & router.popped[port];
    if (moving.any()) move_from(router, port, moving, now);
  }
}

// What a look at one of them needs is far from caches.
void Routers::move_from(const RouterPlanes& router, std::uint32_t port, const Lanes& marked,
                        Cycle now) {
  PlaneQueue& from = *router.queue[port];
  std::size_t count = 0;
  for_each_lane(marked, [&](std::uint32_t lane) { moves_[count++].lane = lane; });
  in_steps(
      std::span(moves_).first(count),
      [&from](Move& move) __attribute__((always_inline)) { from.prefetch_lane(move.lane); },
      [this, &from](Move& move)
          __attribute__((always_inline)) { runs_.prefetch_record(from, move.lane); },
      [&](Move& move) { plan_move(router, port, move); },
      [&](Move& move) { make_move(router, port, move, now); });
}

void Routers::plan_move(const RouterPlanes& router, std::uint32_t port, Move& move) {
  PlaneQueue& from = *router.queue[port];
  const std::uint32_t lane = move.lane;
  const std::uint64_t number = from.popped(lane);
  move.ports = ways(router, lane);
  move.wavelet = runs_.find(from, lane, number);
  runs_.prefetch_train(move.wavelet);
  if (move.wavelet.is_control()) {  // it acts on the switch
    prefetch_all(table_.channels()[table_.channel(router, lane)]);
  }
  move.begins = from.take_forced(lane) || move.wavelet.number == number;
  for_each_port(move.ports, [&](isa::Port to) {
    const auto link = static_cast<std::uint32_t>(to);
    if (link < kLinks) move.behind[link] = table_.behind(router, lane, link);
    if (!move.begins) return;
    if (link < kLinks) {
      move.behind[link].queue->prefetch_lane(move.behind[link].lane);
    } else {
      router.queue[kDownRamp]->prefetch_lane(lane);
    }
  });
}

void Routers::make_move(const RouterPlanes& router, std::uint32_t port, const Move& move,
                        Cycle now) {
  const bool advances = port == kUpRamp && runs_.advances(move.wavelet);
  if (move.wavelet.is_control() || advances) return move_and_switch(router, port, move, now);
  deliver(router, move, move.wavelet, now);
  if (runs_.is_last(move.wavelet)) runs_.drop(*router.queue[port], move.lane);
}

// As decided: the PE gets no wavelet that is hidden from it.
std::uint32_t Routers::ways(const RouterPlanes& router, std::uint32_t lane) {
  std::uint32_t ports = router.delivered.has(lane) ? isa::bit(isa::Port::Ramp) : 0;
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if (router.tx[link].has(lane)) ports |= 1u << link;
  }
  return ports;
}

void Routers::move_and_switch(const RouterPlanes& router, std::uint32_t port, const Move& move,
                              Cycle now) {
  Channel& channel = table_.channels()[table_.channel(router, move.lane)];
  Standing wavelet = move.wavelet;
  const bool advances = port == kUpRamp && runs_.advances(wavelet);
  runs_.hold(wavelet);
  if (runs_.is_last(wavelet)) runs_.drop(*router.queue[port], move.lane);
  if (wavelet.is_control()) {
    wavelet.advances = false;
    obey(channel, wavelet, move.ports != 0, now);
  }
  if (advances) obey_advance(channel, now);
  deliver(router, move, wavelet, now);
  runs_.release(wavelet);
}

void Routers::deliver(const RouterPlanes& router, const Move& move, const Standing& wavelet,
                      Cycle now) {
  Standing arriving = wavelet;
  ++arriving.hops;
  for_each_port(move.ports, [&](isa::Port to) {
    const auto port = static_cast<std::uint32_t>(to);
    if (port == kUpRamp) return deliver_to_pe(router, move, wavelet, now);
    const RouterTable::Behind& place = move.behind[port];
    const std::uint32_t block = table_[place.router].block;
    if (!border_.owns(block)) return send_across(place, port, arriving, move.begins);
    disturb(block, now);
    arrive(place, arriving, move.begins);
  });
}

void Routers::deliver_to_pe(const RouterPlanes& router, const Move& move, const Standing& wavelet,
                            Cycle now) {
  if (move.begins) runs_.append(*router.queue[kDownRamp], move.lane, wavelet);
  counters_.max_distance = std::max(counters_.max_distance, wavelet.hops);
  if (wavelet.is_control()) arrive_control(router, move.lane, wavelet, now);
}

void Routers::arrive(const RouterTable::Behind& place, const Standing& wavelet, bool begins) {
  if (begins) runs_.append(*place.queue, place.lane, wavelet);
  if (wavelet.is_control()) {
    flag_control(table_[place.router], *place.queue, place.lane, wavelet);
  } else {
    place.queue->flags().arm(LinkFlag::Marked, place.lane);
  }
}

void Routers::arrive_control(const RouterPlanes& router, std::uint32_t lane,
                             const Standing& wavelet, Cycle now) {
  PlaneQueue& down = *router.queue[kDownRamp];
  down.flags().arm(RampFlag::Control, lane);
  if (is_unwanted(static_cast<std::uint32_t>(wavelet.word))) {
    down.flags().arm(RampFlag::Unwanted, lane);
    return;
  }
  const PeId pe = table_.grid().pe_of(router.block, lane);
  count_control(pe, 1);
  client_->look_at(pe, now + profile_.ramp_latency_cycles);
}

void Routers::obey(Channel& channel, Standing& wavelet, bool goes_on, Cycle now) {
  const Obeyed obeyed = vm::obey(switch_of(channel), static_cast<std::uint32_t>(wavelet.word));
  change(channel, obeyed.now, now);
  history_->controlled(table_.channels().find(channel.pe, channel.colour), obeyed.turn, goes_on);
  wavelet.word = obeyed.word;
}

void Routers::obey_advance(Channel& channel, Cycle now) {
  const Obeyed obeyed = vm::obey_advance(switch_of(channel));
  change(channel, obeyed.now, now);
  history_->advanced(table_.channels().find(channel.pe, channel.colour), obeyed.turn);
}

void Routers::change(Channel& channel, const SwitchState& next, Cycle now) {
  if (channel.position != next.position) {
    table_.go_to(channel, next.position);
    if (!isa::mutant(isa::Mutant::SplitUnmarked)) split_run(channel);
  }
  if (channel.torn_down == next.torn_down) return;
  channel.torn_down = next.torn_down;
  table_.of(channel).torn_down.put(table_.lane(channel), next.torn_down);
  if (!next.torn_down) return;
  client_->torn_down(channel.pe, channel.colour, teardown_seen(profile_, now));
}

void Routers::split_run(Channel& channel) {
  RouterPlanes& router = table_.of(channel);
  const std::uint32_t lane = table_.lane(channel);
  const auto port = static_cast<std::uint32_t>(channel.routing->positions[channel.position].rx);
  PlaneQueue& from = *router.queue[port];
  if (from.trail(lane).first == kNone) return;
  const bool head_leaves = router.popped[port].has(lane);
  const std::uint64_t next = from.popped(lane) + (head_leaves ? 1 : 0);
  if (runs_.look(from, lane, next).number < next) from.force(lane, head_leaves);
}

void Routers::turn_filter(RouterPlanes& router, std::uint32_t lane) {
  router.filters->turn(lane);
  if (isa::mutant(isa::Mutant::TurnUnmarked)) return;
  split_run(table_.channels()[table_.channel(router, lane)]);
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
  return positions_of(channel.routing, channel.written);
}

void Routers::write(const ConfigurationWrite& write) {
  writes_.push_back({.routing = write.routing,
                     .channel = write.channel,
                     .kind = write.kind,
                     .position = static_cast<std::uint8_t>(write.position)});
  if (write.kind == ConfigurationWrite::Kind::Filter) filters_.push_back(write.filter);
  if (write.routing != nullptr) table_.channels()[write.channel].written = write.routing;
}

void Routers::apply_writes(Cycle now) {
  isa::check_that(updated_ == 0, "vm/planes 5: writes act after all queues have updated");
  restless_ |= !writes_.empty();
  next_filter_ = 0;
  for (const Write& write : writes_) apply(write, now);
  writes_.clear();
  filters_.clear();
}

void Routers::apply(const Write& write, Cycle now) {
  Channel& channel = table_.channels()[write.channel];
  const std::uint32_t block = table_.of(channel).block;
  const bool sleeps_on = isa::mutant(isa::Mutant::SteadyWrite);
  if (rests_.has(block) && !sleeps_on) rests_.wake(block, now + 1);
  using Kind = ConfigurationWrite::Kind;
  const SwitchState next = written(switch_of(channel), write.kind, write.routing, write.position);
  switch (write.kind) {
    case Kind::Routing:
      channel.routing = next.routing;
      channel.written = nullptr;
      table_.go_to(channel, next.position);
      split_run(channel);
      break;
    case Kind::Position:
    case Kind::TeardownExit: change(channel, next, now); break;
    case Kind::Filter:
      set_filter(write.channel, filters_[next_filter_++]);
      if (channel.routing != nullptr) split_run(channel);
      break;
    case Kind::Advance:
      if (channel.routing != nullptr) obey_advance(channel, now);
      break;
  }
}

}  // namespace wse::vm::wafer
