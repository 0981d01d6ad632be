// Passes wavelets and places over the border of a strip.
#include "vm/stepper/border.h"

#include <algorithm>

namespace wse::vm {

Border::Border(const FabricParts& parts, RouterState& state)
    : pes_(parts.pes),
      link_(parts.link),
      ends_(parts.ends.begin(), parts.ends.end()),
      agenda_(parts.agenda),
      state_(state),
      outgoing_(link_.strips()) {
  open_turn();
}

void Border::open_turn() {
  for (std::uint32_t strip = 0; strip < outgoing_.size(); ++strip) {
    outgoing_[strip] = &link_.to(strip);
  }
  first_effect_ = kNever;
}

std::uint32_t Border::strip_of(PeId pe) const {
  std::uint32_t strip = 0;
  while (pe >= ends_[strip]) ++strip;
  return strip;
}

[[gnu::noinline]] void Border::send(const Channel& channel, isa::Port port, PeId there,
                                    Wavelet wavelet, Cycle visible) {
  append(to_owner(there), Crossing{.pe = there,
                                   .colour = static_cast<std::uint8_t>(channel.colour),
                                   .port = isa::opposite(port),
                                   .kind = Crossing::Kind::Sent,
                                   .unused = 0,
                                   .wavelet = wavelet,
                                   .at = visible});
  first_effect_ = std::min(first_effect_, visible);
}

void Border::tell_freed(const Channel& channel, PeId there, bool awaited, Cycle now) {
  append(to_owner(there),
         Crossing{.pe = there,
                  .colour = static_cast<std::uint8_t>(channel.colour),
                  .port = isa::opposite(channel.rx),
                  .kind = awaited ? Crossing::Kind::Awaited : Crossing::Kind::Freed,
                  .unused = 0,
                  .wavelet = {},
                  .at = now});
  if (awaited) first_effect_ = std::min(first_effect_, now + 1);
}

void Border::take_in() {
  link_.turn();
  for (std::uint32_t strip = 0; strip < outgoing_.size(); ++strip) {
    if (strip == link_.strip()) continue;
    for_each_value<Crossing>(link_.from(strip),
                             [this](const Crossing& crossing) { take_in(crossing); });
  }
  state_.peaks().look_at(state_.queues());
  open_turn();
}

void Border::take_in(const Crossing& crossing) {
  const Channel& channel = state_.channels().at(crossing.pe, crossing.colour);
  if (crossing.kind == Crossing::Kind::Sent) {
    const QueueId queue = state_.channels().queue(channel, input_queue(crossing.port));
    state_.put(queue, crossing.wavelet, agenda_.due(crossing.at));
    return;
  }
  state_.channels().for_each_target(
      channel, isa::bit(crossing.port),
      [&](isa::Port, QueueId ghost) { state_.queues()[ghost].pop(crossing.at); });
  if (crossing.kind == Crossing::Kind::Awaited) agenda_.add(crossing.pe, crossing.at + 1);
}

}  // namespace wse::vm
