// The end of an instruction in the issue slots.
#include "vm/planes/blocks/ending_threads.h"

#include <span>

#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

// Clears what ended in this cycle.
void forget_ended(IssuePlanes& planes) {
  planes.has_ended = false;
  for (const auto& thread : planes.threads) {
    if (thread == nullptr || !thread->has_ended) continue;
    if (thread->fifos != nullptr) thread->fifos->end(thread->ended | thread->cut);
    thread->ended = thread->cut = {};
    thread->has_ended = false;
  }
}

}  // namespace

void EndingThreads::finish(Cycle now) {
  for (const std::uint32_t block : blocks_) take_ended(block);
  end_all(now);
  for (const std::uint32_t block : blocks_) forget_ended(parts_.issue[block]);
  blocks_.clear();
}

void EndingThreads::take_ended(std::uint32_t block) {
  IssuePlanes& planes = parts_.issue[block];
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
      ended_.push_back(parts_.threads.index({grid_.pe_of(block, lane), number}));
    });
  }
}

void EndingThreads::end_all(Cycle now) {
  using Index = std::uint32_t;
  using Fetch = TransportClient::Fetch;
  in_steps(
      std::span<const Index>(ended_),
      [this](Index index) __attribute__((always_inline)) { prefetch(&parts_.threads[index]); },
      [this](Index index) __attribute__((always_inline)) {
        const Thread& thread = parts_.threads[index];
        parts_.run_lists.fetch().message(thread);
        prefetch_inputs_.channels(thread);
        parts_.client.fetch(thread.id(), Fetch::Core);
      },
      [this](Index index) __attribute__((always_inline)) {
        prefetch_inputs_.run_lists(parts_.threads[index]);
        parts_.client.fetch(parts_.threads[index].id(), Fetch::Instruction);
      },
      [this](Index index)
          __attribute__((always_inline)) { prefetch_inputs_.runs(parts_.threads[index]); },
      [this](Index index) __attribute__((always_inline)) {
        prefetch_inputs_.messages(parts_.threads[index]);
        parts_.client.fetch(parts_.threads[index].id(), Fetch::Operands);
      },
      [this, now](Index index) { end(parts_.threads[index], now); });
  ended_.clear();
}

void EndingThreads::end(Thread& thread, Cycle now) {
  const Flow& flow = *thread.flow;
  const std::uint64_t elements = flow.may_be_cut() ? parts_.issue.issued(thread) : flow.length;
  parts_.words.apply(parts_.threads.index(thread.id()), elements);
  if (thread.message != kNone) parts_.words.close_message(thread);
  for (ChannelId& in : thread.in) {
    if (in != kNoChannel) parts_.table.channels()[in].reader = kNone;
  }
  if (flow.at_once && flow.has_fifo()) leave_fifos(thread, elements);
  count(thread, elements);
  if (!counted_.empty()) counted_.erase(parts_.threads.index(thread.id()));
  thread.state = Thread::State::Free;
  const bool complete = elements == flow.length;
  parts_.client.end(thread.id(), elements, now + (complete ? flow.cycles_per_issue : 1));
}

void EndingThreads::count(const Thread& thread, std::uint64_t elements) {
  std::uint64_t before = 0;
  if (!counted_.empty()) {
    const auto counted = counted_.find(parts_.threads.index(thread.id()));
    if (counted != counted_.end()) before = counted->second;
  }
  const Flow& flow = *thread.flow;
  parts_.ledger.count_elements(thread.pe, elements - before, flow.flops);
  if (flow.out != kNoColour)
    parts_.ledger.counters.wavelets += flow.words_out(elements) - flow.words_out(before);
}

void EndingThreads::leave_fifos(const Thread& thread, std::uint64_t elements) {
  const ThreadPlanes& planes = *parts_.issue.of(thread.pe).threads[thread.number];
  const std::uint64_t length = thread.flow->length;
  if (planes.fifos->refused.has(grid_.lane_of(thread.pe)) && length != kNoBound) {
    parts_.fifos.refuse(thread, length - elements);
  }
  parts_.fifos.end(parts_.threads.index(thread.id()), elements);
}

void EndingThreads::apply_issued() {
  for (std::uint32_t index = 0; index < parts_.threads.size(); ++index) {
    const Thread& thread = parts_.threads[index];
    if (thread.state != Thread::State::Moving) continue;
    parts_.words.apply(index, parts_.issue.issued(thread));
  }
}

void EndingThreads::count_issued() {
  for (std::uint32_t index = 0; index < parts_.threads.size(); ++index) {
    const Thread& thread = parts_.threads[index];
    if (thread.state == Thread::State::Moving) count(thread, parts_.issue.issued(thread));
  }
}

}  // namespace wse::vm::wafer
