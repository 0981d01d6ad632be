// The words of streams, PE by PE.
#include "vm/contract/streams.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wse::vm {

Streams::Streams(const isa::Image& image) : streams_(&image.streams) {
  for (const isa::Stream& stream : image.streams) {
    const auto pes = static_cast<std::size_t>(stream.rect.x.count() * stream.rect.y.count());
    words_.emplace_back(pes * stream.count);
  }
  given_.resize(image.streams.size());
}

void Streams::open() {
  is_open_ = true;
  for (End& end : ends_) {
    const isa::Stream& stream = (*streams_)[end.stream];
    end.first_count = stream.enters && given_[end.stream] ? stream.count : 0;
  }
}

std::vector<StreamEndId> Streams::in_order() const {
  std::vector<StreamEndId> ids(ends_.size());
  std::iota(ids.begin(), ids.end(), StreamEndId{0});
  std::ranges::sort(
      ids, {}, [this](StreamEndId id) { return std::pair(ends_[id].stream, ends_[id].place); });
  return ids;
}

std::uint32_t Streams::open_colours() const {
  std::uint32_t colours = 0;
  for (const isa::Stream& stream : *streams_) {
    if (is_open_ && stream.enters) colours |= 1u << stream.colour;
  }
  return colours;
}

StreamEndId Streams::add_end(std::uint32_t index, std::uint32_t x, std::uint32_t y) {
  const isa::Stream& stream = (*streams_)[index];
  const isa::StridedRect& rect = stream.rect;
  const std::int64_t column = (x - rect.x.first) / rect.x.step;
  const std::int64_t row = (y - rect.y.first) / rect.y.step;
  const auto pe = static_cast<std::size_t>(row * rect.x.count() + column);
  ends_.push_back({.stream = index,
                   .first = pe * stream.count,
                   .next = 0,
                   .ready = 0,
                   .place = static_cast<std::uint32_t>(pe)});
  return static_cast<StreamEndId>(ends_.size() - 1);
}

void Streams::add_all_ends() {
  for (std::uint32_t k = 0; k < streams_->size(); ++k) {
    isa::for_each((*streams_)[k].rect,
                  [this, k](std::uint32_t x, std::uint32_t y) { add_end(k, x, y); });
  }
}

std::uint32_t Streams::take(StreamEndId id, Cycle ready) {
  End& end = ends_[id];
  end.ready = ready;
  const std::uint32_t next = end.next++;
  if (!is_open_ || next < end.first_count) return words_[end.stream][end.first + next];
  const std::uint32_t word = end.more[next - end.first_count];
  if (left(id) == 0) {  // all that were sent have entered: the next ones need their room
    end.more.clear();
    end.next = end.first_count;
  }
  return word;
}

void Streams::put(StreamEndId id, std::uint32_t word) {
  End& end = ends_[id];
  const bool half = isa::info(stream(id).type).bytes == 2;
  const std::uint32_t element = half ? word & 0xffff : word;
  if (is_open_) end.more.push_back(element);
  if (end.next < stream(id).count) words_[end.stream][end.first + end.next++] = element;
}

StreamEndId Streams::end_of(const isa::Stream& stream, std::size_t place) const {
  const std::size_t number = number_of(stream);
  const auto end = std::ranges::find_if(
      ends_, [&](const End& e) { return e.stream == number && e.place == place; });
  return static_cast<StreamEndId>(end - ends_.begin());
}

void Streams::make_room(StreamEndId id, std::size_t n) {
  std::vector<std::uint32_t>& more = ends_[id].more;
  const std::size_t wanted = more.size() + n;
  if (wanted > more.capacity()) more.reserve(std::max(wanted, 2 * more.capacity()));
}

void Streams::send(StreamEndId id, std::span<const std::uint32_t> words) {
  ends_[id].more.insert(ends_[id].more.end(), words.begin(), words.end());
}

void Streams::receive(StreamEndId id, std::span<std::uint32_t> words) {
  End& end = ends_[id];
  std::copy_n(end.more.begin() + static_cast<std::ptrdiff_t>(end.received), words.size(),
              words.begin());
  end.received += words.size();
  if (end.received * 2 < end.more.size()) return;
  // Elements that were received give their room back, so that a host that always leaves some needs
  // no more.
  end.more.erase(end.more.begin(), end.more.begin() + static_cast<std::ptrdiff_t>(end.received));
  end.received = 0;
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
  const std::size_t number = number_of(stream);
  given_[number] = true;
  for (End& end : ends_) {
    if (is_open_ && stream.enters && end.stream == number) end.first_count = stream.count;
  }
  return words_[number];
}

const std::vector<std::uint32_t>& Streams::words(const isa::Stream& stream) const {
  return words_[number_of(stream)];
}

}  // namespace wse::vm
