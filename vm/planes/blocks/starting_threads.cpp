// Threads begin alike.
#include "vm/planes/blocks/starting_threads.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

// Calls visit(colour, ramp) for what the flow takes from and sends to.
template <class Visit>
[[gnu::always_inline]] inline void for_each_colour(const Flow& flow, Visit visit) {
  for (const std::uint32_t colour : {flow.in[0], flow.in[1]}) {
    if (colour != kNoColour) visit(colour, kDownRamp);
  }
  if (flow.out != kNoColour) visit(flow.out, kUpRamp);
}

// Finds or makes the use of the FIFO among those of a thread.
FifoUse& use_of(FifoWaits& waits, std::uint32_t number, IssuePlanes& planes) {
  auto use = std::ranges::find(waits.uses, number, &FifoUse::number);
  if (use == waits.uses.end()) {
    use = waits.uses.insert(use, {planes.fifos[number].get(), number, {}, {}});
  }
  return *use;
}

}  // namespace

StartingThreads::StartingThreads(const Parts& parts)
    : grid_(parts.table.grid()),
      pes_(parts.pes),
      duplex_(static_cast<isa::IssueMode>(parts.profile.issue) == isa::IssueMode::Duplex),
      table_(parts.table),
      issue_(parts.issue),
      threads_(parts.threads),
      fifos_(parts.fifos),
      run_lists_(parts.run_lists),
      words_(parts.words),
      rests_(parts.rests),
      moving_(parts.moving),
      last_of_block_(grid_.blocks(), kNone) {}

void StartingThreads::make_planes() {
  fifos_.open(grid_, issue_);
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    if (threads_.count(pe) == 0) continue;
    std::vector<std::unique_ptr<ThreadPlanes>>& planes = issue_.of(pe).threads;
    if (planes.size() < threads_.count(pe)) planes.resize(threads_.count(pe));
    for (std::uint32_t k = 0; k < threads_.count(pe); ++k) {
      if (planes[k] == nullptr) planes[k] = std::make_unique<ThreadPlanes>();
    }
  }
}

void StartingThreads::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  threads_[id] = {.flow = &flow,
                  .earliest = earliest,
                  .pe = id.pe,
                  .number = static_cast<std::uint8_t>(id.thread),
                  .state = Thread::State::Coming};
  beginning_.add(threads_.index(id), earliest);
}

// The thread has not moved, so its cycle has not come.
void StartingThreads::cancel(ThreadId id) { threads_[id].state = Thread::State::Free; }

void StartingThreads::go_on(ThreadId id, const Flow& flow, const Issued& issued) {
  const std::uint32_t index = threads_.index(id);
  const std::uint32_t lane = grid_.lane_of(id.pe);
  threads_[index] = {.flow = &flow,
                     .applied = issued.elements,
                     .pe = id.pe,
                     .number = static_cast<std::uint8_t>(id.thread)};
  start_thread(index);
  Alike alone{&flow, grid_.block_of(id.pe), id.pe, id.thread, 1, kNone, {}};
  alone.lanes.set(lane);
  if (flow.out != kNoColour) {
    words_.go_on_with_message(index, issued.half_out);
    if (!flow.control) begin_run(threads_[index]);
  }
  start_planes(alone, lane);
  IssuePlanes& block = issue_.of(id.pe);
  ThreadPlanes& planes = *block.threads[id.thread];
  const std::uint64_t steps = IssueTable::steps_of(flow, issued.elements);
  planes.left.begin(lane, IssueTable::steps(flow) - steps);
  if (id.thread == kMainThread && flow.gap_cycles != 0) {
    block.maps->round.skip(lane,
                           static_cast<std::uint32_t>(steps % IssueTable::steps_of_round(flow)));
  }
  if (!planes.halved.has(lane) || issued.elements % 2 == 0) return;
  planes.second.set(lane);
  for (std::size_t k = 0; k < issued.half_in.size(); ++k) {
    if (flow.packed_in[k]) words_.take_half(index, k, issued.half_in[k]);
  }
}

void StartingThreads::start(Cycle now) {
  using Index = std::uint32_t;
  in_steps(
      beginning_.take(now),
      [this](Index index) __attribute__((always_inline)) { prefetch(&threads_[index]); },
      [this](Index index) __attribute__((always_inline)) { prefetch_channels(threads_[index]); },
      [this](Index index) __attribute__((always_inline)) { prefetch_queues(threads_[index]); },
      [this, now](Index index) {
        const Thread& thread = threads_[index];
        if (thread.state != Thread::State::Coming || thread.earliest != now) return;
        const std::uint32_t block = grid_.block_of(thread.pe);
        if (rests_.has(block)) rests_.wake(block, now);
        add_alike(thread);
        start_thread(index);
      });
  start_alike();
}

