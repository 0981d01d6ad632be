// Threads that have issued all of their elements, or are cut, end: the rest of their elements is
// applied, their trains are closed, their cores are told. Here trains make room too.
#include <algorithm>
#include <span>
#include <utility>

#include "isa/support/checked.h"
#include "vm/planes/blocks/slots.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

// Below room for so many words of each thread, looking for trains that have passed takes longer
// than getting more.
constexpr std::uint64_t kWordsOfAThread = 32;

}  // namespace

void Slots::finish(Cycle now) {
  isa::check_that(routers_.is_closed(), "vm/planes 5: threads end after all queues have updated");
  for (const std::uint32_t block : ending_) take_ended(block);
  end_all(now);
  for (const std::uint32_t block : ending_) forget_ended(issue_[block]);
  ending_.clear();
  if (trains_.words() > std::max(threads_.size() * kWordsOfAThread, most_words_)) make_room(now);
}

// Of the down-ramps from which the thread takes: the trail; then, each when what leads to it is
// there, the first record and its train.
[[gnu::always_inline]] inline void Slots::prefetch_trails(const Thread& thread) const {
  for (const ChannelId in : thread.in) {
    if (in == kNoChannel) continue;
    const auto [queue, lane] = std::as_const(table_).queue(in, kDownRamp);
    queue->prefetch_lane(lane);
  }
}
[[gnu::always_inline]] inline void Slots::prefetch_inputs(const Thread& thread) const {
  for (const ChannelId in : thread.in) {
    if (in == kNoChannel) continue;
    const auto [queue, lane] = std::as_const(table_).queue(in, kDownRamp);
    runs_.prefetch_record(*queue, lane);
  }
}
[[gnu::always_inline]] inline void Slots::prefetch_input_trains(const Thread& thread) const {
  for (const ChannelId in : thread.in) {
    if (in == kNoChannel) continue;
    const auto [queue, lane] = std::as_const(table_).queue(in, kDownRamp);
    runs_.prefetch_train(*queue, lane);
  }
}
[[gnu::always_inline]] inline void Slots::prefetch_next_trains(const Thread& thread) const {
  for (const ChannelId in : thread.in) {
    if (in == kNoChannel) continue;
    const auto [queue, lane] = std::as_const(table_).queue(in, kDownRamp);
    runs_.prefetch_next_train(*queue, lane);
  }
}

void Slots::make_room(Cycle now) {
  rests_.settle(now + 1);
  for (std::uint32_t block = active_.next(0); block != MarkedSet::kEnd;
       block = active_.next(block + 1)) {
    const auto& planes = issue_[block].threads;
    for (std::uint32_t number = 0; number < planes.size(); ++number) {
      if (planes[number] == nullptr) continue;
      Lanes taking;  // and sending nothing: see Words::apply_passed()
      for (const RampUse& use : planes[number]->inputs) taking |= use.lanes;
      taking.remove(planes[number]->sending);
      if (taking.any()) make_room(block, number, taking);
    }
  }
  most_words_ = 2 * trains_.words();
}

// Two runs of each: the one that has passed, and the next one, which has not.
void Slots::make_room(std::uint32_t block, std::uint32_t number, const Lanes& lanes) {
  using Fetch = TransportClient::Fetch;
  const auto thread_of = threads_with(block, number);
  in_steps(
      list(lanes),
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        prefetch(&thread_of(lane));
        client_->fetch({grid_.pe_of(block, lane), number}, Fetch::Core);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        for (const ChannelId in : thread_of(lane).in) {
          if (in != kNoChannel) prefetch_all(table_.channels()[in]);
        }
        client_->fetch({grid_.pe_of(block, lane), number}, Fetch::Instruction);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) { prefetch_trails(thread_of(lane)); },
      [&](std::uint32_t lane) __attribute__((always_inline)) { prefetch_inputs(thread_of(lane)); },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_input_trains(thread_of(lane)); },
      [&](std::uint32_t lane)
          __attribute__((always_inline)) { prefetch_next_trains(thread_of(lane)); },
      [&](std::uint32_t lane) {
        const Thread& thread = thread_of(lane);
        words_.apply_passed(threads_.index(thread.id()), issue_.issued(thread));
      });
}

void Slots::take_ended(std::uint32_t block) {
  IssuePlanes& planes = issue_[block];
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    if (planes.threads[number] == nullptr || !planes.threads[number]->has_ended) continue;
    ThreadPlanes& thread = *planes.threads[number];
    const Lanes over = thread.ended | thread.cut;
    thread.moving.remove(over);
    thread.sending.remove(over);
    const auto is_unused = [&over](RampUse& use) {
      use.lanes.remove(over);
      return !use.lanes.any();
    };
    std::erase_if(thread.inputs, is_unused);  // who looks at them looks at their queues too
    std::erase_if(thread.outputs, is_unused);
    for_each_lane(over, [&](std::uint32_t lane) {
      ended_threads_.push_back(threads_.index({grid_.pe_of(block, lane), number}));
    });
  }
}

void Slots::forget_ended(IssuePlanes& planes) {
  planes.has_ended = false;
  for (const auto& thread : planes.threads) {
    if (thread == nullptr || !thread->has_ended) continue;
    if (thread->fifos != nullptr) thread->fifos->end(thread->ended | thread->cut);
    thread->ended = thread->cut = {};
    thread->has_ended = false;
  }
}

void Slots::end_all(Cycle now) {
  using Index = std::uint32_t;
  using Fetch = TransportClient::Fetch;
  in_steps(
      std::span<const Index>(ended_threads_),
      [this](Index index) __attribute__((always_inline)) { prefetch(&threads_[index]); },
      [this](Index index) __attribute__((always_inline)) {
        const Thread& thread = threads_[index];
        runs_.prefetch_train(thread);
        for (const ChannelId in : thread.in) {
          if (in != kNoChannel) prefetch_all(table_.channels()[in]);
        }
        client_->fetch(thread.id(), Fetch::Core);
      },
      [this](Index index) __attribute__((always_inline)) {
        prefetch_trails(threads_[index]);
        client_->fetch(threads_[index].id(), Fetch::Instruction);
      },
      [this](Index index) __attribute__((always_inline)) { prefetch_inputs(threads_[index]); },
      [this](Index index) __attribute__((always_inline)) {
        prefetch_input_trains(threads_[index]);
        client_->fetch(threads_[index].id(), Fetch::Operands);
      },
      [this, now](Index index) { end(threads_[index], now); });
  ended_threads_.clear();
}

void Slots::end(Thread& thread, Cycle now) {
  const Flow& flow = *thread.flow;
  const std::uint64_t elements = flow.may_be_cut() ? issue_.issued(thread) : flow.length;
  words_.apply(threads_.index(thread.id()), elements);
  if (thread.train != kNone) words_.close_train(thread);
  for (ChannelId& in : thread.in) {
    if (in != kNoChannel) table_.channels()[in].reader = kNone;
  }
  if (flow.at_once && flow.has_fifo()) leave_fifos(thread, elements);
  count(thread, elements);
  thread.state = Thread::State::Free;
  const bool complete = elements == flow.length;
  client_->end(thread.id(), elements, now + (complete ? flow.cycles_per_issue : 1));
}

void Slots::count(const Thread& thread, std::uint64_t elements) {
  counters_.elements += elements;
  counters_.flops += elements * thread.flow->flops;
  if (thread.flow->out != kNoColour) counters_.wavelets += thread.flow->words_out(elements);
}

}  // namespace wse::vm::wafer
