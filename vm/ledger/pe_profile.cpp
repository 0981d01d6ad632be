// Counts of a profile are read rarely, and seldom fall.
#include "vm/ledger/pe_profile.h"

namespace wse::vm {

// Stalls are told with the instruction that stalls, also ahead of the clock.
PeProfile::Time PeProfile::time(PeId pe) const {
  const std::size_t index = range_.index(pe);
  const LowTime& times = times_[index];
  const auto& low = times.counts;
  Time time;
  for (std::size_t k = 0; k < kActivities; ++k) time.cycles[k] = carries_.count(low[k], {index, k});
  const std::uint64_t stalls = carries_.count(low[kStalls], {index, kStalls});
  time.cycles[static_cast<std::size_t>(Activity::Busy)] -= stalls;
  time.cycles[static_cast<std::size_t>(Activity::MemoryStall)] += stalls;
  time.tasks = carries_.count(low[kTasks], {index, kTasks});
  time.halted_at = cycle(times.halted_at, kHalts, index);
  return time;
}

PeProfile::Done PeProfile::done(PeId pe) const {
  const std::size_t index = range_.index(pe);
  const LowDone& low = done_[index];
  return {carries_.count(low[kInstructions], {index, kDone + kInstructions}),
          carries_.count(low[kElements], {index, kDone + kElements}),
          carries_.count(low[kFlops], {index, kDone + kFlops})};
}

void PeProfile::restore(PeId pe, const Time& time, const Done& done) {
  const std::size_t index = range_.index(pe);
  auto& low = times_[index].counts;
  for (std::size_t k = 0; k < kActivities; ++k) carries_.set(low[k], {index, k}, time.cycles[k]);
  carries_.set(low[kStalls], {index, kStalls}, 0);
  carries_.set(low[kTasks], {index, kTasks}, time.tasks);
  set_cycle(times_[index].halted_at, kHalts, index, time.halted_at);
  LowDone& low_done = done_[index];
  carries_.set(low_done[kInstructions], {index, kDone + kInstructions}, done.instructions);
  carries_.set(low_done[kElements], {index, kDone + kElements}, done.elements);
  carries_.set(low_done[kFlops], {index, kDone + kFlops}, done.flops);
}

void PeProfile::did_not(PeId pe, const Done& done, std::uint64_t stalls) {
  const std::size_t index = range_.index(pe);
  const auto take_back = [&](Low& low, std::size_t count, std::uint64_t less) {
    if (less > 0) carries_.set(low, {index, count}, carries_.count(low, {index, count}) - less);
  };
  LowDone& low = done_[index];
  take_back(low[kInstructions], kDone + kInstructions, done.instructions);
  take_back(low[kElements], kDone + kElements, done.elements);
  take_back(low[kFlops], kDone + kFlops, done.flops);
  take_back(times_[index].counts[kStalls], kStalls, stalls);
}

void PeProfile::drop_open() {
  for (const Open& open : open_) {
    const std::size_t index = range_.index(open.pe);
    const auto k = static_cast<std::size_t>(open.activity);
    Low& low = times_[index].counts[k];
    carries_.set(low, {index, k}, carries_.count(low, {index, k}) - open.cycles);
  }
  open_.clear();
}

void PeProfile::set_cycle(Low& low, Sort sort, std::size_t at, Cycle cycle) {
  const bool is_far = cycle >= kNoCycle;
  low = is_far ? kNoCycle : static_cast<Low>(cycle);
  if (!far_cycles_.empty()) far_cycles_.erase({sort, at});
  if (is_far && cycle != kNever) far_cycles_[{sort, at}] = cycle;
}

Cycle PeProfile::cycle(Low low, Sort sort, std::size_t at) const {
  if (low != kNoCycle) return low;
  const auto far = far_cycles_.find({sort, at});
  return far == far_cycles_.end() ? kNever : far->second;
}

}  // namespace wse::vm
