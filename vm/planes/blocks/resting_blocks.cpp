// When blocks rest, and what is counted when they wake.
#include "vm/planes/blocks/resting_blocks.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

// With fewer cycles to come, looking after a rest takes longer than these.
constexpr std::uint64_t kFewestSteps = 3;

}  // namespace

Cycle RestingBlocks::next(Cycle now) {
  if (!soonest_stands_) find_soonest();
  return soonest_ == kNever && moving_ > 0 ? now + 1 : soonest_;
}

void RestingBlocks::find_soonest() {
  soonest_ = kNever;
  for (std::uint32_t block = resting_.next(0); block != MarkedSet::kEnd;
       block = resting_.next(block + 1)) {
    soonest_ = std::min(soonest_, rests_[block].due);
  }
  soonest_stands_ = true;
}

void RestingBlocks::open(Cycle now) {
  if (soonest_ > now && !called_.any()) return;
  for (std::uint32_t block = resting_.next(0); block != MarkedSet::kEnd;
       block = resting_.next(block + 1)) {
    if (rests_[block].due <= now || called_.has(block)) wake(block, now);
  }
  called_.clear();
  find_soonest();
}

bool RestingBlocks::begin(std::uint32_t block, Cycle from) {
  const std::uint64_t left = steps_left(block);
  if (left < kFewestSteps) return false;
  const Cycle late = isa::mutant(isa::Mutant::SteadyLate) ? 1 : 0;
  const Cycle due = left >= DownCounter::kEndless ? kNever : from + left - 1 + late;
  rests_[block] = {.from = from, .due = due, .moves = moves(block)};
  resting_.add(block);
  soonest_ = std::min(soonest_, due);
  moving_ += rests_[block].moves ? 1 : 0;
  return true;
}

void RestingBlocks::wake(std::uint32_t block, Cycle now) {
  count_queues(block, now);
  count_threads(block, now);
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) table_[k].forget();
  end(block);
}

void RestingBlocks::join(std::uint32_t block, Cycle now) {
  count_queues(block, now);
  count_threads(block, now + 1);
  end(block);
}

void RestingBlocks::end(std::uint32_t block) {
  resting_.remove(block);
  moving_ -= rests_[block].moves ? 1 : 0;
  if (rests_[block].due == soonest_) soonest_stands_ = false;
}

void RestingBlocks::settle(Cycle now) {
  for (std::uint32_t block = resting_.next(0); block != MarkedSet::kEnd;
       block = resting_.next(block + 1)) {
    count_queues(block, now);
    count_threads(block, now);
    rests_[block].from = now;
  }
}

void RestingBlocks::count_queues(std::uint32_t block, Cycle now) {
  const Cycle cycles = now - rests_[block].from;
  if (cycles == 0) return;
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) {
    RouterPlanes& router = table_[k];
    for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
      if (router.popped[port].any()) router.queue[port]->pushed().add(router.popped[port], cycles);
    }
    if (router.received.any()) router.queue[kDownRamp]->pushed().add(router.received, cycles);
  }
}

void RestingBlocks::count_threads(std::uint32_t block, Cycle now) {
  const Cycle cycles = now - rests_[block].from;
  if (cycles == 0) return;
  for (const auto& thread : issue_[block].threads) {
    if (thread != nullptr && thread->issued.any()) thread->left.step(thread->issued, cycles);
  }
  for (const auto& fifo : issue_[block].fifos) fifo->repeat(cycles);
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) {
    if (isa::mutant(isa::Mutant::SteadyFilters)) continue;
    if (table_[k].filters != nullptr) table_[k].filters->repeat(cycles);
  }
  if (rests_[block].moves) counters_.finished(now);
}

std::uint64_t RestingBlocks::steps_left(std::uint32_t block) const {
  std::uint64_t least = DownCounter::kEndless;
  for (const auto& thread : issue_[block].threads) {
    if (thread != nullptr && thread->issued.any())
      least = std::min(least, thread->left.least(thread->issued));
  }
  for (const auto& fifo : issue_[block].fifos) least = std::min(least, fifo->steps_left());
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) {
    if (table_[k].filters != nullptr) least = std::min(least, table_[k].filters->steps_left());
  }
  return least;
}

bool RestingBlocks::moves(std::uint32_t block) const {
  const auto issues = [](const auto& thread) { return thread != nullptr && thread->issued.any(); };
  if (std::ranges::any_of(issue_[block].threads, issues)) return true;
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) {
    for (const Lanes& popped : table_[k].popped) {
      if (popped.any()) return true;
    }
  }
  return false;
}

}  // namespace wse::vm::wafer
