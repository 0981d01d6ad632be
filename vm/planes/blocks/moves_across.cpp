// What routers of one strip do to queues of another one.
#include "vm/planes/blocks/routers.h"

namespace wse::vm::wafer {

void Routers::send_across(const RouterTable::Behind& place, std::uint32_t port,
                          const Standing& wavelet, bool begins) {
  const std::uint32_t strip = border_.exchange().strip_of(table_[place.router].block);
  const bool control = wavelet.is_control();
  const bool lends = begins && !control;
  if (lends) words_.make_ready(wavelet.train);
  border_.letters_to(strip).arrivals.push_back(
      {.router = place.router,
       .lane = place.lane,
       .link = static_cast<std::uint32_t>(isa::opposite(static_cast<isa::Port>(port))),
       .begins = begins,
       .control = control,
       .word = static_cast<std::uint32_t>(wavelet.word),
       .hops = wavelet.hops,
       .freight = lends ? loans_.lend(wavelet.train, strip) : Freight{}});
}

void Routers::take_arrivals(const Letters& letters, Cycle now) {
  for (const Sending& sending : letters.sendings) {
    const std::uint32_t block = table_[sending.router].block;
    if (sending.changed) disturb_decided(block, now);
    if (!rests_.has(block)) touch(sending.router);
  }
  for (const Arrival& arrival : letters.arrivals) {
    disturb_decided(table_[arrival.router].block, now);
    const bool has_train = arrival.begins && !arrival.control;
    const Standing wavelet{.train = has_train ? loans_.borrow(arrival.freight) : kNone,
                           .word = arrival.word,
                           .hops = arrival.hops};
    PlaneQueue& queue = *table_[arrival.router].queue[arrival.link];
    if (!arrival.control && !arrival.begins) {
      queue.flags().arm(LinkFlag::Marked, arrival.lane);
      continue;
    }
    arrive({arrival.router, arrival.lane, &queue}, wavelet, arrival.begins);
    runs_.release(wavelet);
  }
}

void Routers::take_stirred(const Letters& letters, Cycle now) {
  for (const std::uint32_t block : letters.stirred) {
    if (rests_.has(block)) rests_.wake(block, now);
  }
}

}  // namespace wse::vm::wafer
