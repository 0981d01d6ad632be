// The loop over cycles, and what a wafer shows of itself.
#include "vm/planes/wafer.h"

#include <algorithm>
#include <array>
#include <span>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

// kQueues where a mesh has none.
std::uint32_t queue_number(QueuePort port) {
  if (port == QueuePort::DownRamp) return kDownRamp;
  const auto number = static_cast<std::uint32_t>(port);
  return number < isa::kMeshPorts ? number : kQueues;
}

}  // namespace

Wafer::Wafer(const Parts& parts)
    : trap_(parts.trap),
      counters_(parts.counters),
      pes_(parts.pes),
      border_(parts.exchange, parts.field.grid, parts.strip),
      grid_(parts.field.grid),
      channels_(parts.field.channels),
      table_(parts.field.table),
      threads_(parts.pes),
      fifos_(parts.pes, threads_),
      words_(table_, threads_, fifos_, border_),
      rests_(table_, parts.field.issue, parts.counters),
      routers_({parts.image, parts.profile, parts.pes, border_, parts.counters, parts.trap, table_,
                words_, threads_, parts.field.issue, rests_}),
      slots_({parts.profile, parts.pes, parts.activity, parts.counters, table_, routers_, words_,
              threads_, fifos_, parts.field.issue, rests_}),
      invariants_({border_, table_, parts.field.issue, threads_, words_, rests_}) {
  routers_.remember_in(parts.history);
}

void Wafer::connect(TransportClient& client) {
  relay_.client = &client;
  threads_.open();
  words_.connect(relay_);
  routers_.connect(relay_);
  slots_.connect(relay_);
}

Cycle Wafer::run(Cycle from, Cycle until, const std::atomic<bool>* stop) {
  relay_.told = false;
  const auto is_over = [&] {
    return relay_.told || trap_.first() ||
           (stop != nullptr && stop->load(std::memory_order_relaxed));
  };
  from = std::max(from, following_);  // cores may act twice in a cycle
  if (meets()) {                      // in any case, as others may send something here
    if (from < until) decide(from);
    return until;
  }
  Cycle now = routers_.has_work() || rests_.has_called() ? from : std::max(from, next());
  if (now > from && is_over()) return from + 1;
  for (; now < until; now = std::max(now + 1, next())) {
    decide(now);
    settle(now);
    if (is_over()) return now + 1;
  }
  return until;
}

// Blocks one after the other: threads issue, routers decide; and once all neighbours of a block
// have decided its queues take and give, while its planes are still in a cache.
void Wafer::decide(Cycle now) {
  rests_.open(now);
  slots_.open(now);
  routers_.open();
  const std::uint32_t blocks = grid_.blocks();
  for (std::uint32_t block = 0;; ++block) {
    const std::uint32_t issues = slots_.next_active(block);
    const std::uint32_t decides = routers_.next_awake(block);
    block = std::min(issues, decides);
    if (block >= blocks) break;
    const std::uint32_t reach = isa::mutant(isa::Mutant::UpdateEarly) ? 0 : grid_.reach();
    if (block > reach) routers_.update_before(block - reach);
    if (block == issues) slots_.issue_block(block, now);
    if (block == decides) routers_.decide_block(block, now);
  }
  routers_.update_before(blocks);
}

// The rest of a cycle: words are made, threads end.
void Wafer::settle(Cycle now) {
  routers_.close(now);
  slots_.finish(now);
  routers_.apply_writes(now);
  restless_ = slots_.is_restless() || routers_.is_restless() ? now + 1 : rests_.next(now);
  following_ = now + 1;
  if constexpr (isa::kIsChecked) invariants_.check(now);
}

void Wafer::meet(Cycle now) {
  if (now < following_) return;
  border_.enter(1);
  border_.read([&](const Letters& letters) {
    words_.read(letters);
    routers_.take_arrivals(letters, now);
  });
  routers_.update_border();
  settle(now);
}

void Wafer::take_in() {
  if (!meets()) return;
  border_.enter(0);
  words_.end_loans();
  words_.give_back_copies();
  border_.read([&](const Letters& letters) {
    words_.read(letters);
    routers_.take_stirred(letters, following_);
  });
}

void Wafer::flush(Cycle end, bool reads_memory) {
  border_.exchange().work_alone();
  rests_.settle(end);
  slots_.flush(reads_memory);
  for (ChannelId id = channels_.map().first(pes_.first); id < channels_.map().first(pes_.end);
       ++id) {
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if ((channels_[id].queues >> link & 1) == 0) continue;
      const auto [queue, lane] = table_.queue(id, link);
      counters_.hops += queue->pushed(lane);
    }
  }
}

// The load of a link is what was ever in the queues behind it.
TransportTotals Wafer::totals() const {
  TransportTotals totals;
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    std::array<std::uint64_t, kQueues> loads = {};
    for (ChannelId id = channels_.map().first(pe); id < channels_.map().first(pe + 1); ++id) {
      for (std::uint32_t k = 0; k < kQueues; ++k) {
        if ((channels_[id].queues >> k & 1) == 0) continue;
        const auto [queue, lane] = table_.queue(id, k);
        loads[k] += queue->pushed(lane);
        totals.wavelets_left += queue->size(lane);
      }
    }
    count_loads(totals, loads[kDownRamp], std::span(loads).first(kLinks));
  }
  return totals;
}

ChannelState Wafer::channel(ChannelId id) const { return state_of(id, channels_[id]); }

std::uint32_t Wafer::queued(ChannelId id, QueuePort port) const {
  const std::uint32_t number = queue_number(port);
  if (number == kQueues || (channels_[id].queues >> number & 1) == 0) return 0;
  const auto [queue, lane] = table_.queue(id, number);
  return queue->size(lane);
}

StandingWavelet Wafer::wavelet(ChannelId id, QueuePort port, std::uint32_t k) const {
  const auto [queue, lane] = table_.queue(id, queue_number(port));
  const Standing standing = words_.look(*queue, lane, queue->popped(lane) + k);
  return {.data = words_.value(standing), .hops = standing.hops, .control = standing.is_control()};
}

std::uint32_t Wafer::full_ports(ChannelId id, Cycle /*now*/) const {
  const Channel& channel = channels_[id];
  if (channel.routing == nullptr) return 0;
  const isa::SwitchPosition& current = channel.routing->positions[channel.position];
  const auto [from, lane] = table_.queue(id, static_cast<std::uint32_t>(current.rx));
  const bool hidden = from->size(lane) > 0 && from->head_has(Flag::Hidden, lane);
  const bool drops = routers_.drops(id) && from->size(lane) > 0 &&
                     !words_.look(*from, lane, from->popped(lane)).is_control();
  std::uint32_t full = 0;
  for_each_port(hidden || drops ? current.tx & ~isa::bit(isa::Port::Ramp) : current.tx,
                [&](isa::Port port) {
                  if (is_full(channel, port)) full |= isa::bit(port);
                });
  return full;
}

bool Wafer::is_full(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp) {
    return table_[channel.router].queue[kDownRamp]->is_full(table_.lane(channel));
  }
  if (!grid_.mesh().neighbour(channel.pe, port)) return false;
  const RouterTable::Behind behind =
      table_.behind(table_[channel.router], table_.lane(channel), static_cast<std::uint32_t>(port));
  return behind.queue->is_full(behind.lane);
}

}  // namespace wse::vm::wafer
