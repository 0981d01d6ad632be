// The surroundings of the cores of one strip: what their classes work with.
#pragma once

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/contract/executor.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/load/channel_map.h"
#include "vm/load/loaded.h"
#include "vm/support/agenda.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

// All must live longer than who works with them.
struct CoreParts {
  const isa::Image& image;
  const isa::Profile& profile;
  const isa::Topology& mesh;
  PeRange pes;  // those of the strip
  Loaded& loaded;
  const ChannelMap& channels;
  Transport& transport;
  Executor& executor;
  Agenda& agenda;
  Ledger& ledger;
  FirstTrap& trap;
};

}  // namespace wse::vm
