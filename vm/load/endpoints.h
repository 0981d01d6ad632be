// The names in a program with given slots: the colours of its descriptors, of what it writes into
// its router and of its data tasks. Its PEs get channels for them.
#pragma once

#include "isa/support/result.h"
#include "vm/load/channel_map.h"
#include "vm/load/program_instances.h"

namespace wse::vm {

// Colours as bits.
struct NamedColours {
  std::uint32_t endpoints = 0;
  std::uint32_t configured = 0;
  std::uint32_t data_tasks = 0;
};

// Of descriptors and of the router; data tasks are told by a TaskTable. Errors: a colour out of
// range, a filter with a value that none can have; as words that continue after "program p".
isa::Result<NamedColours> named_colours(const LoadedProgram& program, const std::uint32_t* slots);

// Adds them, and the routings that the program may write, at one PE.
void add_channels(PeId pe, const ProgramInstance& instance, const NamedColours& named,
                  ChannelMap& channels);

}  // namespace wse::vm
