// Marked wavelets come into queues: behind a link, also of another strip, or at the PE. The first
// of a run writes the run into the run list of the queue; each carries its mark on.
//
// Must be told of every marked wavelet in the cycle of its move. The others are counts.
#pragma once

#include <cstdint>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "vm/contract/boundary.h"
#include "vm/contract/counters.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/disturbances.h"
#include "vm/planes/blocks/waiting_controls.h"
#include "vm/planes/borders/border.h"
#include "vm/planes/words/loans.h"
#include "vm/planes/words/run_lists.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class Arrivals {
 public:
  struct Parts {  // all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    const Border& border;
    Counters& counters;
    RouterTable& table;
    RunLists& run_lists;
    Loans& loans;
    Words& words;
    Disturbances& disturbances;
    WaitingControls& controls;
    TransportClient& client;
  };
  explicit Arrivals(const Parts& parts);

  // The wavelet moves over that link of its router, which it has not passed yet. `begins`: it is
  // the first of a run.
  void over_link(const RouterTable::Behind& place, std::uint32_t link, const Standing& wavelet,
                 bool begins, Cycle now);
  // Wavelets that are alike move over that link of the router.
  void over_link(const RouterPlanes& router, std::uint32_t link, const StandingSet& wavelets,
                 bool begins, Cycle now);
  // The wavelet, a whole message, moves over that link with its run, the first of its queue. False,
  // and nothing has moved, if that leads to another strip.
  bool pass_over_link(PlaneQueue& from, std::uint32_t lane, const RouterTable::Behind& place,
                      Cycle now);
  // The wavelet, a whole message, moves down the ramp with its run, the first of its queue.
  void pass_to_pe(PlaneQueue& from, const RouterPlanes& router, std::uint32_t lane);
  // The wavelet moves down the ramp.
  void at_pe(const RouterPlanes& router, std::uint32_t lane, const Standing& wavelet, bool begins,
             Cycle now);
  // Wavelets that are alike move down the ramp.
  void at_pe(const RouterPlanes& router, const StandingSet& wavelets, bool begins, Cycle now);
  // An instruction sends a control wavelet, which enters the up-ramp in this cycle.
  void at_up_ramp(ChannelId channel, const Standing& wavelet);
  // Instructions of these lanes send control wavelets that are alike.
  void at_up_ramp(const RouterPlanes& router, const StandingSet& wavelets);
  // Reads what all other strips wrote in the half cycle before: in the second half of cycle `now`,
  // or before cycle `now`.
  void read_letters(Cycle now);

 private:
  // Takes in an arrival, the next letter of another strip.
  void take(std::uint32_t strip, LetterReader& letters, Cycle now);
  // Puts the wavelet into the queue behind a link, of this strip, which it passes.
  void enter(const RouterTable::Behind& place, const Standing& wavelet, bool begins);
  void enter(const RouterTable::Behind& place, const StandingSet& wavelets, bool begins);
  void send_across(const RouterTable::Behind& place, std::uint32_t link, const Standing& wavelet,
                   bool begins);
  // Flags the next wavelet of the lane, or of each of some: a control wavelet on a link or up-ramp.
  template <class Which>
  void flag_control(const RouterPlanes& router, PlaneQueue& queue, const Which& lanes,
                    const Standing& wavelet) const;
  // Flags the next wavelet of the lane, or of each of some, a control wavelet on a down-ramp, and
  // wakes its PE.
  template <class Which>
  void flag_at_pe(const RouterPlanes& router, const Which& lanes, const Standing& wavelet,
                  Cycle now);

  Parts parts_;
  bool may_filter_;  // programs write filters: any router may get some
};

}  // namespace wse::vm::wafer
