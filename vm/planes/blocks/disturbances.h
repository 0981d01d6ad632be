// Disturbances keep a block from being steady, or end its rest: its own events, and neighbours that
// send otherwise or see another room.
//
// A block whose queues took what they gave, and which was not disturbed, begins to rest when the
// cycle is over. Must know of every change but those of cores, for which RestingBlocks is told.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/blocks/router_activity.h"
#include "vm/planes/borders/border.h"

namespace wse::vm::wafer {

class Disturbances {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    const Border& border;
    RouterActivity& activity;
    RestingBlocks& rests;
  };
  explicit Disturbances(const Parts& parts);

  // ---- while blocks decide
  // The turn to decide has come to the block; blocks ascend.
  void turn_to(std::uint32_t block) { deciding_ = block; }
  // More than counts changes in the block in this cycle.
  void add_event(std::uint32_t block) { eventful_.add(block); }
  bool has_event(std::uint32_t block) const { return eventful_.has(block); }
  // Something else comes into queues of the block than in the cycle before.
  void disturb(std::uint32_t block, Cycle now) {
    if (rests_.has(block)) end_rest(block, now);
  }
  // Disturbs a block that has decided: it keeps this cycle's decision.
  void disturb_decided(std::uint32_t block, Cycle now);
  // Tells the neighbours of the router over which links it sends.
  void tell_sending(const RouterPlanes& router, const Moves& moves, Cycle now);

  // ---- while blocks update
  // Tells the neighbours of the router that they see another room in its queues.
  void tell_room(const RouterPlanes& router);
  // Before the first cycle: shows strips beside it what room the queue of the router behind that
  // link has.
  void show_room(const RouterPlanes& router, std::uint32_t link);
  // The block has updated, with these routers as bits. If it repeats itself it may rest.
  void end_block(std::uint32_t block, std::uint32_t routers, bool repeats);

  // Begins and ends rests, when all blocks have updated.
  void close(Cycle now);

  // ---- letters of other strips
  // Takes in that a router of another strip sends here.
  void take_sending(LetterReader& letters, Cycle now);
  // Wakes a block whose neighbour in another strip shows another room since the cycle before.
  void take_room(LetterReader& letters, Cycle now);

 private:
  // A block that may rest, and those of its routers that moved something, as bits.
  struct Repeating {
    std::uint32_t block = 0;
    std::uint32_t routers = 0;
  };
  void end_rest(std::uint32_t block, Cycle now);
  void write_wire_letter(const RouterPlanes& router, std::uint32_t link, std::uint32_t number,
                         LetterKind kind);
  // Clears what these routers, as bits, moved in this cycle.
  void forget(std::uint32_t block, std::uint32_t routers);

  RouterTable& table_;
  const Border& border_;
  RouterActivity& activity_;
  RestingBlocks& rests_;
  std::uint32_t deciding_ = 0;  // the block
  MarkedSet eventful_;
  MarkedSet stirred_;  // blocks whose next cycle is not as this one
  std::vector<Repeating> repeating_;
};

}  // namespace wse::vm::wafer
