// Switches of the stepper, by the rules of contract/router_rules.h.
#include "vm/stepper/switching.h"

#include <algorithm>

#include "isa/machine/control_word.h"

namespace wse::vm {

Switching::Switching(const FabricParts& parts, RouterState& state)
    : profile_(parts.profile),
      state_(state),
      agenda_(parts.agenda),
      ledger_(parts.ledger),
      client_(parts.client) {}

Wavelet Switching::obey(Channel& channel, Wavelet wavelet, bool goes_on, Cycle now) {
  const Obeyed obeyed = vm::obey(switch_of(channel), wavelet.data());
  change(channel, obeyed.now, now);
  tell_causes(channel, true, now);
  const ChannelId id = state_.channels().find(channel.pe, channel.colour);
  ledger_.history.controlled(id, obeyed.turn, goes_on);
  return wavelet.with_data(obeyed.word);
}

void Switching::obey_advance(Channel& channel, Cycle now) {
  const Obeyed obeyed = vm::obey_advance(switch_of(channel));
  change(channel, obeyed.now, now);
  tell_causes(channel, true, now);
  ledger_.history.advanced(state_.channels().find(channel.pe, channel.colour), obeyed.turn);
}

void Switching::tell_causes(const Channel& channel, bool by_move, Cycle now) {
  if (ledger_.causes == nullptr) return;
  const ChannelId id = state_.channels().find(channel.pe, channel.colour);
  ledger_.causes->routers.switches(channel.pe, id, by_move, now);
}

void Switching::tell_position(const Channel& channel, Cycle now) {
  if (!ledger_.tracer.is_open()) return;
  ledger_.tracer.tell({.kind = TraceEvent::Kind::Position,
                       .cycle = now,
                       .pe = channel.pe,
                       .colour = channel.colour,
                       .position = channel.position});
}

void Switching::change(Channel& channel, const SwitchState& next, Cycle now) {
  if (channel.position != next.position) {
    state_.channels().go_to(channel, next.position);
    tell_position(channel, now);
  }
  if (channel.torn_down == next.torn_down) return;
  channel.torn_down = next.torn_down;
  state_.channels().update_plain(channel);
  if (ledger_.tracer.is_open()) {
    using Kind = TraceEvent::Kind;
    ledger_.tracer.tell({.kind = next.torn_down ? Kind::Teardown : Kind::TeardownExit,
                         .cycle = now,
                         .pe = channel.pe,
                         .colour = channel.colour});
  }
  if (!next.torn_down) return;
  client_.torn_down(channel.pe, channel.colour, teardown_seen(profile_, now));
}

Transport::Writable Switching::writable(ChannelId id) const {
  const Channel& channel = state_.channels()[id];
  const bool is_quiet = channel.torn_down ||
                        std::ranges::all_of(state_.channels().queues(channel), [this](QueueId q) {
                          return state_.queues()[q].empty();
                        });
  const auto written = written_.find(id);
  return {is_quiet,
          positions_of(channel.routing, written != written_.end() ? written->second : nullptr)};
}

void Switching::write(const ConfigurationWrite& write) {
  writes_.push_back(write);
  if (write.routing != nullptr) written_[write.channel] = write.routing;
}

void Switching::apply_writes(Cycle now) {
  for (const ConfigurationWrite& write : writes_) apply(write, now);
  writes_.clear();
  if (!written_.empty()) written_.clear();  // costs time for each bucket
}

void Switching::apply(const ConfigurationWrite& write, Cycle now) {
  Channel& channel = state_.channels()[write.channel];
  using Kind = ConfigurationWrite::Kind;
  const SwitchState next = written(switch_of(channel), write.kind, write.routing, write.position);
  switch (write.kind) {
    case Kind::Routing:
      channel.routing = next.routing;
      state_.channels().go_to(channel, next.position);
      tell_position(channel, now);
      break;
    case Kind::Position:
    case Kind::TeardownExit: change(channel, next, now); break;
    case Kind::Filter: state_.make_extra(write.channel).filter = FilterState(write.filter); break;
    case Kind::Advance:
      if (channel.routing != nullptr) obey_advance(channel, now);
      break;
  }
  tell_causes(channel, false, now);
  state_.stand(channel);
  agenda_.add(channel.pe, now + 1);
}

}  // namespace wse::vm
