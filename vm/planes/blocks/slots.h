// The issue slots: threads begin, issue as planes, and end one by one.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends have a second slot; the up-ramp still takes one wavelet per cycle, compute first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/machine/profile.h"
#include "vm/contract/counters.h"
#include "vm/contract/transport.h"
#include "vm/ledger/activity.h"
#include "vm/planes/bits/due_list.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/blocks/routers.h"
#include "vm/planes/words/fifos.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class Slots {
 public:
  struct Parts {  // all must live longer
    const isa::Profile& profile;
    PeRange pes;  // of the strip
    ActivityLog& activity;
    Counters& counters;
    RouterTable& table;
    const Routers& routers;
    RouterActivity& active_routers;
    const WaitingControls& controls;
    Arrivals& arrivals;
    DownRamps& down_ramps;
    const Trains& trains;
    RunLists& runs;
    Words& words;
    Threads& threads;
    Fifos& fifos;
    IssueTable& issue;
    RestingBlocks& rests;
  };
  explicit Slots(const Parts& parts);
  // When the threads of all PEs are known.
  void connect(TransportClient& client);

  // ---- by the cores, see Transport
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);
  void cancel(ThreadId thread);
  void hold(PeId pe, Cycle until);
  bool is_held(PeId pe) const { return issue_.of(pe).held[0].has(grid_.lane_of(pe)); }

  // ---- a cycle
  // The first cycle in which a thread begins or code lets a slot go.
  Cycle next() const { return std::min(beginning_.next(), released_.next()); }
  // What begins or is let go in this cycle.
  void open(Cycle now);
  // The first block from that one on that does not rest and in which a thread moves, or a slot is
  // held.
  std::uint32_t next_active(std::uint32_t block) const {
    return active_.next_outside(rests_.all(), block);
  }
  void issue_block(std::uint32_t block, Cycle now);
  // Threads that have issued all end.
  void finish(Cycle now);
  // Something has changed in this cycle, or will by itself.
  bool is_restless() const { return restless_; }

  // See Transport and Inspector.
  void flush(bool reads_memory);
  std::vector<WaitingThread> waiting(PeId pe) const;

 private:
  // Threads of one number and block that begin alike, in this cycle.
  struct Alike {
    const Flow* flow = nullptr;
    std::uint32_t block = 0;
    PeId pe = 0;  // of the first of them
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    Lanes lanes;
  };
  static constexpr std::size_t kMostAlike = 4;  // a block may begin with several, in turn
  void add_alike(const Thread& thread);
  void start_alike();
  void start(std::uint32_t index);
  // `lanes` are theirs, or the lane of the only one.
  template <class Which>
  void start_planes(const Alike& alike, const Which& lanes);
  // What only instructions have whose elements are applied at once: FIFOs, and names of elements.
  void start_at_once(const Alike& alike, ThreadPlanes& planes);
  void use_fifos(const Alike& alike, ThreadPlanes& planes);
  void wake(PeId pe, Cycle now);
  template <class Which>
  void begin_rounds(IssuePlanes& planes, const Which& lanes, const Flow& flow);
  void note_rests(const MapPlanes& maps, Cycle now);
  // That of the colour among the inputs or outputs of their planes, made if there is none.
  RampUse& ramp_use(std::vector<RampUse>& uses, const Alike& alike, std::uint32_t colour);
  void log_activity(std::uint32_t block, Cycle now);
  // Routers whose ramps were used; control wavelets; cores that wait for these.
  void tell_routers(IssuePlanes& planes, std::uint32_t block, Cycle now);
  void send_controls(ThreadPlanes& planes, std::uint32_t block, std::uint32_t number);
  ChannelId input(const Thread& thread, std::size_t k) const {
    return table_.channels().find(thread.pe, thread.flow->in[k]);
  }
  // Elements that wavelets name are applied in the cycle of their issue.
  void apply_named(IssuePlanes& planes, std::uint32_t block, Cycle now);
  // Threads take control wavelets from their inputs.
  void take_controls(IssuePlanes& planes, std::uint32_t block, Cycle now);
  void take_controls(const Thread& thread, Lanes& cut, Cycle now);
  // PEs whose FIFOs have been full or empty.
  void tell_left(IssuePlanes& planes, std::uint32_t block, Cycle now);
  void take_ended(std::uint32_t block);
  void end_all(Cycle now);
  // When they have ended.
  static void forget_ended(IssuePlanes& planes);
  void end(Thread& thread, Cycle now);
  void leave_fifos(const Thread& thread, std::uint64_t elements);
  // What it waits for of FIFOs.
  void wait_for_fifos(const Thread& thread, WaitingThread& waiting) const;
  void count(const Thread& thread, std::uint64_t elements);
  void prefetch_channels(const Thread& thread) const;
  void prefetch_queues(const Thread& thread) const;
  void prefetch_trails(const Thread& thread) const;
  void prefetch_inputs(const Thread& thread) const;
  void prefetch_input_trains(const Thread& thread) const;
  void prefetch_next_trains(const Thread& thread) const;
  // The lanes that are set, one after the other. Valid until the next call.
  std::span<const std::uint32_t> list(const Lanes& lanes);
  // From lanes of the block to the threads of that number.
  auto threads_with(std::uint32_t block, std::uint32_t number) const {
    return [this, block, number](std::uint32_t lane)
               __attribute__((always_inline)) -> const Thread& {
                 return threads_[ThreadId{grid_.pe_of(block, lane), number}];
               };
  }
  // Trains that have passed all their receivers are applied before these end.
  void make_room(Cycle now);
  // Those of that number in a block.
  void make_room(std::uint32_t block, std::uint32_t number, const Lanes& lanes);

  const Grid& grid_;
  PeRange pes_;
  bool duplex_;
  ActivityLog& activity_;
  Counters& counters_;
  RouterTable& table_;
  const Routers& routers_;
  RouterActivity& active_routers_;
  const WaitingControls& controls_;
  Arrivals& arrivals_;
  DownRamps& down_ramps_;
  const Trains& trains_;
  RunLists& runs_;
  Words& words_;
  Threads& threads_;
  Fifos& fifos_;
  IssueTable& issue_;
  RestingBlocks& rests_;
  TransportClient* client_ = nullptr;
  bool restless_ = false;
  DueList beginning_;  // threads
  std::vector<Alike> alike_;
  DueList released_;                          // PEs of the strip
  std::vector<Cycle> scalar_until_;           // by PE: code holds the compute slot before it
  MarkedSet active_;                          // blocks in which a thread moves, or a slot is held
  std::vector<std::uint32_t> ending_;         // blocks, in this cycle
  std::vector<std::uint32_t> ended_threads_;  // in this cycle
  std::uint64_t most_words_ = 0;              // for which there may be room without a look
  std::vector<std::uint32_t> lanes_;          // room for those of a block
};

}  // namespace wse::vm::wafer
