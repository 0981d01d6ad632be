// Tells cores what came down a ramp.
#include "vm/stepper/pe_ramps.h"

#include "isa/support/mutant.h"

namespace wse::vm {

using isa::mutant;
using isa::Mutant;

PeRamps::PeRamps(const FabricParts& parts, RouterState& state)
    : state_(state),
      agenda_(parts.agenda),
      ledger_(parts.ledger),
      client_(parts.client),
      up_ramp_cycles_(parts.profile.ramp_latency_cycles - (mutant(Mutant::RampLatency) ? 1u : 0u)) {
}

std::uint32_t PeRamps::pick(ChannelId id, Cycle now) {
  const Channel& channel = state_.channels()[id];
  client_.look_at(channel.pe, now + 1);
  agenda_.add(channel.pe, now + 1);
  tell_take(channel.pe, channel.colour, now);
  if (ledger_.causes != nullptr) {
    ledger_.causes->cores.picks_word(channel.pe, channel.colour, head_cause(channel.down));
  }
  return take(channel.pe, channel.down, now);
}

void PeRamps::arrive(Channel& channel, Wavelet wavelet, Cycle visible) {
  if (wavelet.control()) {
    if (is_unwanted(wavelet.data())) {
      ++channel.unwanted;
      state_.channels().update_plain(channel);
      state_.stand(channel);  // the router looks at it when the issue slots do
      return;
    }
    ++state_.controls(channel.pe);
  }
  client_.look_at(channel.pe, visible);
}

bool PeRamps::drop_unwanted(Channel& channel, Cycle now) {
  Queue& down = state_.queues()[channel.down];
  if (!down.can_take(now) || mutant(Mutant::UnwantedStays)) return false;
  const Wavelet head = down.head();
  if (!head.control() || !is_unwanted(head.data())) return false;
  tell_take(channel.pe, channel.colour, now);
  if (ledger_.causes != nullptr) {
    ledger_.causes->routers.drops(channel.pe, channel.colour, head_cause(channel.down), now);
  }
  down.pop(now);
  --channel.unwanted;
  state_.channels().update_plain(channel);
  agenda_.add(channel.pe, now + 1);
  client_.look_at(channel.pe, now + 1);
  return true;
}

}  // namespace wse::vm
