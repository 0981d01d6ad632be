// A cycle of the routers: all decide with the state at its start, then all queues take and give.
#include "vm/planes/blocks/routers.h"

#include <algorithm>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"

namespace wse::vm::wafer {

Routers::Routers(const Parts& parts)
    : image_(parts.image),
      profile_(parts.profile),
      pes_(parts.pes),
      border_(parts.border),
      counters_(parts.counters),
      trap_(parts.trap),
      table_(parts.table),
      runs_(parts.runs),
      loans_(parts.loans),
      words_(parts.words),
      threads_(parts.threads),
      issue_(parts.issue),
      rests_(parts.rests),
      rotates_(static_cast<isa::Arbitration>(profile_.arbitration) == isa::Arbitration::Rotate),
      may_filter_(std::ranges::any_of(
          image_.programs, [](const isa::Program& program) { return !program.filters.empty(); })),
      active_(table_.grid().blocks()),
      touched_(table_.grid().blocks()),
      awake_(table_.grid().blocks()),
      due_(table_.grid().blocks()),
      eventful_(table_.grid().blocks()),
      stirred_(table_.grid().blocks()),
      moves_(kLanes),
      controls_(pes_.size()),
      with_controls_(table_.grid().blocks()) {}

// Colours take turns in the same order in all routers.
void Routers::decide_block(std::uint32_t block, Cycle now) {
  isa::check_that(shows_start(block), "vm/planes 5: a block decides before those beside it update");
  deciding_ = block;
  due_.add(block);
  table_.block(block).used = {};
  const std::uint32_t first = table_.first(block);
  const std::uint32_t end = table_.first(block + 1);
  std::uint32_t middle = first;
  if (rotates_) {
    const std::uint64_t colour = now % profile_.colours;
    while (middle < end && table_[middle].colour < colour) ++middle;
  }
  for (std::uint32_t number = middle; number < end; ++number) decide_router(number, now);
  for (std::uint32_t number = first; number < middle; ++number) decide_router(number, now);
}

void Routers::decide_router(std::uint32_t number, Cycle now) {
  RouterPlanes& router = table_[number];
  if ((active_[router.block] & bit_of(router.block, number)) == 0) return;
  using Kind = Moves::Kind;
  Moves& moves = decided_;
  steps().decide(router, table_.block(router.block), table_.shifts(), moves);
  if (!moves.matters()) return;
  const auto for_each = [&moves](Kind kind, auto visit) {
    if (moves.has(kind)) for_each_lane(moves.lanes(kind), visit);
  };
  if (moves.has(Kind::Dropped)) {
    touch(number);
    eventful_.add(router.block);
    for_each(Kind::Dropped,
             [&](std::uint32_t lane) { lose_control(table_.channel(router, lane), now); });
  }
  if (moves.has(Kind::Leaving)) trap_off_grid(router, moves.lanes(Kind::Leaving), now);
  if ((moves.sending | moves.changed) != 0) wake_beside(router, moves, now);
  if (!moves.any) return;
  restless_ = true;
  counters_.finished(now + 1);
  touch(number);
  if (moves.has(Kind::ToTask) || moves.has(Kind::Marked) || moves.has(Kind::Turned)) {
    eventful_.add(router.block);
  }
  for_each(Kind::ToTask, [&](std::uint32_t lane) {
    client_->look_at(table_.grid().pe_of(router.block, lane), now + profile_.ramp_latency_cycles);
  });
  if (moves.has(Kind::Marked)) move_marked(router, moves.lanes(Kind::Marked), now);
  for_each(Kind::Turned, [&](std::uint32_t lane) { turn_filter(router, lane); });
}

void Routers::wake_beside(const RouterPlanes& router, const Moves& moves, Cycle now) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    const bool sending = (moves.sending >> link & 1) != 0;
    const bool changed = (moves.changed >> link & 1) != 0;
    if (!sending && !changed) continue;
    for (const std::uint32_t number : router.beside[link]) {
      if (number == kNone) continue;
      const std::uint32_t block = table_[number].block;
      if (!border_.owns(block)) {
        const bool said = changed && !isa::mutant(isa::Mutant::BorderDeaf);
        border_.letters_to_owner(block).sendings.push_back({number, said});
        continue;
      }
      if (changed && !isa::mutant(isa::Mutant::SteadyDeaf)) disturb(block, now);
      if (!rests_.has(block)) touch(number);
    }
  }
}

