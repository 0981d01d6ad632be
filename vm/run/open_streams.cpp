// Appends to the ends of streams, and wakes the routers there.
#include "vm/run/open_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vm/run/launches.h"
#include "vm/run/parts.h"

namespace wse::vm {
namespace {

// The stream of that name, which enters, or leaves.
isa::Result<const isa::Stream*> stream_named(const Streams& streams, std::string_view name,
                                             bool enters) {
  const isa::Stream* const stream = streams.find(name);
  if (stream == nullptr) return isa::fail(fmt::format("there is no stream '{}'", name));
  if (stream->enters == enters) return stream;
  return isa::fail(enters ? fmt::format("stream '{}' leaves the grid: receive from it", name)
                          : fmt::format("stream '{}' enters the grid: send to it", name));
}

std::size_t pes_of(const isa::Stream& stream) {
  return static_cast<std::size_t>(stream.rect.x.count() * stream.rect.y.count());
}

// The PE of the stream with that number, row by row.
std::pair<std::uint32_t, std::uint32_t> pe_of(const isa::Stream& stream, std::size_t place) {
  const auto width = static_cast<std::size_t>(stream.rect.x.count());
  const auto column = static_cast<std::int64_t>(place % width);
  const auto row = static_cast<std::int64_t>(place / width);
  return {static_cast<std::uint32_t>(stream.rect.x.first + column * stream.rect.x.step),
          static_cast<std::uint32_t>(stream.rect.y.first + row * stream.rect.y.step)};
}

}  // namespace

bool OpenStreams::has(std::string_view name) const {
  return machine_.parts_->streams.find(name) != nullptr;
}

isa::Status OpenStreams::send(std::string_view name, std::span<const std::uint32_t> words) {
  Machine::Parts& p = *machine_.parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, true);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  if (pes == 0 || words.size() % pes != 0) {
    return isa::fail(
        fmt::format("stream '{}' enters at {} PEs: {} elements are not as many for each", name, pes,
                    words.size()));
  }
  const std::size_t n = words.size() / pes;
  for (std::size_t place = 0; place < pes; ++place) {
    p.streams.make_room(p.streams.end_of(**stream, place), n);
  }
  const Cycle from = Launches(machine_).next_cycle();
  if (p.has_come_to_rest()) p.begin_launch(from);
  for (std::size_t place = 0; place < pes; ++place) {
    p.streams.send(p.streams.end_of(**stream, place), words.subspan(place * n, n));
    const auto [x, y] = pe_of(**stream, place);
    const PeId pe = p.mesh.pe_at(x, y);
    p.strips.of(pe).transport->elements_come(pe, from);
  }
  return {};
}

isa::Result<std::size_t> OpenStreams::arrived(std::string_view name) const {
  const Machine::Parts& p = *machine_.parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, false);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  std::size_t least = pes == 0 ? 0 : ~std::size_t{0};
  for (std::size_t place = 0; place < pes; ++place) {
    least = std::min(least, p.streams.arrived(p.streams.end_of(**stream, place)));
  }
  return least;
}

isa::Result<std::vector<std::uint32_t>> OpenStreams::receive(std::string_view name, std::size_t n) {
  Machine::Parts& p = *machine_.parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, false);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  for (std::size_t place = 0; place < pes; ++place) {
    const std::size_t there = p.streams.arrived(p.streams.end_of(**stream, place));
    if (there >= n) continue;
    const auto [x, y] = pe_of(**stream, place);
    return isa::fail(fmt::format("of stream '{}' {} elements have left at PE({}, {}), not {}", name,
                                 there, x, y, n));
  }
  std::vector<std::uint32_t> words(pes * n);
  for (std::size_t place = 0; place < pes; ++place) {
    p.streams.receive(p.streams.end_of(**stream, place), std::span(words).subspan(place * n, n));
  }
  return words;
}

}  // namespace wse::vm
