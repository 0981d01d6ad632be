// Moves wavelets over the edge of the grid.
#include "vm/stepper/edge.h"

#include <fmt/format.h>

#include "vm/contract/router_rules.h"

namespace wse::vm {

Edge::Edge(const FabricParts& parts, RouterState& state) : parts_(parts), state_(state) {
  open_streams();
}

void Edge::open_streams() {
  const std::vector<isa::Stream>& streams = parts_.image.streams;
  for (std::uint32_t k = 0; k < streams.size(); ++k) {
    const isa::Stream& stream = streams[k];
    const auto side = static_cast<std::size_t>(stream.side);
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = parts_.mesh.pe_at(x, y);
      if (!parts_.pes.contains(pe)) return;
      ChannelExtra& at = state_.make_extra(state_.channels().find(pe, stream.colour));
      (stream.enters ? at.enters : at.leaves)[side] = parts_.streams.add_end(k, x, y);
      if (stream.enters) parts_.agenda.add(pe, 0);
    });
  }
}

bool Edge::enter(Channel& channel, Cycle now) {
  bool entered = false;
  const auto& enters = state_.extra(channel).enters;
  for (std::size_t side = 0; side < enters.size(); ++side) {
    const StreamEndId stream = enters[side];
    if (stream == kNoStream || parts_.streams.left(stream) == 0) continue;
    const QueueId queue = state_.channels().queue(channel, static_cast<QueuePort>(side));
    Queue& into = state_.queues()[queue];
    if (!into.has_room(now)) continue;
    if (parts_.streams.ready(stream) > now) continue;
    if (parts_.ledger.causes != nullptr) {
      const causes::Place place{number_of(queue), into.has_last_place(now)};
      parts_.ledger.causes->routers.enters(channel.pe, channel.colour, place,
                                           parts_.streams.ready(stream), now);
    }
    const Cycle visible = now + parts_.profile.hop_latency_cycles;
    const Cycle ready = now + parts_.profile.link_interval_cycles;
    const Wavelet wavelet(parts_.streams.take(stream, ready));
    if (parts_.ledger.tracer.is_open()) {
      parts_.ledger.tracer.tell({.kind = TraceEvent::Kind::Enter,
                                 .cycle = now,
                                 .pe = channel.pe,
                                 .colour = channel.colour,
                                 .from = static_cast<isa::Port>(side),
                                 .data = wavelet.data()});
    }
    into.push(wavelet, visible);
    state_.peaks().note(queue);
    parts_.agenda.add(channel.pe, visible);
    parts_.agenda.add(channel.pe, ready);
    parts_.ledger.counters.finished(now + 1);
    ++parts_.ledger.counters.wavelets;
    entered = true;
  }
  return entered;
}

bool Edge::may_leave(const Channel& channel, std::uint32_t tx, Cycle now) {
  const bool control = state_.queues()[channel.from].head().control();
  bool may = true;
  state_.channels().for_each_target(channel, tx, [&](isa::Port port, QueueId target) {
    if (target != kNoQueue) return;
    const auto side = static_cast<std::size_t>(port);
    const StreamEndId stream =
        channel.extra == kNoExtra ? kNoStream : state_.extra(channel).leaves[side];
    if (stream != kNoStream && !control && parts_.streams.left(stream) > 0) return;
    may = false;
    if (stream != kNoStream && !control) {
      const isa::Stream& full = parts_.streams.stream(stream);
      parts_.trap.raise({.trap = isa::Trap::StreamFull,
                         .cycle = now,
                         .pe = channel.pe,
                         .detail = fmt::format("{} has {} elements here", full.name, full.count),
                         .stream = &full});
      return;
    }
    parts_.trap.raise(
        off_grid(parts_.image, channel.pe, channel.colour, port, control, channel.routing, now));
  });
  return may;
}

void Edge::leave(const Channel& channel, isa::Port port, Wavelet wavelet) {
  const auto side = static_cast<std::size_t>(port);
  parts_.streams.put(state_.extra(channel).leaves[side], wavelet.data());
}

}  // namespace wse::vm