// One whose turn to decide has not come steps as others do. The others have decided: as before.
void Routers::disturb(std::uint32_t block, Cycle now) {
  if (!rests_.has(block)) return;
  if (block <= deciding_) return disturb_decided(block, now);
  stirred_.add(block);
  rests_.wake(block, now);
}

void Routers::disturb_decided(std::uint32_t block, Cycle now) {
  if (!rests_.has(block)) return;
  stirred_.add(block);
  rests_.join(block, now);
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) touch(k);
}

void Routers::tell_room(const RouterPlanes& router) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if ((router.room_changed >> link & 1) == 0) continue;
    for (const std::uint32_t number : router.beside[link]) {
      if (number == kNone) continue;
      const std::uint32_t block = table_[number].block;
      if (border_.owns(block)) {
        if (!isa::mutant(isa::Mutant::SteadyRoom)) stirred_.add(block);
      } else if (!isa::mutant(isa::Mutant::BorderRoom)) {
        border_.letters_to_owner(block).stirred.push_back(block);
      }
    }
  }
}

void Routers::update_before(std::uint32_t end) {
  for (std::uint32_t block = due_.next(updated_); block < end; block = due_.next(block + 1)) {
    if (!border_.touches(block)) update_block(block);
  }
  updated_ = end;
}

void Routers::update_border() {
  due_.for_each([this](std::uint32_t block) {
    if (border_.touches(block)) update_block(block);
  });
}

void Routers::update_block(std::uint32_t block) {
  restless_ |= touched_[block] != 0;
  std::uint32_t active = 0;
  bool repeats = !rotates_ && !eventful_.has(block) && issue_[block].repeats;
  const std::uint32_t looked_at = touched_[block] | active_[block];  // no other has moved anything
  for (std::uint32_t rest = looked_at; rest != 0; rest &= rest - 1) {
    RouterPlanes& router =
        table_[table_.first(block) + static_cast<std::uint32_t>(std::countr_zero(rest))];
    steps().update(router, table_.shifts());
    restless_ |= router.is_in_flight || router.was_in_flight || !router.repeats;
    if (router.is_in_flight || router.stands || router.sends) active |= rest & -rest;
    if (router.room_changed != 0) tell_room(router);
    repeats &= router.repeats;
  }
  touched_[block] = 0;
  set_active(block, active);
  repeats ? repeating_.push_back({block, looked_at}) : forget(block, looked_at);
}

void Routers::forget(std::uint32_t block, std::uint32_t routers) {
  for (std::uint32_t rest = routers; rest != 0; rest &= rest - 1) {
    table_[table_.first(block) + static_cast<std::uint32_t>(std::countr_zero(rest))].forget();
  }
}

void Routers::set_active(std::uint32_t block, std::uint32_t routers) {
  active_[block] = routers;
  routers != 0 ? awake_.add(block) : awake_.remove(block);
}

void Routers::close(Cycle now) {
  due_.clear();
  updated_ = 0;
  stirred_.for_each([&](std::uint32_t block) {
    if (rests_.has(block)) rests_.wake(block, now + 1);
  });
  for (const auto [block, routers] : repeating_) {
    if (stirred_.has(block) || !rests_.begin(block, now + 1)) forget(block, routers);
  }
  repeating_.clear();
  stirred_.clear();
  eventful_.clear();
}

void Routers::trap_off_grid(const RouterPlanes& router, const Lanes& leaving, Cycle now) {
  for_each_lane(leaving, [&](std::uint32_t lane) {
    const Channel& channel = table_.channels()[table_.channel(router, lane)];
    const isa::SwitchPosition& current = channel.routing->positions[channel.position];
    const PlaneQueue& from = *router.queue[static_cast<std::uint32_t>(current.rx)];
    const bool control = runs_.look(from, lane, from.popped(lane)).is_control();
    for_each_port(current.tx, [&](isa::Port port) {
      const auto link = static_cast<std::uint32_t>(port);
      if (port == isa::Port::Ramp || !table_.block(router.block).edge[link].has(lane)) return;
      trap_.raise(
          off_grid(image_, channel.pe, channel.colour, port, control, channel.routing, now));
    });
  });
}

// ---- the PE's side

