// Switches, and filters that turn: the state of a router changes between two wavelets.
//
// A word that goes another way than the one before it begins a run of its own: where a change comes
// in the middle of a message, the next word is marked. The rules of the changes are those of
// router_rules.h.
#pragma once

#include <cstdint>

#include "isa/machine/profile.h"
#include "vm/contract/boundary.h"
#include "vm/contract/router_rules.h"
#include "vm/ledger/history.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class Switches {
 public:
  struct Parts {  // all must live longer
    const isa::Profile& profile;
    RouterTable& table;
    const RunLists& run_lists;
    History& history;
    TransportClient& client;
  };
  explicit Switches(const Parts& parts) : parts_(parts) {}

  // Lets the first command of a control wavelet, which moves in this cycle, act on the switch.
  // Changes the wavelet to what travels on. `goes_on`: it goes anywhere.
  void obey(Channel& channel, Standing& wavelet, bool goes_on, Cycle now);
  // Returns the lanes, of these, whose switch is as that of the lane.
  Lanes alike(const RouterPlanes& router, std::uint32_t lane, const Lanes& among) const;
  // Lets the first command of control wavelets that are alike act on switches that are alike.
  void obey(RouterPlanes& router, StandingSet& controls, bool goes_on, Cycle now);
  // Lets the switch advance, after the last word of its sender or because its PE says so.
  void advance(Channel& channel, Cycle now);
  // Gives the channel another position, and ends or begins its teardown.
  void change(Channel& channel, const SwitchState& next, Cycle now);
  // Gives the channel another routing.
  void change_routing(Channel& channel, const SwitchState& next);
  // Turns the filter of a PE: words that come next have another fate than those before.
  void turn_filter(RouterPlanes& router, std::uint32_t lane);
  // Marks the next word of a message of which words have passed the queue that the current
  // position takes from.
  void split_run(const Channel& channel);

 private:
  void tear_down(Channel& channel, bool torn_down, Cycle now);

  Parts parts_;
};

}  // namespace wse::vm::wafer
