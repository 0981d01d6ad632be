// Binds programs to PEs: the slots of every PE, the instance that has them, its tasks and channels.
#pragma once

#include <span>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/load/channel_map.h"
#include "vm/load/program_instances.h"

namespace wse::vm {

struct Binding {
  const isa::Image& image;
  const isa::Profile& profile;
  const isa::Topology& mesh;
  std::span<const LoadedProgram> programs;  // of the image
  ProgramInstances& instances;
  std::vector<std::uint32_t>& instance_of;  // by PE
  std::vector<std::uint32_t>& seeds;        // by PE; stays empty if no program has a seed
  ChannelMap& channels;
};

// Errors: of the first PE, in the order of placements, rows and columns, of which a formula has no
// value, a colour is out of range, two tasks have one id or a seed gives zeros alone.
isa::Status bind(const Binding& binding);

}  // namespace wse::vm
