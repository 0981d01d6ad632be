// The fabric: routers and links, stepped cycle by cycle.
//
// Registered everything: what happens in a cycle depends only on the state at its start, so routers
// may be visited in any order. Timeline of an element issued in cycle t to a PE h links away:
//
//     t          issue
//     t+1        enters the up-ramp
//     t+1+T_R    its own router may move it; the k-th router k cycles later
//     t+1+2*T_R+h   the receiver may issue it
//
// Element k of a stream is in the queue of its edge from cycle 1 + k on, if there is room.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "vm/contract/router_rules.h"
#include "vm/stepper/border.h"
#include "vm/stepper/edge.h"
#include "vm/stepper/pe_ramps.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/switching.h"

namespace wse::vm {

class Fabric {
 public:
  struct Peers {  // all must live longer
    RouterState& state;
    PeRamps& ramps;
    Switching& switching;
    Border& border;
  };
  Fabric(const FabricParts& parts, const Peers& peers);

  const Edge& edge() const { return edge_; }
  // When the next wavelet may leave over each link, by PE and link; empty if that is never late.
  std::vector<Cycle>& links() { return link_free_; }

  // Before the PEs of a cycle are stepped.
  void begin_cycle(Cycle now);
  // The router moves what it can of the channels `standing`, which were at the start of the cycle.
  // True if it must be looked at in the next cycle.
  bool step(PeId pe, std::uint32_t standing, Cycle now) {
    return standing != 0 && step_router(pe, standing, now);
  }
  // See Inspector.
  std::uint32_t full_ports(ChannelId channel, Cycle now) const;

 private:
  static std::uint32_t lowest(std::uint32_t bits) {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  bool step_router(PeId pe, std::uint32_t rest, Cycle now);
  // The next channel of the mask in the order of this cycle, where that is not ascending.
  std::uint32_t next_in_turn(PeId pe, std::uint32_t rest, Cycle now) const;
  // A move of a plain channel that nobody else has a say in. True if something moved.
  [[gnu::always_inline]] inline bool move_plain(Channel& channel, std::uint32_t& used, Cycle now);
  // Moves the head of the channel's current input if the rules allow it; `used` are the tx ports
  // that earlier colours took in this cycle. True if something moved.
  [[gnu::noinline]] bool move(Channel& channel, std::uint32_t& used, Cycle now);
  // The ports to which the head of the current input goes.
  inline std::uint32_t targets(const Channel& channel, Wavelet head) const;
  inline bool all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const;
  bool links_free(PeId pe, std::uint32_t tx, Cycle now);
  // Whether somebody may wait for a place of the queue: it was full at the start of the cycle. A
  // sender that has filled it in this cycle looks again in the next anyway.
  bool is_awaited(const Queue& queue) const {
    return queue.full() && queue.last_visible() != over_link_.cycle();
  }
  // Wakes who may wait for the place that is freed in the queue of the current position, if it is
  // awaited. Another strip is told in any case.
  void wake_behind(const Channel& channel, bool awaited, Cycle now);
  // Counts a wavelet that leaves over all links of the channel's position.
  void count_links(const Channel& channel);
  // Tells what the head of the current input, which moves, was waiting for.
  void tell_causes(const Channel& channel, std::uint32_t tx, Cycle now);
  // Counts what a filter saw of a wavelet that left to the ports `tx`.
  void count_filtered(const Channel& channel, std::uint32_t tx, Wavelet wavelet);
  void occupy_link(PeId pe, isa::Port port, Cycle now);
  void deliver(Channel& channel, isa::Port port, QueueId target, Wavelet wavelet, Cycle now);
  [[gnu::always_inline]] inline void put_behind_link(QueueId target, Wavelet wavelet);
  [[gnu::always_inline]] inline void deliver_down(Channel& channel, Wavelet wavelet);
  // The number of the directed link that leaves the PE over that port.
  std::size_t link(PeId pe, isa::Port port) const {
    return pes_.index(pe) * mesh_.links() + mesh_.link_index(port);
  }

  const isa::Topology& mesh_;
  const isa::Profile& profile_;
  PeRange pes_;
  Queues& queues_;
  Channels& channels_;
  RouterState& state_;
  PeRamps& ramps_;
  Switching& switching_;
  Border& border_;
  Edge edge_;
  bool has_borders_;  // there are other strips
  Agenda& agenda_;
  Ledger& ledger_;
  Cycle hop_cycles_;
  bool rotates_;  // each cycle begins with another colour

  // The same for all PEs in a cycle.
  LinkSums* link_sums_ = nullptr;  // null: nobody counts them
  bool takes_short_way_ = false;   // plain channels: nobody reads of moves, no link is ever late
  Agenda::Due over_link_;          // when what leaves over a link can be taken
  Agenda::Due down_ramp_;          // the same of a ramp
  std::vector<Cycle> link_free_;  // by link(): when the next may leave; empty if that is never late
};

}  // namespace wse::vm
