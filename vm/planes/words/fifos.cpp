// Waits of elements of FIFOs, and the cycles for which their planes stay as they are.
#include "vm/planes/words/fifos.h"

#include <algorithm>
#include <limits>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

// ---- planes

std::uint64_t FifoPlanes::steps_left() const {
  const Lanes more = filling();
  const Lanes fewer = emptying();
  Lanes fewest = more | fewer;
  if (!fewest.any()) return DownCounter::kEndless;
  // Elements, or places, that are left to each.
  std::array<Lanes, std::numeric_limits<std::uint32_t>::digits> left;
  Lanes borrow;
  for (std::size_t k = 0; k < bits_.size(); ++k) {
    const Lanes difference = bits_[k].capacity ^ bits_[k].level;
    left[k] = ((difference ^ borrow) & more) | (bits_[k].level & fewer);
    borrow = without(bits_[k].level, bits_[k].capacity) | without(borrow, difference);
  }
  std::uint64_t steps = 0;
  for (std::size_t k = bits_.size(); k-- > 0;) {
    const Lanes less = without(fewest, left[k]);
    less.any() ? void(fewest = less) : void(steps |= std::uint64_t{1} << k);
  }
  return steps;
}

void FifoPlanes::repeat(std::uint64_t cycles) {
  const Lanes more = filling();
  const Lanes fewer = isa::mutant(isa::Mutant::SteadyLevel) ? Lanes{} : emptying();
  if (!(more | fewer).any()) return;
  Lanes carry;
  Lanes borrow;
  for (std::size_t k = 0; k < bits_.size(); ++k) {
    const bool bit = (cycles >> k & 1) != 0;
    const Lanes added = bit ? more : Lanes{};
    const Lanes taken = bit ? fewer : Lanes{};
    const Lanes level = bits_[k].level;
    bits_[k].level = level ^ added ^ carry ^ taken ^ borrow;
    carry = (level & (added | carry)) | (added & carry);
    borrow = without(taken | borrow, level) | (taken & borrow);
  }
}

// ---- numbers

void Fifos::set(PeId pe, const std::vector<std::uint32_t>& capacities) {
  if (own_.empty()) own_.resize(pes_.size());
  own_[pes_.index(pe)] = {static_cast<std::uint32_t>(fifos_.size()),
                          static_cast<std::uint32_t>(capacities.size())};
  for (const std::uint32_t capacity : capacities) fifos_.push_back({.capacity = capacity});
}

void Fifos::open(const Grid& grid, IssueTable& issue) const {
  for (std::size_t index = 0; index < own_.size(); ++index) {
    const auto [first, count] = own_[index];
    if (count == 0) continue;
    const PeId pe = pes_.first + static_cast<PeId>(index);
    std::vector<std::unique_ptr<FifoPlanes>>& planes = issue.of(pe).fifos;
    while (planes.size() < count) planes.push_back(std::make_unique<FifoPlanes>());
    for (std::uint32_t k = 0; k < count; ++k) {
      const Fifo& fifo = fifos_[first + k];
      planes[k]->open(grid.lane_of(pe), static_cast<std::uint32_t>(fifo.capacity));
    }
  }
}

// Elements that its threads have moved are counted beside those of threads before them.
void Fifos::begin_with(PeId pe, std::uint32_t number, std::uint32_t level, std::uint64_t refused) {
  Fifo& taken = fifo(pe, number);
  const auto applied = [this](std::uint32_t thread) {
    return thread == kNone ? 0 : threads_[thread].applied;
  };
  taken.popped = applied(taken.pusher);
  taken.pushed = applied(taken.popper) + level;
  taken.refused = refused;
}

void Fifos::begin(std::uint32_t index) {
  const Thread& thread = threads_[index];
  const Flow& flow = *thread.flow;
  for (const std::uint32_t number : flow.fifo_in) {
    if (number != kNoFifo) fifo(thread.pe, number).popper = index;
  }
  if (flow.fifo_out != kNoFifo) fifo(thread.pe, flow.fifo_out).pusher = index;
}

void Fifos::end(std::uint32_t index, std::uint64_t elements) {
  const Thread& thread = threads_[index];
  const Flow& flow = *thread.flow;
  for (const std::uint32_t number : flow.fifo_in) {
    if (number == kNoFifo) continue;
    fifo(thread.pe, number).popped += elements;
    fifo(thread.pe, number).popper = kNone;
  }
  if (flow.fifo_out == kNoFifo) return;
  fifo(thread.pe, flow.fifo_out).pushed += elements;
  fifo(thread.pe, flow.fifo_out).pusher = kNone;
}

std::optional<Fifos::Need> Fifos::limit(const Thread& thread, std::uint64_t& count) const {
  const Flow& flow = *thread.flow;
  for (const std::uint32_t number : flow.fifo_in) {
    if (number == kNoFifo) continue;
    const Fifo& from = fifo(thread.pe, number);
    if (from.pusher == kNone) continue;  // all are there
    const std::uint64_t first = from.popped + thread.applied;
    const std::uint64_t there = from.pushed + threads_[from.pusher].applied;
    if (there == first) return Need{from.pusher, first + count - from.pushed};
    count = std::min(count, there - first);
  }
  if (flow.fifo_out == kNoFifo) return std::nullopt;
  const Fifo& to = fifo(thread.pe, flow.fifo_out);
  if (to.popper == kNone) return std::nullopt;  // all that were there are gone
  if (isa::mutant(isa::Mutant::FifoOverwrites)) return std::nullopt;
  const std::uint64_t first = to.pushed + thread.applied;
  const std::uint64_t end = to.popped + threads_[to.popper].applied + to.capacity;
  if (end == first) return Need{to.popper, first + count - to.capacity - to.popped};
  count = std::min(count, end - first);
  return std::nullopt;
}

}  // namespace wse::vm::wafer
