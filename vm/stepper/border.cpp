// Passes wavelets and places over the border of a strip.
#include "vm/stepper/border.h"

namespace wse::vm {

void Border::send(const Channel& channel, isa::Port port, PeId there, Wavelet wavelet,
                  Cycle visible) {
  box(strip_).send({.pe = there,
                    .colour = channel.colour,
                    .port = isa::opposite(port),
                    .wavelet = wavelet,
                    .visible = visible});
}

void Border::tell_freed(const Channel& channel, PeId there, bool awaited, Cycle now) {
  box(strip_).free({.pe = there,
                    .colour = channel.colour,
                    .port = isa::opposite(channel.rx),
                    .popped = now,
                    .awaited = awaited});
}

void Border::take_in() {
  for (std::size_t strip = 0; strip < crossings_.strips(); ++strip) {
    if (strip == strip_) continue;
    for (const SentWavelet& sent : box(strip).sent) take_in(sent);
    for (const FreedPlace& place : box(strip).freed) take_in(place);
  }
  state_.peaks().look_at(state_.queues());
  ++round_;
  box(strip_).clear();
}

void Border::take_in(const SentWavelet& sent) {
  if (!pes_.contains(sent.pe)) return;
  const Channel& channel = state_.channels().at(sent.pe, sent.colour);
  const QueueId queue = state_.channels().queue(channel, input_queue(sent.port));
  state_.put(queue, sent.wavelet, agenda_.due(sent.visible));
}

void Border::take_in(const FreedPlace& place) {
  if (!pes_.contains(place.pe)) return;
  const Channel& channel = state_.channels().at(place.pe, place.colour);
  state_.channels().for_each_target(channel, isa::bit(place.port), [&](isa::Port, QueueId ghost) {
    state_.queues()[ghost].pop(place.popped);
  });
  if (place.awaited) agenda_.add(place.pe, place.popped + 1);
}

}  // namespace wse::vm
