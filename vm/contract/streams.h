// Streams: arrays outside the grid whose elements enter and leave at the routers of its edge.
//
// A StreamEnd is the part of one edge PE. It only counts; who moves wavelets decides when.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "vm/support/time.h"

namespace wse::vm {

using StreamEndId = std::uint32_t;
inline constexpr StreamEndId kNoStream = ~0u;

class Streams {
 public:
  // The image must stay.
  explicit Streams(const isa::Image& image);

  // The part of one PE of stream number `index` of the image.
  StreamEndId add_end(std::uint32_t index, std::uint32_t x, std::uint32_t y);

  const isa::Stream& stream(StreamEndId id) const { return (*streams_)[ends_[id].stream]; }
  // Elements that have not entered, or for which there is still room.
  std::uint32_t left(StreamEndId id) const { return stream(id).count - ends_[id].next; }
  // When the next element may enter: the link from outside carries one at a time.
  Cycle ready(StreamEndId id) const { return ends_[id].ready; }
  // The next element, which enters; the one after it does not before `ready`.
  std::uint32_t take(StreamEndId id, Cycle ready);
  void put(StreamEndId id, std::uint32_t word);
  // All elements of all streams that have not entered.
  std::uint64_t waiting() const;

  // nullptr if no stream has the name.
  const isa::Stream* find(std::string_view name) const;
  // The elements of the stream, in C order [height][width][count].
  std::vector<std::uint32_t>& words(const isa::Stream& stream);
  const std::vector<std::uint32_t>& words(const isa::Stream& stream) const;

 private:
  struct End {
    std::uint32_t stream = 0;
    std::size_t first = 0;   // word of its element 0
    std::uint32_t next = 0;  // element
    Cycle ready = 0;         // before which the next one does not enter
  };
  const std::vector<isa::Stream>* streams_;
  std::vector<std::vector<std::uint32_t>> words_;  // by stream
  std::vector<End> ends_;
};

}  // namespace wse::vm
