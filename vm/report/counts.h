// How many words came, were taken, sent, dropped and left, in a machine that stands still.
//
// Words are data wavelets. History keeps those of ended instructions, an instruction in flight
// says how far it is, and the rest is in queues; so no count costs a running machine anything per
// element.
#pragma once

#include <array>
#include <optional>
#include <span>
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
// Counts words of the thread, which receives (or sends) the colour now.
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

// A side of a router at which wavelets wait that its position does not take.
struct HeldSide {
  ChannelId channel = kNoChannel;
  isa::Port side = isa::Port::Ramp;
};
// Returns the first such side, if there is one.
std::optional<isa::Port> held_side(const Scene& scene, const ChannelState& channel);

// The places, by colour, of wavelets that nobody takes: words in down-ramps, and what routers hold
// back.
// Found in one pass over all channels. A PE that waits for words of the colour has none.
class Strays {
 public:
  explicit Strays(const Scene& scene);

  // At the first PE that has untaken words, if any has.
  const std::optional<Untaken>& first(std::uint32_t colour) const { return first_[colour]; }
  // All PEs that have some, ascending.
  std::span<const PeId> places(std::uint32_t colour) const { return places_[colour]; }
  // The first router that holds some back, if any does, and all that do, ascending.
  const std::optional<HeldSide>& first_held(std::uint32_t colour) const {
    return first_held_[colour];
  }
  std::span<const PeId> holders(std::uint32_t colour) const { return holders_[colour]; }

 private:
  std::array<std::optional<Untaken>, isa::kMaxColours> first_;
  std::array<std::vector<PeId>, isa::kMaxColours> places_;
  std::array<std::optional<HeldSide>, isa::kMaxColours> first_held_;
  std::array<std::vector<PeId>, isa::kMaxColours> holders_;
};

}  // namespace wse::vm
