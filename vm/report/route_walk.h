// Walks along routes in a machine that stands still: upstream from who waits for a wavelet,
// downstream from who cannot send one.
//
//     upstream:    Sender -> router -> router -> waits           ends where the sender should be,
//                                                                or earlier, where something is odd
//     downstream:  cannot send -> router -> full -> Receiver     ends at all PEs and routers that
//                                            `----> HeldBack     hold wavelets back
//
// Each channel has one current input, so paths never meet downstream, and what upstream finds is
// kept: both take linear time for all PEs together.
#pragma once

#include <optional>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

// Where a walk ends.
struct Spot {
  enum class Why : std::uint8_t {
    Unknown,
    Sender,       // the PE should send
    Receiver,     // the PE should receive: its down-ramp is full
    Control,      // a control wavelet is first in the down-ramp
    NoRoute,      // nothing routes the colour there
    TornDown,     // the router of the PE holds everything back
    HeldBack,     // it holds back what is at `side`, which its position does not take
    NotToRamp,    // its position does not deliver
    NotFromRamp,  // its position takes nothing from the ramp
    NotRouted,    // it does not send to `side`
    Edge,         // the grid ends at `side`
    Circle,       // routes lead round without a sender
    Stopped,      // wavelets are there for no reason that shows
  };
  Why why = Why::Unknown;
  isa::Port side = isa::Port::Ramp;
  PeId pe = 0;
};

class RouteWalk {
 public:
  explicit RouteWalk(const Scene& scene);

  // Where wavelets of the colour should come from that `pe` waits for, or what is odd before that.
  Spot source(PeId pe, std::uint32_t colour);

  // Where the wavelets are that `pe` has sent; at least one spot. The first is the nearest of a
  // tree in which ramps come before links.
  std::vector<Spot> blocks(PeId pe, std::uint32_t colour) const;

  // Where a switch must move before the spot changes: who sends to its current input, and so could
  // send what moves it.
  std::optional<PeId> mover(std::uint32_t colour, const Spot& spot);

  // The PE that must act before the spot changes, if there is one: who sends, receives, or ends a
  // teardown; where a switch must move, who sends what it takes now. If that is only `pe` itself,
  // it is returned where it should send or receive, and nothing otherwise.
  std::optional<PeId> partner(PeId pe, std::uint32_t colour, const Spot& spot);

 private:
  enum Mode : std::uint8_t { kToFirstOddity, kThroughSwitches };

  Spot upstream(ChannelId from, Mode mode);
  // The end of the walk, if it ends at this channel; otherwise `next` is where it continues.
  std::optional<Spot> end_at(const ChannelState& channel, Mode mode, ChannelId& next) const;
  void look_behind(const ChannelState& channel, isa::Port port, std::vector<Spot>& found,
                   std::vector<ChannelId>& open) const;
  ChannelState channel(ChannelId id) const { return scene_.transport.channel(id); }
  ChannelState channel(PeId pe, std::uint32_t colour) const { return scene_.channel(pe, colour); }

  const Scene& scene_;
  std::vector<Spot> known_[2];  // by mode and channel
};

// The channels on the way of wavelets to `to`, from where it begins - at a sender, as a rule - to
// `to` itself: following the current inputs of the routers, whatever their current outputs are.
std::vector<ChannelId> way_to(const Scene& scene, ChannelId to);

}  // namespace wse::vm
