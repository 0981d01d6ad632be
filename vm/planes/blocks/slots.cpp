// Planes issue; what only one thread knows is done one by one.
#include "vm/planes/blocks/slots.h"

#include <algorithm>
#include <span>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

Activity activity_of(const ActivityPlanes& planes, std::uint32_t lane) {
  if (planes.busy.has(lane)) return Activity::Busy;
  if (planes.stalled.has(lane)) return Activity::MemoryStall;
  if (planes.wait_output.has(lane)) return Activity::WaitOutput;
  return planes.wait_input.has(lane) ? Activity::WaitInput : Activity::Idle;
}

}  // namespace

Slots::Slots(const Parts& parts)
    : grid_(parts.table.grid()),
      pes_(parts.pes),
      duplex_(static_cast<isa::IssueMode>(parts.profile.issue) == isa::IssueMode::Duplex),
      activity_(parts.activity),
      counters_(parts.counters),
      table_(parts.table),
      routers_(parts.routers),
      active_routers_(parts.active_routers),
      controls_(parts.controls),
      arrivals_(parts.arrivals),
      down_ramps_(parts.down_ramps),
      trains_(parts.trains),
      runs_(parts.runs),
      words_(parts.words),
      threads_(parts.threads),
      fifos_(parts.fifos),
      issue_(parts.issue),
      rests_(parts.rests),
      scalar_until_(pes_.size()),
      active_(grid_.blocks()),
      lanes_(kLanes) {}

void Slots::connect(TransportClient& client) {
  client_ = &client;
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

void Slots::begin(ThreadId id, const Flow& flow, Cycle earliest) {
  threads_[id] = {.flow = &flow,
                  .earliest = earliest,
                  .pe = id.pe,
                  .number = static_cast<std::uint8_t>(id.thread),
                  .state = Thread::State::Coming};
  beginning_.add(threads_.index(id), earliest);
}

// It has not moved, so its cycle has not come.
void Slots::cancel(ThreadId id) { threads_[id].state = Thread::State::Free; }

void Slots::hold(PeId pe, Cycle until) {
  scalar_until_[pes_.index(pe)] = until;
  issue_.of(pe).scalar.set(grid_.lane_of(pe));
  if (!isa::mutant(isa::Mutant::SteadyHold)) rests_.call(grid_.block_of(pe));
  released_.add(static_cast<std::uint32_t>(pes_.index(pe)), until);
}

void Slots::wake(PeId pe, Cycle now) {
  const std::uint32_t block = grid_.block_of(pe);
  if (rests_.has(block)) rests_.wake(block, now);
}

void Slots::issue_block(std::uint32_t block, Cycle now) {
  isa::check_that(routers_.shows_start(block), "vm/planes 5: a block issues before it decides");
  IssuePlanes& planes = issue_[block];
  restless_ |= planes.held[0].any() || planes.held[1].any();
  const bool issued = steps().issue(planes);
  if (planes.is_otherwise) log_activity(block, now);
  if (planes.maps != nullptr) note_rests(*planes.maps, now);
  if (planes.has_controlled) take_controls(planes, block, now);
  if (planes.has_ended) {
    restless_ = true;
    ending_.push_back(block);
  }
  if (issued) {
    restless_ = true;
    counters_.finished(now + 1);
    if (planes.has_named) apply_named(planes, block, now);
    tell_routers(planes, block, now);
    if (planes.has_left) tell_left(planes, block, now);
    active_routers_.watch(block);
    return;
  }
  const bool moves = std::ranges::any_of(
      planes.threads, [](const auto& thread) { return thread != nullptr && thread->moving.any(); });
  if (moves || planes.activity.stalled.any()) {
    if (planes.repeats) active_routers_.watch(block);  // where all wait, it may rest
    return;
  }
  active_.remove(block);
  planes.repeats = true;
}

// A gap is work, up to its end.
void Slots::note_rests(const MapPlanes& maps, Cycle now) {
  restless_ |= maps.has_rests;
  if (maps.gap_begins) counters_.finished(now + maps.rests.size() - 1);
}

std::span<const std::uint32_t> Slots::list(const Lanes& lanes) {
  std::size_t count = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) { lanes_[count++] = lane; });
  return std::span(lanes_).first(count);
}

