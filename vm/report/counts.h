// How many words came, were taken, sent, dropped and left, in a machine that stands still.
//
// Words are data wavelets. What has ended is kept by History, what is in flight says how far it is,
// and the rest is in queues; so no count costs a running machine anything per element.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

// How far one instruction in flight is with a colour.
struct Progress {
  std::uint64_t words = 0;
  std::optional<std::uint64_t> of;  // nothing: it has no bound
  bool control = false;             // control wavelets, not words
  bool ends_by_control = false;     // it has none, and a control wavelet ends it
};
// Of the thread, which receives (or sends) the colour now.
Progress received(const Scene& scene, ThreadId thread, std::uint32_t colour);
Progress sending(const Scene& scene, ThreadId thread, std::uint32_t colour);

// Since the start, by all instructions and data tasks of the PE; 0 where it has no such channel.
std::uint64_t taken(const Scene& scene, PeId pe, std::uint32_t colour);
std::uint64_t sent(const Scene& scene, PeId pe, std::uint32_t colour);

// Words in the down-ramp.
std::uint64_t waiting_words(const Scene& scene, const ChannelState& channel);

// A control wavelet in the down-ramp that asks for a task, if there is one; and the words before
// it.
struct ControlPlace {
  std::optional<StandingWavelet> wavelet{};
  std::uint32_t words_before = 0;
};
ControlPlace first_control(const Scene& scene, const ChannelState& channel);

// Words that are first in a down-ramp, and no instruction in flight takes them.
struct Untaken {
  ChannelId channel = kNoChannel;
  std::uint64_t words = 0;
};
std::optional<Untaken> untaken(const Scene& scene, ChannelId channel);

// Of each colour, where words are that nobody takes. Found in one pass over all channels. A PE
// that waits for words of the colour has none.
class Strays {
 public:
  explicit Strays(const Scene& scene);

  // At the first PE that has some, if any has.
  const std::optional<Untaken>& first(std::uint32_t colour) const { return first_[colour]; }
  // How many PEs have some.
  std::size_t places(std::uint32_t colour) const { return places_[colour]; }

 private:
  std::array<std::optional<Untaken>, isa::kMaxColours> first_;
  std::array<std::size_t, isa::kMaxColours> places_{};
};

}  // namespace wse::vm
