// Into queues of this strip, and to those of another one.
#include "vm/planes/blocks/arrivals.h"

#include <algorithm>
#include <array>

#include "isa/support/mutant.h"
#include "vm/contract/router_rules.h"

namespace wse::vm::wafer {

Arrivals::Arrivals(const Parts& parts)
    : parts_(parts),
      may_filter_(std::ranges::any_of(parts.image.programs, [](const isa::Program& program) {
        return !program.filters.empty();
      })) {}

void Arrivals::over_link(const RouterTable::Behind& place, std::uint32_t link,
                         const Standing& wavelet, bool begins, Cycle now) {
  const std::uint32_t block = parts_.table[place.router].block;
  if (!parts_.border.owns(block)) return send_across(place, link, wavelet, begins);
  parts_.disturbances.disturb(block, now);
  enter(place, wavelet, begins);
}

bool Arrivals::pass_over_link(PlaneQueue& from, std::uint32_t lane,
                              const RouterTable::Behind& place, Cycle now) {
  const std::uint32_t block = parts_.table[place.router].block;
  if (!parts_.border.owns(block)) return false;
  parts_.disturbances.disturb(block, now);
  parts_.run_lists.pass_on(from, lane, *place.queue, place.lane, 1);
  place.queue->flags().arm(LinkFlag::Marked, place.lane);
  return true;
}

void Arrivals::pass_to_pe(PlaneQueue& from, const RouterPlanes& router, std::uint32_t lane) {
  const std::uint32_t hops =
      parts_.run_lists.pass_on(from, lane, *router.queue[kDownRamp], lane, 0);
  parts_.counters.max_distance = std::max(parts_.counters.max_distance, hops);
}

void Arrivals::over_link(const RouterPlanes& router, std::uint32_t link,
                         const StandingSet& wavelets, bool begins, Cycle now) {
  for (const LanesBeside& there :
       lanes_beside(parts_.table.grid(), router.block, wavelets.lanes, link)) {
    if (!there.lanes.any()) continue;
    const std::int32_t from = static_cast<std::int32_t>(first_of(there.lanes)) - there.shift;
    const RouterTable::Behind place =
        parts_.table.behind(router, static_cast<std::uint32_t>(from), link);
    const std::uint32_t block = parts_.table[place.router].block;
    const std::int32_t moved = isa::mutant(isa::Mutant::RowMoved) ? 0 : there.shift;
    const StandingSet arriving{there.lanes, wavelets.wavelet, wavelets.shift + moved};
    if (!parts_.border.owns(block)) {
      for_each_lane(there.lanes, [&](std::uint32_t lane) {
        send_across({place.router, lane, place.queue}, link, arriving.of(lane), begins);
      });
      continue;
    }
    parts_.disturbances.disturb(block, now);
    enter(place, arriving, begins);
  }
}

void Arrivals::enter(const RouterTable::Behind& place, const Standing& wavelet, bool begins) {
  if (begins) parts_.run_lists.append(*place.queue, place.lane, wavelet, 1);
  if (wavelet.is_control()) {
    flag_control(parts_.table[place.router], *place.queue, place.lane, wavelet);
  } else {
    place.queue->flags().arm(LinkFlag::Marked, place.lane);
  }
}

void Arrivals::enter(const RouterTable::Behind& place, const StandingSet& wavelets, bool begins) {
  if (begins) parts_.run_lists.append(*place.queue, wavelets, 1);
  if (wavelets.wavelet.is_control()) {
    flag_control(parts_.table[place.router], *place.queue, wavelets.lanes, wavelets.wavelet);
  } else {
    place.queue->flags().arm(LinkFlag::Marked, wavelets.lanes);
  }
}

void Arrivals::at_pe(const RouterPlanes& router, std::uint32_t lane, const Standing& wavelet,
                     bool begins, Cycle now) {
  if (begins) parts_.run_lists.append(*router.queue[kDownRamp], lane, wavelet);
  parts_.counters.max_distance = std::max(parts_.counters.max_distance, wavelet.hops);
  if (wavelet.is_control()) flag_at_pe(router, lane, wavelet, now);
}

void Arrivals::at_pe(const RouterPlanes& router, const StandingSet& wavelets, bool begins,
                     Cycle now) {
  if (begins) parts_.run_lists.append(*router.queue[kDownRamp], wavelets);
  parts_.counters.max_distance = std::max(parts_.counters.max_distance, wavelets.wavelet.hops);
  if (wavelets.wavelet.is_control()) flag_at_pe(router, wavelets.lanes, wavelets.wavelet, now);
}

template <class Which>
void Arrivals::flag_at_pe(const RouterPlanes& router, const Which& lanes, const Standing& wavelet,
                          Cycle now) {
  PlaneQueue& down = *router.queue[kDownRamp];
  down.flags().arm(RampFlag::Control, lanes);
  if (is_unwanted(static_cast<std::uint32_t>(wavelet.word))) {
    down.flags().arm(RampFlag::Unwanted, lanes);
    return;
  }
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const PeId pe = parts_.table.grid().pe_of(router.block, lane);
    parts_.controls.add(pe);
    parts_.client.look_at(pe, now + parts_.profile.ramp_latency_cycles);
  });
}