Transport::Head Routers::head(ChannelId id) const {
  using Head = Transport::Head;
  const Channel& channel = table_.channels()[id];
  if ((channel.queues >> kDownRamp & 1) == 0) return Head::None;
  const RouterPlanes& router = table_[channel.router];
  const PlaneQueue& down = *router.queue[kDownRamp];
  const std::uint32_t lane = table_.lane(channel);
  if (!down.heads().has(lane) || router.took.has(lane)) return Head::None;
  if (!down.flags().head_has(RampFlag::Control, lane)) return Head::Data;
  return down.flags().head_has(RampFlag::Unwanted, lane) ? Head::None : Head::Control;
}

std::uint32_t Routers::head_data(ChannelId id) {
  const auto [down, lane] = table_.queue(id, kDownRamp);
  const std::uint64_t number = down->popped(lane);
  if (isa::mutant(isa::Mutant::PickerForgets)) runs_.find(*down, lane, number);
  return words_.value(runs_.look(*down, lane, number));
}

std::uint32_t Routers::pick(ChannelId id, Cycle now) {
  Channel& channel = table_.channels()[id];
  RouterPlanes& router = table_.of(channel);
  const auto [down, lane] = table_.queue(id, kDownRamp);
  const bool sleeps_on = isa::mutant(isa::Mutant::SteadyPick);
  if (rests_.has(router.block) && !sleeps_on) rests_.wake(router.block, now);
  if (down->flags().head_has(RampFlag::Control, lane)) {
    take_control(id);
    count_control(channel.pe, -1);
  }
  const Standing wavelet = runs_.find(*down, lane, down->popped(lane));
  const std::uint32_t value = words_.value(wavelet);
  if (runs_.is_last(wavelet)) runs_.drop(*down, lane);
  down->pop_now(lane);
  router.took.set(lane);
  touch(channel.router);
  client_->look_at(channel.pe, now + 1);
  return value;
}

void Routers::take_control(ChannelId id) {
  const std::uint32_t reader = table_.channels()[id].reader;
  if (reader == kNone) return;
  Thread& thread = threads_[reader];
  words_.apply(reader, issue_.issued(thread));
  for (std::size_t k = 0; k < thread.in.size(); ++k) {
    const bool passes = thread.in[k] == id && !isa::mutant(isa::Mutant::ControlCounts);
    if (passes) ++thread.next[k];
  }
}

void Routers::lose_control(ChannelId id, Cycle now) {
  const Channel& channel = table_.channels()[id];
  const auto [down, lane] = table_.queue(id, kDownRamp);
  take_control(id);
  runs_.find(*down, lane, down->popped(lane));
  runs_.drop(*down, lane);
  table_.of(channel).received.set(lane);
  client_->look_at(channel.pe, now + 1);
}

void Routers::take_control_head(ChannelId id, Cycle now) {
  lose_control(id, now);
  count_control(table_.channels()[id].pe, -1);
  touch(table_.channels()[id].router);
}

void Routers::count_control(PeId pe, int change) {
  std::uint16_t& count = controls_[pes_.index(pe)];
  const bool had_some = count > 0;
  count = static_cast<std::uint16_t>(count + change);
  const bool has_some = count > 0;
  if (had_some == has_some) return;
  BlockControls& of_block = with_controls_[table_.grid().block_of(pe)];
  of_block.lanes.put(table_.grid().lane_of(pe), has_some);
  has_some ? ++of_block.pes : --of_block.pes;
}

void Routers::inject_control(ChannelId id, const Standing& wavelet) {
  const auto [up, lane] = table_.queue(id, kUpRamp);
  runs_.append(*up, lane, wavelet);
  flag_control(table_[table_.channels()[id].router], *up, lane, wavelet);
}

void Routers::flag_control(const RouterPlanes& router, PlaneQueue& queue, std::uint32_t lane,
                           const Standing& wavelet) const {
  queue.flags().arm(LinkFlag::Marked, lane);
  const bool hidden = is_hidden(static_cast<std::uint32_t>(wavelet.word));
  if (hidden && !isa::mutant(isa::Mutant::HiddenShown)) queue.flags().arm(LinkFlag::Hidden, lane);
  if (router.filters != nullptr || may_filter_) queue.flags().arm(LinkFlag::Command, lane);
}

}  // namespace wse::vm::wafer
