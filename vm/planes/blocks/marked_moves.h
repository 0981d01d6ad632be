// Moves that are more than a count, one by one where lanes are few or not alike (marked_sets.h):
// the first and the last word of a message, control wavelets, and the first word after a switch or
// a filter has turned.
//
// Planes have decided who moves, and where to. Those of several routers of a block move one after
// the other, so that what they need comes from memory meanwhile: of one router there may be few.
// Must never move an unmarked wavelet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/arrivals.h"
#include "vm/planes/blocks/marked_sets.h"
#include "vm/planes/blocks/switches.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class MarkedMoves {
 public:
  using Parts = MarkedSets::Parts;
  explicit MarkedMoves(const Parts& parts);

  // Moves the marked wavelets of these lanes, which the router has decided to move: at once where
  // lanes are alike, the others when enough of them have come, or in move_rest().
  void move(RouterPlanes& router, const Lanes& marked, Cycle now);
  // Moves what is left of a block of which all routers have decided.
  void move_rest(Cycle now);

 private:
  // A wavelet that moves, and where to.
  struct Move {
    const RouterPlanes* router = nullptr;
    std::uint32_t port = 0;
    std::uint32_t lane = 0;
    std::uint32_t ports = 0;  // as bits
    bool begins = false;      // a run
    Standing wavelet;
    std::array<RouterTable::Behind, kLinks> behind = {};  // of those ports that are links
  };
  // Fills in all of the move but from where it goes.
  void plan(Move& move);
  // Inline by force: else compilers copy its wavelet, and the host waits for each half.
  [[gnu::always_inline]] inline void make(const Move& move, Cycle now);
  // Makes the move of a control wavelet, or of the last word after which the switch of its sender
  // advances.
  void make_and_switch(const Move& move, Cycle now);
  // Makes the move of a whole message: its run goes along to the first of the ports behind which
  // this strip has a queue.
  void pass_on(const Move& move, Cycle now);
  // Delivers it to these of its ports.
  void deliver(const Move& move, std::uint32_t ports, const Standing& wavelet, Cycle now);

  RouterTable& table_;
  RunLists& run_lists_;
  Switches& switches_;
  Arrivals& arrivals_;
  MarkedSets sets_;
  // The first `count_` are those that move_rest() makes, at most one of each router and lane; the
  // others have been made.
  std::vector<Move> moves_;
  std::size_t count_ = 0;
};

}  // namespace wse::vm::wafer
