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
  Cycle now;

  // How many wavelets are in that queue of the channel, if it has one.
  std::uint32_t queued(const Channel& channel, QueuePort port) const {
    return channel.has(port) ? fabric.queues().size(channel.queue(port)) : 0;
  }
};

// "PE(3, 0)".
std::string pe_text(const isa::Topology& mesh, PeId pe);

// "1 wavelet", "2 wavelets".
std::string wavelets_text(std::uint64_t count);

}  // namespace wse::vm
