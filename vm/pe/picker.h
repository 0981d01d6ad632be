// The picker: which task of a PE is next. It looks only; Cores starts what it names.
//
// High priority first, then the lowest rank, among: local tasks that are activated and not blocked;
// data tasks that are not blocked and at whose colour a data wavelet waits; control tasks whose
// wavelet is at a colour that is not blocked and that no instruction takes it from; teardown
// tasks of colours that were torn down.
#pragma once

#include "vm/contract/transport.h"
#include "vm/pe/core.h"

namespace wse::vm {

struct Pick {
  std::uint32_t task = kNoTask;  // index; kNoTask: nothing binds the id
  std::uint32_t id = 0;
  std::uint32_t rank = 0;          // its id, or the input queue of a data task
  ChannelId channel = kNoChannel;  // data and control: where its wavelet is
  std::uint32_t torn_down = kNoColour;
};

// Returns what is next in this cycle, if anything can be picked.
std::optional<Pick> next_pick(PeId pe, Core& core, const ChannelMap& channels,
                              const Transport& transport, Cycle now);

}  // namespace wse::vm
