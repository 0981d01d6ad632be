// FIFOs in the issue slots: who uses them, and who is told.
#include <algorithm>

#include "vm/planes/blocks/slots.h"

namespace wse::vm::wafer {
namespace {

FifoUse& use_of(FifoWaits& waits, std::uint32_t number, IssuePlanes& planes) {
  auto use = std::ranges::find(waits.uses, number, &FifoUse::number);
  if (use == waits.uses.end()) {
    use = waits.uses.insert(use, {planes.fifos[number].get(), number, {}, {}});
  }
  return *use;
}

}  // namespace

void Slots::use_fifos(const Alike& alike, ThreadPlanes& planes) {
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

void Slots::tell_left(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_left = false;
  for (std::uint32_t number = 0; number < planes.fifos.size(); ++number) {
    const FifoPlanes& fifo = *planes.fifos[number];
    const auto tell = [&](const Lanes& lanes, TransportClient::Level level) {
      for_each_lane(lanes, [&](std::uint32_t lane) {
        client_->left(grid_.pe_of(block, lane), number, level, now);
      });
    };
    tell(fifo.left_full(), TransportClient::Level::Full);
    tell(fifo.left_empty(), TransportClient::Level::Empty);
  }
}

void Slots::leave_fifos(const Thread& thread, std::uint64_t elements) {
  const ThreadPlanes& planes = *issue_.of(thread.pe).threads[thread.number];
  const std::uint64_t length = thread.flow->length;
  if (planes.fifos->refused.has(grid_.lane_of(thread.pe)) && length != kNoBound) {
    fifos_.refuse(thread, length - elements);
  }
  fifos_.end(threads_.index(thread.id()), elements);
}

void Slots::wait_for_fifos(const Thread& thread, WaitingThread& waiting) const {
  const Flow& flow = *thread.flow;
  const IssuePlanes& planes = issue_.of(thread.pe);
  const std::uint32_t lane = grid_.lane_of(thread.pe);
  for (const std::uint32_t number : flow.fifo_in) {
    if (number != kNoFifo && planes.fifos[number]->empty().has(lane)) waiting.empty = number;
  }
  const std::uint32_t to = flow.fifo_out;
  if (to != kNoFifo && planes.fifos[to]->full().has(lane)) waiting.full = to;
}

}  // namespace wse::vm::wafer
