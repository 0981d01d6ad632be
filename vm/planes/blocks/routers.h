// What routers do: moves as planes, and one by one what is more than a count - the first and the
// last word of a train, control wavelets, switches, teardown, configuration.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/contract/router_rules.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/history.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/bits/steps.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class Routers {
 public:
  struct Parts {  // all must live longer
    const isa::Image& image;
    const isa::Profile& profile;
    PeRange pes;  // of the strip
    const Border& border;
    Counters& counters;
    FirstTrap& trap;
    RouterTable& table;
    RunLists& runs;
    Loans& loans;
    Words& words;
    Threads& threads;
    const IssueTable& issue;
    RestingBlocks& rests;
  };
  explicit Routers(const Parts& parts);
  void connect(TransportClient& client) { client_ = &client; }
  // Before the first cycle: where explanations look for what control wavelets did.
  void remember_in(History& history) { history_ = &history; }

  // ---- a cycle
  // Its queues take or give something in this cycle.
  void touch(std::uint32_t router) {
    const RouterPlanes& planes = table_[router];
    touched_[planes.block] |= bit_of(planes.block, router);
    due_.add(planes.block);
  }
  // Whether the block repeats itself is to be seen when the cycle is over.
  void watch(std::uint32_t block) { due_.add(block); }
  void open() { restless_ = false; }
  // The first block from that one on that does not rest and whose routers may move something.
  std::uint32_t next_awake(std::uint32_t block) const {
    return awake_.next_outside(rests_.all(), block);
  }
  // With the state at the start of the cycle. Blocks ascend; neighbours are not updated yet.
  void decide_block(std::uint32_t block, Cycle now);
  // Queues of blocks before `end` take and give what was decided. Ends ascend. Blocks that touch a
  // border wait.
  void update_before(std::uint32_t end);
  // What other strips have sent over borders, when all blocks of all strips have decided.
  void take_arrivals(const Letters& letters, Cycle now);
  // What they said of the cycle before.
  void take_stirred(const Letters& letters, Cycle now);
  // Blocks that have waited.
  void update_border();
  // When all blocks have been updated.
  void close(Cycle now);
  void apply_writes(Cycle now);
  // Something has changed in this cycle, or will by itself.
  bool is_restless() const { return restless_; }
  bool has_work() const { return due_.any() || !writes_.empty(); }
  // Returns whether the block and all within reach of it still show the start of the cycle.
  bool shows_start(std::uint32_t block) const {
    return updated_ == 0 || updated_ + table_.grid().reach() <= block;
  }
  // Returns whether all queues have taken and given, so that elements may end and writes act.
  bool is_closed() const { return updated_ == 0 && !due_.any(); }

  // ---- the PE's side of the ramps, see Transport
  Transport::Head head(ChannelId channel) const;
  std::uint32_t head_data(ChannelId channel);
  std::uint32_t pick(ChannelId channel, Cycle now);
  bool has_controls(PeId pe) const { return controls_[pes_.index(pe)] > 0; }
  // PEs of the block that have some.
  const Lanes& controls(std::uint32_t block) const { return with_controls_[block].lanes; }
  bool has_controls_in(std::uint32_t block) const { return with_controls_[block].pes > 0; }
  // A thread takes the head, a control wavelet, with the issue of this cycle.
  void take_control_head(ChannelId channel, Cycle now);
  // A control wavelet enters the up-ramp in this cycle.
  void inject_control(ChannelId channel, const Standing& wavelet);

  // ---- configuration, see Transport
  bool may_configure(ChannelId channel) const;
  std::uint32_t positions(ChannelId channel) const;
  void write(const ConfigurationWrite& write);
  void set_filter(ChannelId channel, const FilterSetting& filter);
  // Words that its filter has kept away from the PE; whether it does so with the next one.
  std::uint64_t dropped(ChannelId channel) const;
  bool drops(ChannelId channel) const;

 private:
  // A marked wavelet that moves, and where to.
  struct Move {
    std::uint32_t lane = 0;
    std::uint32_t ports = 0;  // as bits
    bool begins = false;      // a run
    Standing wavelet;
    std::array<RouterTable::Behind, kLinks> behind = {};  // of those ports that are links
  };

  // The PEs of a block that have control wavelets which ask for a task.
  struct BlockControls {
    Lanes lanes;
    std::uint32_t pes = 0;
  };
  // What waits for the end of the cycle: all PEs may write in one, few of them filters.
  struct Write {
    const isa::Routing* routing = nullptr;
    ChannelId channel = kNoChannel;
    ConfigurationWrite::Kind kind = ConfigurationWrite::Kind::TeardownExit;
    std::uint8_t position = 0;
  };

  // A block that may rest, and those of its routers that moved something, as bits.
  struct Repeating {
    std::uint32_t block = 0;
    std::uint32_t routers = 0;
  };

  std::uint32_t bit_of(std::uint32_t block, std::uint32_t router) const {
    return 1u << (router - table_.first(block));
  }
  void update_block(std::uint32_t block);
  void set_active(std::uint32_t block, std::uint32_t routers);
  void decide_router(std::uint32_t number, Cycle now);
  void wake_beside(const RouterPlanes& router, const Moves& moves, Cycle now);
  // What comes into queues of the block in this cycle is not what came in the cycle before.
  void disturb(std::uint32_t block, Cycle now);
  // The same where the block has decided.
  void disturb_decided(std::uint32_t block, Cycle now);
  // Neighbours see another room in the queues of the router.
  void tell_room(const RouterPlanes& router);
  // What these routers, as bits, moved in this cycle.
  void forget(std::uint32_t block, std::uint32_t routers);
  void trap_off_grid(const RouterPlanes& router, const Lanes& leaving, Cycle now);
  // Moves of marked wavelets.
  void move_marked(const RouterPlanes& router, const Lanes& marked, Cycle now);
  void move_from(const RouterPlanes& router, std::uint32_t port, const Lanes& marked, Cycle now);
  // All of it but the lane.
  void plan_move(const RouterPlanes& router, std::uint32_t port, Move& move);
  void make_move(const RouterPlanes& router, std::uint32_t port, const Move& move, Cycle now);
  // Of a control wavelet, or the last word after which the switch of its sender advances.
  void move_and_switch(const RouterPlanes& router, std::uint32_t port, const Move& move, Cycle now);
  // The ports to which the wavelet of the lane moves, as bits.
  static std::uint32_t ways(const RouterPlanes& router, std::uint32_t lane);
  void obey(Channel& channel, Standing& wavelet, bool goes_on, Cycle now);
  void deliver(const RouterPlanes& router, const Move& move, const Standing& wavelet, Cycle now);
  void deliver_to_pe(const RouterPlanes& router, const Move& move, const Standing& wavelet,
                     Cycle now);
  // Into the queue behind a link, of this strip.
  void arrive(const RouterTable::Behind& place, const Standing& wavelet, bool begins);
  // Of another one.
  void send_across(const RouterTable::Behind& place, std::uint32_t port, const Standing& wavelet,
                   bool begins);
  void arrive_control(const RouterPlanes& router, std::uint32_t lane, const Standing& wavelet,
                      Cycle now);
  void obey_advance(Channel& channel, Cycle now);
  // Position and teardown become what the rules say (router_rules.h).
  void change(Channel& channel, const SwitchState& next, Cycle now);
  // If words of a train have passed a queue and others have not, the next one is marked: it goes
  // another way now.
  void split_run(Channel& channel);
  // The words that come next have another fate than those before.
  void turn_filter(RouterPlanes& router, std::uint32_t lane);
  void count_control(PeId pe, int change);
  // A control wavelet leaves the down-ramp: who takes from it has taken all before it.
  void take_control(ChannelId channel);
  // The same when this cycle is over.
  void lose_control(ChannelId channel, Cycle now);
  // It enters the queue in this cycle.
  void flag_control(const RouterPlanes& router, PlaneQueue& queue, std::uint32_t lane,
                    const Standing& wavelet) const;
  void apply(const Write& write, Cycle now);

  const isa::Image& image_;
  const isa::Profile& profile_;
  PeRange pes_;
  const Border& border_;
  Counters& counters_;
  FirstTrap& trap_;
  RouterTable& table_;
  RunLists& runs_;
  Loans& loans_;
  Words& words_;
  Threads& threads_;
  const IssueTable& issue_;
  RestingBlocks& rests_;
  TransportClient* client_ = nullptr;
  History* history_ = nullptr;
  bool rotates_;
  bool may_filter_;  // programs write filters: any router may get some
  bool restless_ = false;
  // By block, its routers as bits: in whose queues something is that may move, and whose queues
  // take or give something in this cycle; then the blocks that have some.
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> touched_;
  MarkedSet awake_;
  MarkedSet due_;
  // In this cycle:
  std::uint32_t deciding_ = 0;  // the block
  Moves decided_;               // of the router whose turn it was last
  std::uint32_t updated_ = 0;   // blocks before it have been
  MarkedSet eventful_;          // blocks in which more than counts has changed
  MarkedSet stirred_;           // blocks whose next cycle is not as this one
  std::vector<Repeating> repeating_;
  std::vector<Move> moves_;  // of marked wavelets of a queue, at most one of each lane
  std::vector<Write> writes_;
  std::vector<FilterSetting> filters_;  // of those writes that have one, in their order
  std::size_t next_filter_ = 0;         // that will be applied
  std::vector<std::uint16_t>
      controls_;  // by PE: control wavelets in down-ramps that ask for a task
  std::vector<BlockControls> with_controls_;  // by block
};

}  // namespace wse::vm::wafer
