// Blocks decide, and update when all within reach have decided.
#include "vm/planes/blocks/routers.h"

#include <bit>

#include "isa/support/checked.h"
#include "vm/contract/router_rules.h"

namespace wse::vm::wafer {

Routers::Routers(const Parts& parts)
    : image_(parts.image),
      profile_(parts.profile),
      border_(parts.border),
      counters_(parts.counters),
      trap_(parts.trap),
      table_(parts.table),
      issue_(parts.issue),
      run_lists_(parts.run_lists),
      activity_(parts.activity),
      disturbances_(parts.disturbances),
      switches_(parts.switches),
      marked_(parts.marked),
      down_ramps_(parts.down_ramps),
      peaks_(parts.peaks),
      client_(parts.client),
      rotates_(static_cast<isa::Arbitration>(profile_.arbitration) == isa::Arbitration::Rotate) {}

// Colours take turns in the same order in all routers.
void Routers::decide_block(std::uint32_t block, Cycle now) {
  isa::check_that(shows_start(block), "vm/planes 5: a block decides before those beside it update");
  disturbances_.turn_to(block);
  activity_.watch(block);
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
  marked_.move_rest(now);
  for (const TurnedFilter& turned : turned_) switches_.turn_filter(*turned.router, turned.lane);
  turned_.clear();
}

void Routers::decide_router(std::uint32_t number, Cycle now) {
  if (!activity_.is_active(number)) return;
  RouterPlanes& router = table_[number];
  using Kind = Moves::Kind;
  Moves& moves = decided_;
  steps().decide(router, table_.block(router.block), table_.shifts(), moves);
  if (!moves.matters()) return;
  const auto for_each = [&moves](Kind kind, auto visit) {
    if (moves.has(kind)) for_each_lane(moves.lanes(kind), visit);
  };
  if (moves.has(Kind::Dropped)) {
    activity_.touch(number);
    disturbances_.add_event(router.block);
    for_each(Kind::Dropped, [&](std::uint32_t lane) {
      down_ramps_.drop_control(table_.channel(router, lane), now);
    });
  }
  if (moves.has(Kind::Leaving)) trap_off_grid(router, moves.lanes(Kind::Leaving), now);
  if ((moves.sending | moves.changed) != 0) disturbances_.tell_sending(router, moves, now);
  if (!moves.any) return;
  restless_ = true;
  counters_.finished(now + 1);
  activity_.touch(number);
  if (moves.has(Kind::ToTask) || moves.has(Kind::Marked) || moves.has(Kind::Turned)) {
    disturbances_.add_event(router.block);
  }
  for_each(Kind::ToTask, [&](std::uint32_t lane) {
    client_.look_at(table_.grid().pe_of(router.block, lane), now + profile_.ramp_latency_cycles);
  });
  if (moves.has(Kind::Marked)) marked_.move(router, moves.lanes(Kind::Marked), now);
  for_each(Kind::Turned, [&](std::uint32_t lane) { turned_.push_back({&router, lane}); });
}

void Routers::update_before(std::uint32_t end) {
  const MarkedSet& due = activity_.due();
  for (std::uint32_t block = due.next(updated_); block < end; block = due.next(block + 1)) {
    if (!border_.touches(block)) update_block(block);
  }
  updated_ = end;
}

void Routers::update_border() {
  activity_.due().for_each([this](std::uint32_t block) {
    if (border_.touches(block)) update_block(block);
  });
}

void Routers::update_block(std::uint32_t block) {
  restless_ |= activity_.is_touched(block);
  std::uint32_t active = 0;
  bool repeats = !rotates_ && !disturbances_.has_event(block) && issue_[block].repeats;
  const std::uint32_t looked_at = activity_.looked_at(block);
  for (std::uint32_t rest = looked_at; rest != 0; rest &= rest - 1) {
    RouterPlanes& router =
        table_[table_.first(block) + static_cast<std::uint32_t>(std::countr_zero(rest))];
    steps().update(router, table_.shifts());
    if (peaks_.are_kept() && !router.repeats) peaks_.look_at(router);
    restless_ |= router.is_in_flight || router.was_in_flight || !router.repeats;
    if (router.is_in_flight || router.stands || router.sends) active |= rest & -rest;
    if (router.room_changed != 0) disturbances_.tell_room(router);
    repeats &= router.repeats;
  }
  activity_.renew(block, active);
  disturbances_.end_block(block, looked_at, repeats);
}

void Routers::close(Cycle now) {
  activity_.close();
  updated_ = 0;
  disturbances_.close(now);
}

void Routers::trap_off_grid(const RouterPlanes& router, const Lanes& leaving, Cycle now) {
  for_each_lane(leaving, [&](std::uint32_t lane) {
    const Channel& channel = table_.channels()[table_.channel(router, lane)];
    const isa::SwitchPosition& current = channel.routing->positions[channel.position];
    const PlaneQueue& from = *router.queue[static_cast<std::uint32_t>(current.rx)];
    const bool control = run_lists_.look(from, lane, from.popped(lane)).is_control();
    for_each_port(current.tx, [&](isa::Port port) {
      const auto link = static_cast<std::uint32_t>(port);
      if (port == isa::Port::Ramp || !table_.block(router.block).edge[link].has(lane)) return;
      trap_.raise(
          off_grid(image_, channel.pe, channel.colour, port, control, channel.routing, now));
    });
  });
}

}  // namespace wse::vm::wafer
