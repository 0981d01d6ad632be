// Marked wavelets of lanes that are alike move together: one look at their message and one run for
// all of them.
//
//     lanes of a queue      0 1 2 3 4 5 6 7
//     marked                1 1 1 1 0 1 0 0
//     a run that they share a a a b   a           a: words of one message, of rows 0 1 2 5
//     east, down the ramp   1 1 1 1   0
//     moves together        0 1 2  |  3 alone  |  5 alone
//
// Planes have decided who moves, and where to. Control wavelets are alike where their switches are,
// too. A wavelet after which the switch of its sender advances goes alone, and so do those that
// share a run with fewer than kFewest lanes.
#pragma once

#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/arrivals.h"
#include "vm/planes/blocks/switches.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class MarkedSets {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    RunLists& run_lists;
    Switches& switches;
    Arrivals& arrivals;
  };
  explicit MarkedSets(const Parts& parts) : parts_(parts) {}

  // Moves what is alike of the marked wavelets in the queue of that port, in these lanes, which
  // the router has decided to move. Returns the lanes of the rest.
  Lanes move(RouterPlanes& router, std::uint32_t port, const Lanes& marked, Cycle now);

 private:
  // Moves the heads of the lanes, which are alike and go the same ways. False if they have to go
  // one by one.
  bool move_alike(RouterPlanes& router, std::uint32_t port, const Lanes& lanes, Cycle now);
  void move_controls(RouterPlanes& router, const StandingSet& controls, std::uint32_t ports,
                     Cycle now);
  // Delivers them to these ports, as bits.
  void deliver(const RouterPlanes& router, const StandingSet& wavelets, std::uint32_t ports,
               bool begins, Cycle now);

  Parts parts_;
};

}  // namespace wse::vm::wafer
