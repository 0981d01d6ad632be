// The scene of an explanation: the whole machine as it stands, or as it is where it was
// stopped, read only.
#pragma once

#include <string>

#include "vm/report/places.h"
#include "vm/strips/strips.h"

namespace wse::vm {

struct Scene {
  const isa::Image& image;
  const isa::Topology& mesh;
  const Loaded& loaded;
  const ChannelMap& channels;
  const Streams& streams;
  const Inspector& transport;
  const Strips& cores;
  const History& history;
  Cycle now;
  bool moves = false;  // it has been stopped on its way: what waits may continue

  // The cycle in which what waits does so: the next one, if there is one.
  Cycle waits_in() const { return moves ? now + 1 : now; }

  // The channel; those of a PE in ascending order of their colours.
  ChannelState channel(PeId pe, std::uint32_t colour) const {
    return transport.channel(channels.find(pe, colour));
  }
  std::vector<ChannelState> channels_of(PeId pe) const;

  // How many wavelets are in that queue; the first one of the down-ramp.
  std::uint32_t queued(const ChannelState& channel, QueuePort port) const {
    return transport.queued(channel.id, port);
  }
  StandingWavelet first_in(const ChannelState& channel) const {
    return transport.wavelet(channel.id, QueuePort::DownRamp, 0);
  }
};

// "1 wavelet", "2 wavelets"; "1 word", "2 words".
std::string wavelets_text(std::uint64_t count);
std::string words_text(std::uint64_t count);

// "program relay (placed at heat.wsa:30)" of a PE that has one.
std::string program_text(const Scene& scene, PeId pe);

// Where the source gives that PE its `.route`, or `.filter`, of the colour: "heat.wsa:12", or "".
std::string route_place(const Scene& scene, PeId pe, std::uint32_t colour);
// Whether that route begins torn down.
bool starts_torn_down(const Scene& scene, PeId pe, std::uint32_t colour);
std::string filter_place(const Scene& scene, PeId pe, std::uint32_t colour);

}  // namespace wse::vm
