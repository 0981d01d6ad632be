// The fabric: routers, links and ramps, stepped cycle by cycle.
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
#include <unordered_map>
#include <vector>

#include "isa/machine/control_word.h"
#include "isa/machine/profile.h"
#include "vm/contract/counters.h"
#include "vm/contract/router_rules.h"
#include "vm/contract/streams.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/channels.h"
#include "vm/stepper/crossings.h"
#include "vm/stepper/filter_state.h"
#include "vm/support/agenda.h"
#include "vm/support/prefetch.h"

namespace wse::vm {

// Parts that only few channels have.
struct ChannelExtra {
  FilterState filter;
  std::uint64_t dropped = 0;  // data wavelets that the filter kept away from the PE
  // By link port: the stream that enters, or leaves, there.
  std::array<StreamEndId, 4> enters = {kNoStream, kNoStream, kNoStream, kNoStream};
  std::array<StreamEndId, 4> leaves = {kNoStream, kNoStream, kNoStream, kNoStream};
};

class Fabric {
 public:
  struct Parts {  // what the fabric works with; all must live longer
    const isa::Image& image;
    const isa::Topology& mesh;
    const isa::Profile& profile;
    const ChannelMap& channels;
    PeRange pes;  // those of its strip
    Crossings& crossings;
    std::size_t strip;  // the number of it
    Agenda& agenda;     // of the PEs that the stepper must look at
    Streams& streams;
    Ledger& ledger;
    FirstTrap& trap;
  };
  explicit Fabric(const Parts& parts);

  void connect(TransportClient& client) { client_ = &client; }

  const Channels& channels() const { return channels_; }
  const Queues& queues() const { return queues_; }

  // The stream that enters there, or kNoStream.
  StreamEndId stream_in(const Channel& channel, isa::Port side) const {
    if (channel.extra == kNoExtra) return kNoStream;
    return extras_[channel.extra].enters[static_cast<std::size_t>(side)];
  }

  // Data wavelets that filters of the channel have kept away from its PE.
  std::uint64_t dropped(const Channel& channel) const {
    return channel.extra == kNoExtra ? 0 : extras_[channel.extra].dropped;
  }

  // Before the first cycle. The channel exists.
  void set_filter(ChannelId channel, const FilterSetting& filter) {
    extra(channel).filter = FilterState(filter);
  }

  // ---- the PE's side of the ramps
  using Head = Transport::Head;
  // kNoQueue if the colour has none at the PE.
  QueueId up_ramp(PeId pe, std::uint32_t colour) const {
    return channels_.ramps(channels_.find(pe, colour)).up;
  }
  QueueId down_ramp(PeId pe, std::uint32_t colour) const {
    return channels_.ramps(channels_.find(pe, colour)).down;
  }
  Head head(ChannelId channel, Cycle now) const {
    return head_of(channels_.ramps(channel).down, now);
  }
  std::uint32_t head_data(ChannelId channel) const {
    return queues_[channels_.ramps(channel).down].head().data();
  }
  // The same of a down-ramp.
  Head head_of(QueueId down, Cycle now) const {
    if (down == kNoQueue || !queues_[down].can_take(now)) return Head::None;
    const Wavelet head = queues_[down].head();
    if (!head.control()) return Head::Data;
    // The router drops what nobody wants.
    return is_unwanted(head.data()) ? Head::None : Head::Control;
  }
  // Takes the head of a down-ramp of the PE, which must be on the agenda of the next cycle: its
  // router may wait for room.
  std::uint32_t take_input(PeId pe, QueueId down, Cycle now) {
    std::uint32_t& controls = router(pe).controls;
    if (controls > 0) client_->look_at(pe, now + 1);  // one may be head now
    const Wavelet wavelet = queues_[down].pop(now);
    if (wavelet.control()) --controls;
    return wavelet.data();
  }
  // The same for the picker, which looks at what was after it in the next cycle.
  std::uint32_t pick_input(ChannelId channel, Cycle now);
  // Whether control wavelets that ask for a task are in the down-ramps of the PE.
  bool has_controls(PeId pe) const { return router(pe).controls > 0; }
  bool has_room(QueueId up, Cycle now) const { return queues_[up].has_room(now); }
  // Into an up-ramp. The wavelet has made no hop.
  void inject(QueueId up, Wavelet wavelet, Cycle now) {
    put(up, wavelet, agenda_.due(now + 1 + up_ramp_cycles_));
    ++ledger_.counters.wavelets;
  }

