// What explanations look at: the whole machine as it stands, read only.
#pragma once

#include <string>

#include "vm/pe/cores.h"

namespace wse::vm {

struct Scene {
  const isa::Image& image;
  const isa::Topology& mesh;
  const Loaded& loaded;
  const Fabric& fabric;
  const Issuer& issuer;
  const Cores& cores;
  const History& history;
  Cycle now;

  // How many wavelets are in that queue of the channel, if it has one.
  std::uint32_t queued(const Channel& channel, QueuePort port) const {
    return channel.has(port) ? fabric.queues().size(channel.queue(port)) : 0;
  }
};

// "PE(3, 0)".
std::string pe_text(const isa::Topology& mesh, PeId pe);

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
