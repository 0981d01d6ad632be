// The words of streams, PE by PE.
#include "vm/contract/streams.h"

#include <algorithm>

namespace wse::vm {

Streams::Streams(const isa::Image& image) : streams_(&image.streams) {
  for (const isa::Stream& stream : image.streams) {
    const auto pes = static_cast<std::size_t>(stream.rect.x.count() * stream.rect.y.count());
    words_.emplace_back(pes * stream.count);
  }
}

StreamEndId Streams::add_end(std::uint32_t index, std::uint32_t x, std::uint32_t y) {
  const isa::Stream& stream = (*streams_)[index];
  const isa::StridedRect& rect = stream.rect;
  const std::int64_t column = (x - rect.x.first) / rect.x.step;
  const std::int64_t row = (y - rect.y.first) / rect.y.step;
  const auto pe = static_cast<std::size_t>(row * rect.x.count() + column);
  ends_.push_back({index, pe * stream.count, 0});
  return static_cast<StreamEndId>(ends_.size() - 1);
}

std::uint32_t Streams::take(StreamEndId id, Cycle ready) {
  End& end = ends_[id];
  end.ready = ready;
  return words_[end.stream][end.first + end.next++];
}

void Streams::put(StreamEndId id, std::uint32_t word) {
  End& end = ends_[id];
  const bool half = isa::info(stream(id).type).bytes == 2;
  words_[end.stream][end.first + end.next++] = half ? word & 0xffff : word;
}

std::uint64_t Streams::waiting() const {
  std::uint64_t words = 0;
  for (StreamEndId id = 0; id < ends_.size(); ++id) words += stream(id).enters ? left(id) : 0;
  return words;
}

const isa::Stream* Streams::find(std::string_view name) const {
  const auto found = std::ranges::find(*streams_, name, &isa::Stream::name);
  return found == streams_->end() ? nullptr : &*found;
}

std::vector<std::uint32_t>& Streams::words(const isa::Stream& stream) {
  return words_[static_cast<std::size_t>(&stream - streams_->data())];
}

const std::vector<std::uint32_t>& Streams::words(const isa::Stream& stream) const {
  return words_[static_cast<std::size_t>(&stream - streams_->data())];
}

}  // namespace wse::vm
