// One of the two doors of the machine: who moves elements and wavelets. (The other: executor.h, who
// executes code.)
//
//     cores (pe/)                                              a Transport (stepper/)
//     ---------------------------------------------------      ------------------------------
//     in their cycle: begin, hold_slot, pick, write       ->   issue slots, ramps, routers,
//     moved, end, controlled, left, torn_down, look_at   <-    queues, links
//
// In each cycle the cores act first, then the transport. run() takes it through the cycles up to
// the next one in which a core acts, and stops early after the first in which it told the cores
// something. Only explanations of a stopped machine look inside: Inspector.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "isa/machine/fabric.h"
#include "vm/contract/boundary.h"
#include "vm/contract/counters.h"
#include "vm/contract/queue_counts.h"
#include "vm/contract/streams.h"
#include "vm/contract/transport_state.h"
#include "vm/load/channel_map.h"
#include "vm/load/configuration.h"

namespace wse::vm {

// A channel as it stands.
struct ChannelState {
  ChannelId id = kNoChannel;
  PeId pe = 0;
  std::uint32_t colour = 0;
  std::uint32_t position = 0;  // of its switch
  bool torn_down = false;
  const isa::Routing* routing = nullptr;  // nullptr: nothing routes this colour here

  const isa::SwitchPosition* current() const {
    return routing == nullptr ? nullptr : &routing->positions[position];
  }
};

// A wavelet in a queue.
struct StandingWavelet {
  std::uint32_t data = 0;
  std::uint32_t hops = 0;  // links since its injection
  bool control = false;    // its data are commands, see isa/machine/control_word.h
};

// Why a thread does not move.
struct WaitingThread {
  ThreadId thread;
  std::uint64_t issued = 0;  // elements so far
  // Colours whose wavelets are missing.
  std::array<std::uint32_t, kInputs> inputs = {kNoColour, kNoColour, kNoColour};
  std::uint32_t output = kNoColour;  // colour whose up-ramp is full
  std::uint32_t empty = kNoFifo;     // FIFO that it pops
  std::uint32_t full = kNoFifo;      // FIFO that it pushes
};

// A transport as it stands, read only.
class Inspector {
 public:
  virtual ~Inspector() = default;

  virtual ChannelState channel(ChannelId channel) const = 0;
  // How many wavelets are in that queue; 0 if the channel has none there.
  virtual std::uint32_t queued(ChannelId channel, QueuePort port) const = 0;
  // The k-th of them from the head.
  virtual StandingWavelet wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const = 0;
  // Returns the ports without room, of those to which the next wavelet of the current input goes.
  virtual std::uint32_t full_ports(ChannelId channel, Cycle now) const = 0;
  // Data wavelets that filters have kept away from the PE.
  virtual std::uint64_t dropped(ChannelId channel) const = 0;
  // The stream that enters there, or kNoStream.
  virtual StreamEndId stream_in(ChannelId channel, isa::Port side) const = 0;
  // The threads of the PE that move elements, by number.
  virtual std::vector<WaitingThread> waiting(PeId pe, Cycle now) const = 0;
  // Words that pushes into the full FIFO lost.
  virtual std::uint64_t refused(PeId pe, std::uint32_t fifo) const = 0;
};

// Counters that are kept by place.
struct TransportTotals {
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) std::uint64_t name = 0;
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED

  void add(const TransportTotals& other) {
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) join_##joined(name, other.name);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  }
};

class Transport {
 public:
  virtual ~Transport() = default;

  // ---- before the first cycle
  virtual void set_filter(ChannelId channel, const FilterSetting& filter) = 0;
  // The PE, which has a program, will begin threads with lower numbers than `threads`; at first
  // none at all. `fifos` are the capacities of its FIFOs, by number.
  virtual void set_threads(PeId pe, std::uint32_t threads,
                           const std::vector<std::uint32_t>& fifos) = 0;
  // When threads and FIFOs of all PEs are told.
  virtual void connect(TransportClient& client) = 0;

  // ---- by the cores, in a cycle before run() comes to it
  // The thread, which must be free, moves elements from cycle `earliest` on. The flow must stay as
  // it is until end() comes.
  virtual void begin(ThreadId thread, const Flow& flow, Cycle earliest) = 0;
  // Takes back begin() of a thread before it could move anything.
  virtual void cancel(ThreadId thread) = 0;
  // Scalar code of the main thread holds the (compute) slot in cycles `from`, the present one, to
  // until - 1.
  virtual void hold_slot(PeId pe, Cycle from, Cycle until) = 0;
  // A hint that the core of the PE will soon call what is above: its transport prefetches what
  // these look at.
  virtual void fetch(PeId /*pe*/) const {}
  // True if a bank conflict holds the (compute) slot in this cycle.
  virtual bool slot_held(PeId pe, Cycle now) const = 0;
  // Kinds of heads that can be picked from the down-ramp in this cycle: at most one wavelet per
  // cycle leaves it, and nobody takes a control wavelet without an entry.
  enum class Head : std::uint8_t { None, Data, Control };
  virtual Head head(ChannelId channel, Cycle now) const = 0;
  // Its data. Not of None.
  virtual std::uint32_t head_data(ChannelId channel) const = 0;
  // Whether control wavelets that ask for a task are in the down-ramps of the PE.
  virtual bool has_controls(PeId pe) const = 0;
  // Takes the head: a task starts with it.
  virtual std::uint32_t pick(ChannelId channel, Cycle now) = 0;
  // The writes about a colour that code of the PE may make in this cycle.
  struct Writable {
    bool is_quiet = false;  // it is torn down here, or no wavelet of it is in a queue of this PE
    std::uint32_t positions = 0;  // that it has here when all writes of this cycle have been done
  };
  virtual Writable writable(ChannelId channel) const = 0;
  // Acts from the next cycle on.
  virtual void write(const ConfigurationWrite& write) = 0;

  // ---- by a host, where the machine stands
  // Elements were sent that enter at the PE from cycle `from` on.
  virtual void elements_come(PeId /*pe*/, Cycle /*from*/) {}

  // ---- time
  // The first cycle in which something moves by itself; kNever if nothing does.
  virtual Cycle next() const = 0;
  // Moves what moves in the cycles from .. until - 1, up to the first in which the client was told
  // something, `stop` (unless null) was set or a trap was raised. Returns the cycle after the last
  // one that it did.
  virtual Cycle run(Cycle from, Cycle until, const std::atomic<bool>* stop) = 0;
  // Beside transports of other strips a cycle may have a second half, meet(), which begins when all
  // have done the first, run(). The same for all.
  virtual bool meets() const { return false; }
  virtual void meet(Cycle /*now*/) {}
  // Now and then while its thread waits for others, which may need something of it; only if it
  // meets. True if they did.
  virtual bool serve() { return false; }
  // Beside transports of other strips: when all have done a cycle, and before any does the next,
  // takes in what they sent here. next() of the sender counts what it sent.
  virtual void take_in() = 0;
  // Where the machine stops, before cycle `end`: applies what has issued but was kept back, and
  // does so with memory if it will be read.
  virtual void flush(Cycle end, bool reads_memory) = 0;
  virtual QueueCounts& counts() = 0;
  virtual TransportStates& states() = 0;
  virtual const Inspector& inspector() const = 0;
};

}  // namespace wse::vm