  // See Inspector.
  std::uint32_t full_ports(ChannelId channel, Cycle now) const;

  // ---- configuration (switching.cpp), see Transport
  bool may_configure(ChannelId channel) const;
  std::uint32_t positions(ChannelId channel) const;
  void write(const ConfigurationWrite& write);
  // Some of this cycle have not been applied.
  bool has_writes() const { return !writes_.empty(); }

  // Before the PEs of a cycle are stepped.
  void begin_cycle(Cycle now);
  // Returns the channels that the router of the PE has to look at in this cycle: nothing that is
  // put in now.
  std::uint32_t standing(PeId pe) const { return router(pe).standing; }
  // The router moves what it can of them. True if it must be looked at in the next cycle.
  bool step(PeId pe, std::uint32_t standing, Cycle now) {
    return standing != 0 && step_router(pe, standing, now);
  }
  // For who will step the PE soon: first the channels, a little later queues.
  [[gnu::always_inline]] void prefetch_channels(PeId pe) const {
    for (std::uint32_t rest = router(pe).standing; rest != 0; rest &= rest - 1) {
      prefetch(channels_.first_of(pe) + lowest(rest));
    }
  }
  [[gnu::always_inline]] void prefetch_queues(PeId pe) const {
    for (std::uint32_t rest = router(pe).standing; rest != 0; rest &= rest - 1) {
      const Channel& channel = channels_.first_of(pe)[lowest(rest)];
      if (channel.from != kNoQueue) prefetch(&queues_[channel.from]);
      if (channel.links[0] != kNoQueue) prefetch(&queues_[channel.links[0]]);
      if (channel.down == kNoQueue) continue;
      prefetch(&queues_[channel.down]);
      prefetch(queues_.second_line(channel.down));
    }
  }

  // ---- beside other strips, see crossings.h
  // The first cycle in which another strip may act on what was sent there; kNever if there is none.
  Cycle first_effect() const { return crossings_.box(strip_, round_).first_effect; }
  // Between two cycles, when all strips have done the first: takes in what they sent.
  void take_in();

  // Applies what was written in this cycle, for the next one on: all routers have moved.
  void apply_writes(Cycle now);

 private:
  struct Router {
    // Channels of the PE, a bit for each in their order, of which something may be where the
    // current position takes it; those with a filter, streams, or wavelets that the router must
    // drop.
    std::uint32_t standing = 0;
    std::uint32_t controls = 0;  // control wavelets in down-ramps that ask for a task
  };

