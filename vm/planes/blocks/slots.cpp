// Planes issue; what only one thread knows is done one by one.
#include "vm/planes/blocks/slots.h"

#include <algorithm>

#include "isa/support/checked.h"
#include "vm/planes/bits/steps.h"

namespace wse::vm::wafer {

Slots::Slots(const Parts& parts)
    : grid_(parts.grid),
      ledger_(parts.ledger),
      issue_(parts.issue),
      activities_(parts.activities),
      threads_(parts.threads),
      words_(parts.words),
      rests_(parts.rests),
      moving_(parts.moving),
      routers_(parts.routers),
      active_routers_(parts.active_routers),
      controls_(parts.controls),
      control_slots_(parts.control_slots),
      ending_(parts.ending),
      client_(parts.client) {}

void Slots::issue_block(std::uint32_t block, Cycle now) {
  isa::check_that(routers_.shows_start(block), "vm/planes 5: a block issues before it decides");
  IssuePlanes& planes = issue_[block];
  restless_ |= planes.held[0].any() || planes.held[1].any();
  const bool issued = steps().issue(planes);
  if (planes.is_otherwise) activities_.change(block, now);
  if (planes.maps != nullptr) note_rests(*planes.maps, now);
  if (planes.has_controlled) control_slots_.take(planes, block, now);
  if (planes.has_ended) {
    restless_ = true;
    ending_.add(block);
  }
  if (issued) {
    restless_ = true;
    ledger_.counters.finished(now + 1);
    if (planes.has_named) apply_named(planes, block, now);
    tell_routers(planes, block, now);
    if (planes.has_left) tell_left(planes, block, now);
    active_routers_.watch(block);
    return;
  }
  const bool moves = std::ranges::any_of(
      planes.threads, [](const auto& thread) { return thread != nullptr && thread->moving.any(); });
  if (moves || planes.activity.stalled.any()) {
    if (planes.repeats) active_routers_.watch(block);  // where all wait, it may rest
    return;
  }
  moving_.remove(block);
  planes.repeats = true;
}

// A gap is work, up to its end.
void Slots::note_rests(const MapPlanes& maps, Cycle now) {
  restless_ |= maps.has_rests;
  if (maps.gap_begins) ledger_.counters.finished(now + maps.rests.size() - 1);
}

void Slots::tell_routers(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->has_issued) continue;
    for (const RampUse& use : thread->inputs) {
      if (!use.is_busy) continue;
      active_routers_.touch(use.number);
      if (controls_.has_any(block)) tell_cores(planes, use.lanes & thread->issued, block, now);
    }
    for (const RampUse& use : thread->outputs) {
      if (use.is_busy) active_routers_.touch(use.number);
    }
    if (planes.has_control) control_slots_.send(*thread, block, number);
  }
  planes.has_control = false;
}

void Slots::tell_cores(IssuePlanes& planes, const Lanes& taking, std::uint32_t block, Cycle now) {
  const Lanes waiting = taking & controls_.lanes(block);
  if (waiting.any()) planes.repeats = false;
  for_each_lane(waiting, [&](std::uint32_t lane) {
    client_.look_at(grid_.pe_of(block, lane), now + 1);  // one may be head then
  });
}

void Slots::apply_named(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_named = false;
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    const ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->has_named) continue;
    for_each_lane(thread->issued & thread->named, [&](std::uint32_t lane) {
      const std::uint32_t index = threads_.index({grid_.pe_of(block, lane), number});
      words_.apply_named(index, issue_.issued(threads_[index]), now);
    });
  }
}

void Slots::tell_left(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_left = false;
  for (std::uint32_t number = 0; number < planes.fifos.size(); ++number) {
    const FifoPlanes& fifo = *planes.fifos[number];
    const auto tell = [&](const Lanes& lanes, TransportClient::Level level) {
      for_each_lane(lanes, [&](std::uint32_t lane) {
        client_.left(grid_.pe_of(block, lane), number, level, now);
      });
    };
    tell(fifo.left_full(), TransportClient::Level::Full);
    tell(fifo.left_empty(), TransportClient::Level::Empty);
  }
}

}  // namespace wse::vm::wafer
