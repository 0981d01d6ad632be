// Streams: arrays outside the grid whose elements enter and leave at the routers of its edge.
//
// A StreamEnd is the part of one edge PE. It only counts; who moves wavelets decides when.
//
// Streams of a machine that a host holds are open: they have no length. An end that enters has what
// its array was given before the first cycle, if it was, and what the host sends; one that leaves
// keeps all that left until the host receives it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "vm/support/time.h"

namespace wse::vm {

using StreamEndId = std::uint32_t;
inline constexpr StreamEndId kNoStream = ~0u;

// Returns the number of PEs of a stream.
inline std::uint32_t places_of(const isa::Stream& stream) {
  return static_cast<std::uint32_t>(stream.rect.x.count() * stream.rect.y.count());
}

class Streams {
 public:
  // The image must stay.
  explicit Streams(const isa::Image& image);

  // The part of one PE of stream number `index` of the image.
  StreamEndId add_end(std::uint32_t index, std::uint32_t x, std::uint32_t y);

  // Adds the parts of all PEs, where there are none yet.
  void add_all_ends();

  // When all ends are there: from here on they are open.
  void open();
  bool are_open() const { return is_open_; }
  // The colours on which open streams enter, as bits; none if they are not open.
  std::uint32_t open_colours() const;

  const isa::Stream& stream(StreamEndId id) const { return (*streams_)[ends_[id].stream]; }
  // Elements that have not entered, or for which there is still room.
  std::uint32_t left(StreamEndId id) const {
    const End& end = ends_[id];
    if (!is_open_) return stream(id).count - end.next;
    return stream(id).enters
               ? end.first_count + static_cast<std::uint32_t>(end.more.size()) - end.next
               : ~0u;
  }
  // When the next element may enter: the link from outside carries one at a time.
  Cycle ready(StreamEndId id) const { return ends_[id].ready; }
  // The next element, which enters; the one after it does not before `ready`.
  std::uint32_t take(StreamEndId id, Cycle ready);
  void put(StreamEndId id, std::uint32_t word);
  // All elements of all streams that have not entered.
  std::uint64_t waiting() const;

  // ---- of open streams, by number of the PE in the stream, row by row
  StreamEndId end_of(const isa::Stream& stream, std::size_t place) const;
  // Takes memory for n more elements: send() of so many does not throw afterwards.
  void make_room(StreamEndId id, std::size_t n);
  // Appends elements, which are to enter.
  void send(StreamEndId id, std::span<const std::uint32_t> words);
  // How many elements have left and were not received.
  std::size_t arrived(StreamEndId id) const { return ends_[id].more.size() - ends_[id].received; }
  // Takes the first of them, which must be there.
  void receive(StreamEndId id, std::span<std::uint32_t> words);

  // Passes what has entered and left (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive) {
    for (std::vector<std::uint32_t>& words : words_) {
      const std::size_t count = words.size();
      archive.list(words, sizeof(std::uint32_t),
                   [&](std::uint32_t& word) { archive.number(word); });
      archive.expect(words.size() == count);
    }
    const std::vector<StreamEndId> ids = in_order();
    auto next = ids.begin();
    for (std::uint32_t k = 0; k < streams_->size(); ++k) {
      for (std::uint32_t place = 0; place < places_of((*streams_)[k]); ++place) {
        const bool is_here =
            next != ids.end() && ends_[*next].stream == k && ends_[*next].place == place;
        End elsewhere{.stream = k};  // another process has it
        pass_end(archive, is_here ? ends_[*next++] : elsewhere);
      }
    }
  }

  // Passes those of the streams of a machine whose ends others have in part, with their words:
  // ends of PEs that are not here. Streams are not open.
  template <class Archive>
  void pass_share(Archive& archive) {
    std::uint64_t count = ends_.size();
    archive.number(count);
    for (std::uint64_t k = 0; archive.ok() && k < count; ++k) {
      End given = Archive::kReads ? End{} : ends_[k];
      archive.below(given.stream, streams_->size());
      archive.number(given.place);
      if (!archive.ok()) return;
      const isa::Stream& stream = (*streams_)[given.stream];
      const StreamEndId id = Archive::kReads ? end_of(stream, given.place) : StreamEndId(k);
      archive.expect(id < ends_.size());
      if (!archive.ok()) return;
      pass_end(archive, ends_[id]);
      for (std::size_t word = 0; word < stream.count; ++word) {
        archive.number(words_[given.stream][ends_[id].first + word]);
      }
    }
  }

  // nullptr if no stream has the name.
  const isa::Stream* find(std::string_view name) const;
  // The elements of the stream, in C order [height][width][count]; who asks for them to be changed
  // gives them to it.
  std::vector<std::uint32_t>& words(const isa::Stream& stream);
  const std::vector<std::uint32_t>& words(const isa::Stream& stream) const;

 private:
  struct End {
    std::uint32_t stream = 0;
    std::size_t first = 0;   // word of its element 0
    std::uint32_t next = 0;  // element
    Cycle ready = 0;         // before which the next one does not enter
    // ---- open
    std::uint32_t place = 0;               // of its PE in the stream
    std::uint32_t first_count = 0;         // elements that its array has given it
    std::vector<std::uint32_t> more = {};  // behind these: that were sent, or that have left
    std::size_t received = 0;              // of those that have left
  };
  template <class Archive>
  void pass_end(Archive& archive, End& end) {
    const isa::Stream& stream = (*streams_)[end.stream];
    archive.number(end.next);
    archive.number(end.ready);
    const std::uint64_t count = stream.count;
    if (!is_open_) return archive.expect(end.next <= count);
    bool has_array = end.first_count > 0;
    archive.number(has_array);
    end.first_count = has_array && stream.enters ? stream.count : 0;
    archive.list(end.more, sizeof(std::uint32_t),
                 [&](std::uint32_t& word) { archive.number(word); });
    archive.number(end.received);
    archive.expect(end.received <= end.more.size());
    archive.expect(end.next <= (stream.enters ? end.first_count + end.more.size() : count));
  }
  // The ends by stream and place, however strips have added them.
  std::vector<StreamEndId> in_order() const;
  std::size_t number_of(const isa::Stream& stream) const {
    return static_cast<std::size_t>(&stream - streams_->data());
  }

  const std::vector<isa::Stream>* streams_;
  std::vector<std::vector<std::uint32_t>> words_;  // by stream
  std::vector<bool> given_;                        // by stream: somebody has set its words
  bool is_open_ = false;
  std::vector<End> ends_;
};

}  // namespace wse::vm
