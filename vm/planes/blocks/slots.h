// The issue slots: threads issue, as planes.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends have a second slot; the up-ramp still takes one wavelet per cycle, compute first.
#pragma once

#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/ledger/ledger.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/blocks/block_activities.h"
#include "vm/planes/blocks/block_threads.h"
#include "vm/planes/blocks/control_slots.h"
#include "vm/planes/blocks/ending_threads.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/blocks/routers.h"
#include "vm/planes/blocks/waiting_controls.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class Slots {
 public:
  struct Parts {  // all must live longer
    const Grid& grid;
    Ledger& ledger;
    IssueTable& issue;
    BlockActivities& activities;
    const Threads& threads;
    Words& words;
    const RestingBlocks& rests;
    MarkedSet& moving;  // blocks in which a thread moves, or a slot is held
    const Routers& routers;
    RouterActivity& active_routers;
    const WaitingControls& controls;
    ControlSlots& control_slots;
    EndingThreads& ending;
    TransportClient& client;
  };
  explicit Slots(const Parts& parts);

  void open() { restless_ = false; }
  // The first block from that one on that is not steady and in which a thread moves, or a slot is
  // held.
  std::uint32_t next_active(std::uint32_t block) const {
    return moving_.next_outside(rests_.all(), block);
  }
  void issue_block(std::uint32_t block, Cycle now);
  // Returns whether something has changed in this cycle, or will by itself.
  bool is_restless() const { return restless_; }

 private:
  void note_rests(const MapPlanes& maps, Cycle now);
  // Touches the routers whose ramps were used, sends control wavelets, and wakes cores that wait
  // for some.
  void tell_routers(IssuePlanes& planes, std::uint32_t block, Cycle now);
  // Wakes cores that wait for control wavelets behind what the lanes took.
  void tell_cores(IssuePlanes& planes, const Lanes& taking, std::uint32_t block, Cycle now);
  // Applies elements that wavelets name in the cycle of their issue.
  void apply_named(IssuePlanes& planes, std::uint32_t block, Cycle now);
  // Tells the PEs whose FIFOs have been full or empty, and are not.
  void tell_left(IssuePlanes& planes, std::uint32_t block, Cycle now);

  const Grid& grid_;
  Ledger& ledger_;
  IssueTable& issue_;
  BlockActivities& activities_;
  const Threads& threads_;
  Words& words_;
  const RestingBlocks& rests_;
  MarkedSet& moving_;
  const Routers& routers_;
  RouterActivity& active_routers_;
  const WaitingControls& controls_;
  ControlSlots& control_slots_;
  EndingThreads& ending_;
  TransportClient& client_;
  bool restless_ = false;
};

}  // namespace wse::vm::wafer