void Slots::log_activity(std::uint32_t block, Cycle now) {
  const IssuePlanes& planes = issue_[block];
  in_steps(
      list(planes.otherwise),
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { activity_.prefetch(grid_.pe_of(block, lane)); },
      [&](std::uint32_t lane) {
        activity_.otherwise_from(grid_.pe_of(block, lane), now, activity_of(planes.activity, lane));
      });
}

void Slots::tell_routers(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->has_issued) continue;
    for (const RampUse& use : thread->inputs) {
      if (!use.is_busy) continue;
      active_routers_.touch(use.number);
      if (!controls_.has_any(block)) continue;
      const Lanes controlled = use.lanes & thread->issued & controls_.lanes(block);
      if (controlled.any()) planes.repeats = false;
      for_each_lane(controlled, [&](std::uint32_t lane) {
        client_->look_at(grid_.pe_of(block, lane), now + 1);  // one may be head now
      });
    }
    for (const RampUse& use : thread->outputs) {
      if (use.is_busy) active_routers_.touch(use.number);
    }
    if (planes.has_control) send_controls(*thread, block, number);
  }
  planes.has_control = false;
}

// Routers must know what each of them says.
void Slots::send_controls(ThreadPlanes& planes, std::uint32_t block, std::uint32_t number) {
  using Fetch = TransportClient::Fetch;
  const auto thread_of = threads_with(block, number);
  in_steps(
      list(planes.issued & planes.control),
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        prefetch(&thread_of(lane));
        client_->fetch({grid_.pe_of(block, lane), number}, Fetch::Core);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        runs_.prefetch_train(thread_of(lane));
        prefetch_all(table_.channels()[thread_of(lane).out]);
        client_->fetch({grid_.pe_of(block, lane), number}, Fetch::Instruction);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        runs_.prefetch_first_word(thread_of(lane));
        client_->fetch({grid_.pe_of(block, lane), number}, Fetch::Operands);
        const auto [up, place] = std::as_const(table_).queue(thread_of(lane).out, kUpRamp);
        up->prefetch_lane(place);
      },
      [&](std::uint32_t lane) {
        const Thread& thread = thread_of(lane);
        const std::uint64_t issued = issue_.issued(thread);
        const std::uint32_t word = words_.word_of(thread, issued - 1);
        const bool advances = thread.flow->advance && issued == thread.flow->length;
        arrivals_.at_up_ramp(thread.out, {.word = word, .advances = advances});
      });
}

void Slots::flush(bool reads_memory) {
  for (std::uint32_t index = 0; index < threads_.size(); ++index) {
    const Thread& thread = threads_[index];
    if (thread.state != Thread::State::Moving) continue;
    const std::uint64_t issued = issue_.issued(thread);
    if (reads_memory) words_.apply(index, issued);
    count(thread, issued);
  }
}

std::vector<WaitingThread> Slots::waiting(PeId pe) const {
  std::vector<WaitingThread> result;
  for (std::uint32_t k = 0; k < threads_.count(pe); ++k) {
    const Thread& thread = threads_[ThreadId{pe, k}];
    if (thread.state == Thread::State::Free) continue;
    const Flow& flow = *thread.flow;
    const bool moves = thread.state == Thread::State::Moving;
    WaitingThread waiting{.thread = {pe, k}, .issued = moves ? issue_.issued(thread) : 0};
    for (std::size_t source = 0; source < kInputs; ++source) {
      if (!flow.takes_wavelet(source, waiting.issued)) continue;
      const ChannelId in = input(thread, source);
      if (down_ramps_.head(in) != Transport::Head::Data) waiting.inputs[source] = flow.in[source];
    }
    const std::uint64_t end =
        std::min<std::uint64_t>(waiting.issued + flow.elements_per_issue, flow.length);
    if (flow.sends_wavelet(end)) {
      const auto [up, lane] = table_.queue(table_.channels().find(pe, flow.out), kUpRamp);
      if (up->is_full(lane)) waiting.output = flow.out;
    }
    wait_for_fifos(thread, waiting);
    result.push_back(waiting);
  }
  return result;
}

}  // namespace wse::vm::wafer