  Router& router(PeId pe) { return routers_[pes_.index(pe)]; }
  const Router& router(PeId pe) const { return routers_[pes_.index(pe)]; }
  static std::uint32_t lowest(std::uint32_t bits) {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  void stand(const Channel& channel) {
    router(channel.pe).standing |= channels_.standing_bit(channel);
  }
  bool stands(const Channel& channel) const {
    if (channel.plain) return !queues_[channel.from].empty();
    return channel.extra != kNoExtra || channel.unwanted > 0 ||
           (channel.is_routed() && !queues_[channel.from].empty());
  }
  // Into a queue of this strip, whose reader looks at it when it can take it.
  void put(QueueId id, Wavelet wavelet, const Agenda::Due& visible) {
    Queue& queue = queues_[id];
    queue.push(wavelet, visible.cycle());
    router(queue.reader().pe).standing |= queue.reader().standing;
    visible.add(queue.reader().pe);
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
  bool may_leave(const Channel& channel, std::uint32_t tx, Cycle now);
  bool links_free(PeId pe, std::uint32_t tx, Cycle now);
  // Whether somebody may wait for a place of the queue: it was full at the start of the cycle. Who
  // has filled it in this cycle looks again in the next anyway.
  bool is_awaited(const Queue& queue) const {
    return queue.full() && queue.last_visible() != over_link_.cycle();
  }
  // Wakes who may wait for the place that is freed in the queue of the current position, if it is
  // awaited. Another strip is told in any case.
  void wake_behind(const Channel& channel, bool awaited, Cycle now);
  // The same of a PE in another strip.
  void tell_freed(const Channel& channel, PeId there, bool awaited, Cycle now);
  // Counts what a filter saw of a wavelet that left to the ports `tx`.
  void count_filtered(const Channel& channel, std::uint32_t tx, Wavelet wavelet);
  void occupy_link(PeId pe, isa::Port port, Cycle now);
  void leave(const Channel& channel, isa::Port port, Wavelet wavelet);
  void deliver(Channel& channel, isa::Port port, QueueId target, Wavelet wavelet, Cycle now);
  [[gnu::always_inline]] inline void put_behind_link(QueueId target, Wavelet wavelet);
  [[gnu::always_inline]] inline void deliver_down(Channel& channel, Wavelet wavelet);
  // The number of the directed link that leaves the PE over that port.
  std::size_t link(PeId pe, isa::Port port) const {
    return pes_.index(pe) * mesh_.links() + mesh_.link_index(port);
  }

  void take_in(const SentWavelet& sent);
  void take_in(const FreedPlace& place);

  // ---- switching.cpp
  void open_streams(const isa::Image& image);
  ChannelExtra& extra(ChannelId channel);
  bool enter(Channel& channel, Cycle now);
  // Command 0 of a control wavelet acts on the channel; the wavelet as it travels on.
  Wavelet obey(Channel& channel, Wavelet wavelet, bool goes_on, Cycle now);
  void obey_advance(Channel& channel, Cycle now);
  // Position and teardown become what the rules say (router_rules.h).
  void change(Channel& channel, const SwitchState& next, Cycle now);
  bool drop_unwanted(Channel& channel, Cycle now);
  void arrive(Channel& channel, Wavelet wavelet, Cycle visible);
  void apply(const ConfigurationWrite& write, Cycle now);

  const isa::Image& image_;
  const isa::Topology& mesh_;
  const isa::Profile& profile_;
  PeRange pes_;
  Crossings& crossings_;
  std::size_t strip_;
  bool has_borders_;       // there are other strips
  std::size_t round_ = 0;  // of cycles, see Crossings
  Queues queues_;
  Channels channels_;
  std::vector<ChannelExtra> extras_;
  Streams& streams_;
  std::vector<ConfigurationWrite> writes_;  // of this cycle
  // The last routing that is among them, of the channels that have one: all PEs may write in one
  // cycle, and each write asks what was written before.
  std::unordered_map<ChannelId, const isa::Routing*> written_;
  Agenda& agenda_;
  Ledger& ledger_;
  FirstTrap& trap_;
  TransportClient* client_ = nullptr;
  Cycle up_ramp_cycles_;
  Cycle hop_cycles_;
  bool rotates_;  // each cycle begins with another colour

  // Of this cycle.
  bool takes_short_way_ = false;  // plain channels: nobody sees moves, and no link is ever late
  Agenda::Due over_link_;         // when what leaves over a link can be taken
  Agenda::Due down_ramp_;         // the same of a ramp
  std::vector<Cycle> link_free_;  // by link(): when the next may leave; empty if that is never late
  std::vector<Router> routers_;   // of its PEs
};

}  // namespace wse::vm