[[gnu::always_inline]] inline void StartingThreads::prefetch_channels(const Thread& thread) const {
  for_each_colour(*thread.flow,
                  [&](std::uint32_t colour, std::uint32_t) __attribute__((always_inline)) {
                    prefetch_all(table_.channels()[table_.channels().find(thread.pe, colour)]);
                  });
}
[[gnu::always_inline]] inline void StartingThreads::prefetch_queues(const Thread& thread) const {
  for_each_colour(*thread.flow,
                  [&](std::uint32_t colour, std::uint32_t ramp) __attribute__((always_inline)) {
                    const ChannelId channel = table_.channels().find(thread.pe, colour);
                    const auto [queue, lane] = std::as_const(table_).queue(channel, ramp);
                    queue->prefetch_lane(lane);
                  });
}

void StartingThreads::add_alike(const Thread& thread) {
  const std::uint32_t block = grid_.block_of(thread.pe);
  std::uint32_t& last = last_of_block_[block];
  std::uint32_t index = last;
  while (index != kNone &&
         (alike_[index].flow != thread.flow || alike_[index].number != thread.number)) {
    index = alike_[index].before;
  }
  if (index == kNone) {
    index = static_cast<std::uint32_t>(alike_.size());
    alike_.push_back({thread.flow, block, thread.pe, thread.number, 0, last, {}});
    last = index;
  }
  ++alike_[index].count;
  alike_[index].lanes.set(grid_.lane_of(thread.pe));
}

void StartingThreads::start_thread(std::uint32_t index) {
  Thread& thread = threads_[index];
  const Flow& flow = *thread.flow;
  thread.state = Thread::State::Moving;
  for (std::size_t k = 0; k < thread.in.size(); ++k) {
    thread.in[k] =
        flow.in[k] == kNoColour ? kNoChannel : table_.channels().find(thread.pe, flow.in[k]);
    if (thread.in[k] == kNoChannel) continue;
    const auto [down, place] = table_.queue(thread.in[k], kDownRamp);
    thread.next[k] = down->popped(place);
    table_.channels()[thread.in[k]].reader = index;
  }
  if (flow.out == kNoColour) return;
  thread.out = table_.channels().find(thread.pe, flow.out);
}

void StartingThreads::open_messages(const Alike& alike) {
  const Flow& flow = *alike.flow;
  if (!Words::may_have_rows(flow, alike.count)) {
    for_each_lane(alike.lanes, [&](std::uint32_t lane) {
      open_message(threads_.index({grid_.pe_of(alike.block, lane), alike.number}));
    });
    return;
  }
  const Channel& channel = table_.channels()[table_.channels().find(alike.pe, flow.out)];
  PlaneQueue& up = *table_.of(channel).queue[kUpRamp];
  run_lists_.append(
      up, {alike.lanes, {.message = words_.open_message(alike.block, alike.lanes, alike.number)}});
  up.flags().arm(LinkFlag::Marked, alike.lanes);
}

void StartingThreads::open_message(std::uint32_t index) {
  words_.open_message(index);
  if (!threads_[index].flow->control) begin_run(threads_[index]);
}

void StartingThreads::begin_run(const Thread& thread) {
  const auto [up, place] = table_.queue(thread.out, kUpRamp);
  run_lists_.append(*up, place,
                    {.message = thread.message,
                     .word = thread.flow->words_out(thread.applied),
                     .row = grid_.lane_of(thread.pe)});
  up->flags().arm(LinkFlag::Marked, place);
}