void Arrivals::at_up_ramp(ChannelId id, const Standing& wavelet) {
  const auto [up, lane] = parts_.table.queue(id, kUpRamp);
  parts_.run_lists.append(*up, lane, wavelet);
  flag_control(parts_.table.of(parts_.table.channels()[id]), *up, lane, wavelet);
}

void Arrivals::at_up_ramp(const RouterPlanes& router, const StandingSet& wavelets) {
  parts_.run_lists.append(*router.queue[kUpRamp], wavelets);
  flag_control(router, *router.queue[kUpRamp], wavelets.lanes, wavelets.wavelet);
}

template <class Which>
void Arrivals::flag_control(const RouterPlanes& router, PlaneQueue& queue, const Which& lanes,
                            const Standing& wavelet) const {
  queue.flags().arm(LinkFlag::Marked, lanes);
  const bool hidden = is_hidden(static_cast<std::uint32_t>(wavelet.word));
  if (hidden && !isa::mutant(isa::Mutant::HiddenShown)) queue.flags().arm(LinkFlag::Hidden, lanes);
  if (router.filters != nullptr || may_filter_) queue.flags().arm(LinkFlag::Command, lanes);
}

// ---- across borders

void Arrivals::send_across(const RouterTable::Behind& place, std::uint32_t link,
                           const Standing& wavelet, bool begins) {
  const std::uint32_t strip = parts_.border.strip_of(parts_.table[place.router].block);
  const Arrival arrival = {
      .router = place.router,
      .lane = place.lane,
      .link = static_cast<std::uint32_t>(isa::opposite(static_cast<isa::Port>(link))),
      .begins = begins ? 1u : 0u,
      .control = wavelet.is_control() ? 1u : 0u,
      .word = static_cast<std::uint32_t>(wavelet.word),
      .hops = wavelet.hops};
  if (!arrival.has_message()) return append(parts_.border.letters_to(strip), arrival);
  parts_.words.make_ready(wavelet);
  parts_.loans.lend(wavelet.message, wavelet.row, arrival, strip);
}

void Arrivals::read_letters(Cycle now) {
  parts_.border.read([&](std::uint32_t strip, LetterReader letters) {
    while (!letters.is_over()) {
      switch (letters.kind()) {
        case LetterKind::Sending:
        case LetterKind::SentWire: parts_.disturbances.take_sending(letters, now); break;
        case LetterKind::RoomWire: parts_.disturbances.take_room(letters, now); break;
        case LetterKind::Arrival: take(strip, letters, now); break;
        default: parts_.loans.read(strip, letters); break;
      }
    }
  });
}

void Arrivals::take(std::uint32_t strip, LetterReader& letters, Cycle now) {
  const auto arrival = letters.take<Arrival>();
  parts_.disturbances.disturb_decided(parts_.table[arrival.router].block, now);
  PlaneQueue& queue = *parts_.table[arrival.router].queue[arrival.link];
  if (arrival.control == 0 && arrival.begins == 0) {
    queue.flags().arm(LinkFlag::Marked, arrival.lane);
    return;
  }
  const Standing wavelet{
      .message = arrival.has_message() ? parts_.loans.borrow(strip, arrival, letters) : kNone,
      .word = arrival.word,
      .hops = arrival.hops};
  enter({arrival.router, arrival.lane, &queue}, wavelet, arrival.begins != 0);
  parts_.run_lists.release(wavelet);
}

}  // namespace wse::vm::wafer
