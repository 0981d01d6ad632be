// What enters and leaves at the edge of the grid, and what a run of the fabric adds up to.
#include <algorithm>

#include "tests/oracle/routers.h"

namespace wse::oracle {

void Routers::open_streams(const isa::Image& image) {
  words_.resize(image.streams.size());
  for (std::size_t number = 0; number < image.streams.size(); ++number) {
    const isa::Stream& stream = image.streams[number];
    std::size_t next = 0;
    isa::for_each(stream.rect, [&](std::uint32_t x, std::uint32_t y) {
      stream_ends_.push_back({.pe = y * width_ + x,
                              .side = stream.side,
                              .colour = stream.colour,
                              .enters = stream.enters,
                              .halves = isa::info(stream.type).bytes == 2,
                              .stream = number,
                              .next = next,
                              .end = next + stream.count});
      next += stream.count;
    });
    words_[number].resize(next);
  }
}

// One element in a cycle, if there was room at its start.
void Routers::enter(StreamEnd& from, Cycle now) {
  Queue& queue = channel(from.pe, from.colour).arrived[static_cast<std::size_t>(from.side)];
  if (from.next == from.end || from.free_from > now || !queue.has_room()) return;
  const Conditions fulfilled{.room = queue.was_full(),
                             .link = from.free_from == now || !queue.was_full()};
  outcome_.happenings.push_back({now, from.pe, Happening::Sort::Move, from.colour, fulfilled});
  from.free_from = now + profile_.link_interval_cycles;
  queue.push(
      {.word = words_[from.stream][from.next++], .visible = now + profile_.hop_latency_cycles});
  ++outcome_.wavelets;
  ++outcome_.met["stream enters"];
  moved_ = true;
}

StreamEnd* Routers::stream_out(const Move& move, std::uint32_t port) {
  const auto to = std::ranges::find_if(stream_ends_, [&](const StreamEnd& end) {
    return !end.enters && end.pe == move.pe && end.colour == move.colour &&
           static_cast<std::uint32_t>(end.side) == port;
  });
  return to == stream_ends_.end() ? nullptr : &*to;
}

// A wavelet with a copy that would leave the grid elsewhere than through a stream stays.
std::optional<isa::Trap> Routers::refuses(const Move& move, const Wavelet& wavelet) {
  for (std::uint32_t port = 0; port < ports_; ++port) {
    const bool leaves =
        (move.targets >> port & 1) != 0 && target(move.pe, port, move.colour) == nullptr;
    if (!leaves) continue;
    const StreamEnd* to = stream_out(move, port);
    if (to == nullptr || wavelet.control) return isa::Trap::OffGrid;
    if (to->next == to->end) return isa::Trap::StreamFull;
  }
  return std::nullopt;
}

void Routers::leave(const Wavelet& wavelet, const Move& move, std::uint32_t port) {
  StreamEnd& to = *stream_out(move, port);
  ++outcome_.met["stream leaves"];
  words_[to.stream][to.next++] = to.halves ? wavelet.word & 0xffffu : wavelet.word;
}

void Routers::report() {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const bool ramp = k % ports_ == static_cast<std::size_t>(isa::Port::Ramp);
    std::uint64_t& most = ramp ? outcome_.max_ramp_wavelets : outcome_.max_link_load;
    most = std::max(most, links_[k].load);
    if (!ramp && links_[k].load > 0) ++outcome_.links_used;
    PeNumbers& numbers = outcome_.pes[reached_[k / ports_]];
    (ramp ? numbers.ramp_down : numbers.links[k % ports_]) = links_[k].load;
  }
  for_each_channel([this](std::uint32_t pe, std::uint32_t colour, const Channel& channel) {
    outcome_.tally.words[{pe, colour}].standing = channel.down.data();
    outcome_.wavelets_left += channel.down.size();
    for (const Queue& queue : channel.arrived) outcome_.wavelets_left += queue.size();
    std::uint64_t& peak = outcome_.pes[pe].queue_peak;
    for (const Queue& queue : channel.arrived) peak = std::max<std::uint64_t>(peak, queue.most());
    peak = std::max<std::uint64_t>(peak, channel.down.most());
    if (channel.position != 0) outcome_.positions[{pe, colour}] = channel.position;
  });
  for (const StreamEnd& end : stream_ends_) {
    if (end.enters) outcome_.wavelets_left += end.end - end.next;
  }
  outcome_.streamed = words_;
}

}  // namespace wse::oracle