template <class Which>
void StartingThreads::start_planes(const Alike& alike, const Which& lanes) {
  const Flow& flow = *alike.flow;
  IssuePlanes& block = issue_[alike.block];
  ThreadPlanes& planes = *block.threads[alike.number];
  moving_.add(alike.block);
  planes.moving.put(lanes, true);
  planes.in_send_slot.put(lanes, duplex_ && flow.is_send());
  planes.slow.put(lanes, flow.cycles_per_issue > 1);
  planes.sending.put(lanes, flow.out != kNoColour);
  planes.control.put(lanes, flow.control && flow.out != kNoColour);
  planes.left.begin(lanes, IssueTable::steps(flow));
  const bool one_by_one = flow.elements_per_issue == 1;
  const bool sends_halved = one_by_one && flow.packed_out;
  const bool halved = one_by_one && (flow.packed_in[0] || flow.packed_in[1] || flow.packed_out);
  planes.halved.put(lanes, halved);
  planes.sends_halved.put(lanes, sends_halved);
  if (!isa::mutant(isa::Mutant::SecondStays)) planes.second.put(lanes, false);
  planes.has_halved |= halved;
  if (alike.number == kMainThread) begin_rounds(block, lanes, flow);
  planes.has_controls |= flow.controllable;
  for (std::size_t k = 0; k < std::size(flow.packed_in); ++k) {
    if (flow.in[k] == kNoColour) continue;
    RampUse& use = ramp_use(planes.inputs, alike, flow.in[k]);
    use.lanes.put(lanes, true);
    use.halved.put(lanes, one_by_one && flow.packed_in[k]);
    if (planes.has_controls) use.controls.put(lanes, flow.on_control[k] != isa::OnControl::Leave);
  }
  if (flow.at_once || planes.has_named) start_at_once(alike, planes);
  if (flow.out == kNoColour) return;
  RampUse& use = ramp_use(planes.outputs, alike, flow.out);
  use.lanes.put(lanes, true);
  use.halved.put(lanes, sends_halved);
}

void StartingThreads::start_alike() {
  for (const Alike& alike : alike_) {
    last_of_block_[alike.block] = kNone;
    if (alike.flow->out != kNoColour) open_messages(alike);
    if (alike.count == 1) {
      start_planes(alike, grid_.lane_of(alike.pe));
    } else {
      start_planes(alike, alike.lanes);
    }
  }
  alike_.clear();
}

// The planes of a block come with its first instruction that has gaps.
template <class Which>
void StartingThreads::begin_rounds(IssuePlanes& planes, const Which& lanes,
                                   const Flow& flow) const {
  const bool has_gaps = flow.gap_cycles != 0;
  if (planes.maps == nullptr) {
    if (!has_gaps) return;
    planes.maps = std::make_unique<MapPlanes>(flow.gap_cycles);
  }
  planes.maps->moving.put(lanes, has_gaps);
  if (has_gaps) planes.maps->round.begin(lanes, IssueTable::steps_of_round(flow));
}

void StartingThreads::start_at_once(const Alike& alike, ThreadPlanes& planes) {
  const Flow& flow = *alike.flow;
  if (flow.has_fifo()) use_fifos(alike, planes);
  planes.has_named |= flow.named;
  planes.named.put(alike.lanes, flow.named);
  if (flow.in[kDestinationIndex] == kNoColour) return;
  RampUse& use = ramp_use(planes.inputs, alike, flow.in[kDestinationIndex]);
  use.lanes |= alike.lanes;
  use.halved.remove(alike.lanes);
  use.controls.put(alike.lanes, flow.on_control[kDestinationIndex] != isa::OnControl::Leave);
}

void StartingThreads::use_fifos(const Alike& alike, ThreadPlanes& planes) {
  const Flow& flow = *alike.flow;
  for_each_lane(alike.lanes, [&](std::uint32_t lane) {
    fifos_.begin(threads_.index({grid_.pe_of(alike.block, lane), alike.number}));
  });
  if (planes.fifos == nullptr) planes.fifos = std::make_unique<FifoWaits>();
  planes.fifos->ends_early.put(alike.lanes, flow.may_end_early);
  IssuePlanes& block = issue_[alike.block];
  for (const std::uint32_t number : flow.fifo_in) {
    if (number != kNoFifo) use_of(*planes.fifos, number, block).pops |= alike.lanes;
  }
  if (flow.fifo_out != kNoFifo) use_of(*planes.fifos, flow.fifo_out, block).pushes |= alike.lanes;
}

RampUse& StartingThreads::ramp_use(std::vector<RampUse>& uses, const Alike& alike,
                                   std::uint32_t colour) {
  const ChannelTable& channels = table_.channels();
  const std::uint32_t number = channels[channels.find(alike.pe, colour)].router;
  auto use = std::ranges::find(uses, number, &RampUse::number);
  if (use == uses.end()) use = uses.insert(use, {&table_[number], number, {}, {}, {}});
  return *use;
}

}  // namespace wse::vm::wafer
