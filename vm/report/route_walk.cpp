// Steps from channel to channel until somebody is to blame.
#include "vm/report/route_walk.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/report/counts.h"

namespace wse::vm {
namespace {

using Why = Spot::Why;

bool sends_to(const ChannelState& channel, isa::Port port) {
  const isa::SwitchPosition* position = channel.current();
  return position != nullptr && (position->tx & isa::bit(port)) != 0;
}

// A control wavelet is first in the down-ramp.
bool control_first(const Scene& scene, const ChannelState& channel) {
  return scene.queued(channel, QueuePort::DownRamp) > 0 && scene.first_in(channel).control;
}

}  // namespace

std::vector<ChannelId> way_to(const Scene& scene, ChannelId to) {
  std::vector<ChannelId> way;
  for (ChannelId at = to; at != kNoChannel && way.size() < scene.mesh.pes();) {
    const ChannelState channel = scene.transport.channel(at);
    if (channel.current() == nullptr) break;
    way.push_back(at);
    const isa::Port rx = channel.current()->rx;
    if (rx == isa::Port::Ramp) break;
    const std::optional<PeId> before = scene.mesh.neighbour(channel.pe, rx);
    at = before ? scene.channels.find(*before, channel.colour) : kNoChannel;
  }
  std::ranges::reverse(way);
  return way;
}

RouteWalk::RouteWalk(const Scene& scene) : scene_(scene) {
  for (std::vector<Spot>& known : known_) known.resize(scene.channels.size());
}

Spot RouteWalk::source(PeId pe, std::uint32_t colour) {
  const ChannelId id = scene_.channels.find(pe, colour);
  const ChannelState own = channel(id);
  if (control_first(scene_, own)) return {.why = Why::Control, .pe = pe};
  if (own.current() == nullptr) return {.why = Why::NoRoute, .pe = pe};
  const Spot spot = upstream(id, kToFirstOddity);
  const bool here = spot.why == Why::TornDown || spot.why == Why::HeldBack;
  if (here && spot.pe == pe) return spot;
  if (!sends_to(own, isa::Port::Ramp)) return {.why = Why::NotToRamp, .pe = pe};
  return spot;
}

Spot RouteWalk::upstream(ChannelId from, Mode mode) {
  std::vector<Spot>& known = known_[mode];
  std::vector<ChannelId> path;
  std::optional<Spot> end;
  for (ChannelId at = from; !end;) {
    if (known[at].why != Why::Unknown) {
      end = known[at];
      break;
    }
    known[at].why = Why::Circle;  // if we come here again
    path.push_back(at);
    end = end_at(channel(at), mode, at);
  }
  for (const ChannelId id : path) known[id] = *end;
  return *end;
}

std::optional<Spot> RouteWalk::end_at(const ChannelState& channel, Mode mode,
                                      ChannelId& next) const {
  const PeId pe = channel.pe;
  if (channel.torn_down) return Spot{.why = Why::TornDown, .pe = pe};
  if (const auto held = held_side(scene_, channel); held && mode == kToFirstOddity) {
    return Spot{Why::HeldBack, *held, pe};
  }
  const isa::Port rx = channel.current()->rx;
  if (rx == isa::Port::Ramp) return Spot{.why = Why::Sender, .pe = pe};
  const std::optional<PeId> before = scene_.mesh.neighbour(pe, rx);
  if (!before) return Spot{Why::Edge, rx, pe};
  next = scene_.channels.find(*before, channel.colour);
  if (next != kNoChannel && sends_to(this->channel(next), isa::opposite(rx))) return std::nullopt;
  const bool may_change = next != kNoChannel && this->channel(next).current() != nullptr;
  if (may_change && mode == kThroughSwitches) return std::nullopt;
  return Spot{Why::NotRouted, isa::opposite(rx), *before};
}

std::vector<Spot> RouteWalk::blocks(PeId pe, std::uint32_t colour) const {
  const ChannelState own = channel(pe, colour);
  if (own.torn_down) return {{.why = Why::TornDown, .pe = pe}};
  if (own.current() == nullptr) return {{.why = Why::NoRoute, .pe = pe}};
  if (own.current()->rx != isa::Port::Ramp) return {{.why = Why::NotFromRamp, .pe = pe}};
  std::vector<Spot> found;
  std::vector<ChannelId> open = {scene_.channels.find(pe, colour)};
  while (!open.empty()) {
    const ChannelId at = open.back();
    open.pop_back();
    const std::uint32_t full = scene_.transport.full_ports(at, scene_.waits_in());
    if (full == 0) found.push_back({.why = Why::Stopped, .pe = channel(at).pe});
    if ((full & isa::bit(isa::Port::Ramp)) != 0) {
      found.push_back({.why = Why::Receiver, .pe = channel(at).pe});
    }
    for (std::uint32_t link = scene_.mesh.links(); link-- > 0;) {  // the first one is next
      const bool turned = isa::mutant(isa::Mutant::BlockOrder);
      const isa::Port port = scene_.mesh.link_port(turned ? scene_.mesh.links() - 1 - link : link);
      if ((full & isa::bit(port)) != 0) look_behind(channel(at), port, found, open);
    }
  }
  return found;
}

// The router behind a link whose queue is full: it is next, or holds it back.
void RouteWalk::look_behind(const ChannelState& channel, isa::Port port, std::vector<Spot>& found,
                            std::vector<ChannelId>& open) const {
  const PeId there = *scene_.mesh.neighbour(channel.pe, port);
  const ChannelId id = scene_.channels.find(there, channel.colour);
  const ChannelState next = this->channel(id);
  const isa::Port side = isa::opposite(port);
  if (next.torn_down) {
    found.push_back({.why = Why::TornDown, .pe = there});
  } else if (next.current() == nullptr) {
    found.push_back({.why = Why::NoRoute, .pe = there});
  } else if (next.current()->rx != side) {
    found.push_back({Why::HeldBack, side, there});
  } else {
    open.push_back(id);
  }
}

std::optional<PeId> RouteWalk::mover(std::uint32_t colour, const Spot& spot) {
  const bool at_switch = spot.why == Why::HeldBack || spot.why == Why::NotToRamp ||
                         spot.why == Why::NotFromRamp || spot.why == Why::NotRouted;
  if (!at_switch) return std::nullopt;
  const ChannelId id = scene_.channels.find(spot.pe, colour);
  if (id == kNoChannel || channel(id).current() == nullptr) return std::nullopt;
  const Spot end = upstream(id, kThroughSwitches);
  const bool acts = end.why == Why::Sender || end.why == Why::TornDown;
  return acts ? std::optional(end.pe) : std::nullopt;
}

std::optional<PeId> RouteWalk::partner(PeId pe, std::uint32_t colour, const Spot& spot) {
  if (spot.why == Why::Sender || spot.why == Why::Receiver) return spot.pe;
  const std::optional<PeId> acts =
      spot.why == Why::TornDown ? std::optional(spot.pe) : mover(colour, spot);
  return acts == pe ? std::nullopt : acts;
}

}  // namespace wse::vm
