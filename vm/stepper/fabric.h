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
// Element k of a stream stands in the queue of its edge from cycle 1 + k on, if there is room.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/control_word.h"
#include "isa/profile.h"
#include "vm/agenda.h"
#include "vm/counters.h"
#include "vm/stepper/channels.h"
#include "vm/stepper/filter_state.h"
#include "vm/streams.h"
#include "vm/trace.h"
#include "vm/transport.h"
#include "vm/trap_report.h"

namespace wse::vm {

// What only few channels have.
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
    Agenda& agenda;  // of the PEs that the stepper must look at
    Streams& streams;
    Counters& counters;
    FirstTrap& trap;
    Tracer& tracer;
  };
  explicit Fabric(const Parts& parts);

  void connect(TransportClient& client) { client_ = &client; }

  ChannelId channel(PeId pe, std::uint32_t colour) const { return channels_.find(pe, colour); }
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
  QueueId ramp(PeId pe, std::uint32_t colour, QueuePort port) const {
    return channels_.queue(channels_[channels_.find(pe, colour)], port);
  }
  Head head(ChannelId channel, Cycle now) const {
    return head_of(channels_.queue(channels_[channel], QueuePort::DownRamp), now);
  }
  std::uint32_t head_data(ChannelId channel) const {
    return queues_.head(channels_.queue(channels_[channel], QueuePort::DownRamp)).data;
  }
  // The same of a down-ramp.
  Head head_of(QueueId down, Cycle now) const {
    if (down == kNoQueue || !queues_.can_take(down, now)) return Head::None;
    const Wavelet& head = queues_.head(down);
    if (head.control == 0) return Head::Data;
    // The router drops what nobody wants.
    return isa::entry_of(head.data) == isa::kNoEntry ? Head::None : Head::Control;
  }
  // Takes the head of a down-ramp of the PE.
  std::uint32_t take_input(PeId pe, QueueId down, Cycle now) {
    agenda_.add(pe, now + 1);
    if (controls_[pe] > 0) client_->look_at(pe, now + 1);  // one may be head now
    const Wavelet wavelet = queues_.pop(down, now);
    if (wavelet.control != 0) --controls_[pe];
    return wavelet.data;
  }
  // The same for the picker, which looks at what stood behind it in the next cycle.
  std::uint32_t pick_input(ChannelId channel, Cycle now);
  // Whether control wavelets that ask for a task are in the down-ramps of the PE.
  bool has_controls(PeId pe) const { return controls_[pe] > 0; }
  bool has_room(QueueId up, Cycle now) const { return queues_.has_room(up, now); }
  // `control` and `advances` as in Wavelet; hops and visible are set here.
  void inject(PeId pe, QueueId up, Wavelet wavelet, Cycle now) {
    wavelet.hops = 0;
    wavelet.visible = now + 1 + up_ramp_cycles_;
    queues_.push(up, wavelet);
    agenda_.add(pe, wavelet.visible);
    ++counters_.wavelets;
  }

  // See Inspector.
  std::uint32_t full_ports(ChannelId channel, Cycle now) const;

  // ---- configuration (switching.cpp), see Transport
  bool may_configure(ChannelId channel) const;
  std::uint32_t positions(ChannelId channel) const;
  void write(const ConfigurationWrite& write) { writes_.push_back(write); }

  // The router of the PE moves what it can in this cycle.
  void step(PeId pe, Cycle now) {
    const std::span<Channel> channels = channels_.of(pe);
    if (!channels.empty()) step_router(pe, channels, now);
  }
  // What was written in this cycle acts from the next one on: all routers have moved.
  void apply_writes(Cycle now);

  TransportTotals totals() const;

 private:
  void step_router(PeId pe, std::span<Channel> channels, Cycle now);
  // Moves the head of the channel's current input if the rules allow it; `used` are the tx ports
  // that earlier colours took in this cycle. True if something moved.
  bool move(Channel& channel, std::uint32_t& used, Cycle now);
  // The ports to which the head of the current input goes.
  std::uint32_t targets(const Channel& channel, const Wavelet& head) const;
  bool all_have_room(const Channel& channel, std::uint32_t tx, Cycle now) const;
  bool may_leave(const Channel& channel, std::uint32_t tx, bool control, Cycle now);
  bool links_free(PeId pe, std::uint32_t tx, Cycle now);
  void wake_behind(const Channel& channel, Cycle now);
  // What a filter saw of a wavelet that left to the ports `tx`.
  void count_filtered(const Channel& channel, std::uint32_t tx, const Wavelet& wavelet);
  void deliver(Channel& channel, isa::Port port, QueueId target, Wavelet wavelet, Cycle now);
  // The number of the directed link that leaves the PE over that port.
  std::size_t link(PeId pe, isa::Port port) const {
    return std::size_t{pe} * mesh_.links() + mesh_.link_index(port);
  }

  // ---- switching.cpp
  void open_streams(const isa::Image& image);
  ChannelExtra& extra(ChannelId channel);
  bool enter(Channel& channel, Cycle now);
  // Command 0 of a control wavelet acts on the channel; the wavelet as it goes on.
  void obey(Channel& channel, Wavelet& wavelet, Cycle now);
  // True if the position changed.
  bool advance(Channel& channel, Cycle now);
  void tear_down(Channel& channel, Cycle now);
  bool go_to(Channel& channel, std::size_t position, Cycle now);
  bool drop_unwanted(Channel& channel, Cycle now);
  void arrive(Channel& channel, const Wavelet& wavelet);
  void apply(const ConfigurationWrite& write, Cycle now);

  const isa::Image& image_;
  const isa::Topology& mesh_;
  const isa::Profile& profile_;
  Queues queues_;
  Channels channels_;
  std::vector<ChannelExtra> extras_;
  Streams& streams_;
  std::vector<ConfigurationWrite> writes_;  // of this cycle
  Agenda& agenda_;
  Counters& counters_;
  FirstTrap& trap_;
  Tracer& tracer_;
  TransportClient* client_ = nullptr;
  Cycle up_ramp_cycles_;
  Cycle hop_cycles_;
  bool rotates_;                  // each cycle begins with another colour
  std::vector<Cycle> link_free_;  // by link(): when the next may leave; empty if that is never late
  std::vector<std::uint32_t> controls_;  // control wavelets in down-ramps, by PE
};

}  // namespace wse::vm
