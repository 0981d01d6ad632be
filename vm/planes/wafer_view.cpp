// Answers about queues come from planes, about wavelets from run lists.
#include "vm/planes/wafer_view.h"

#include <algorithm>

namespace wse::vm::wafer {
namespace {

// kQueues where a mesh has none.
std::uint32_t queue_number(QueuePort port) {
  if (port == QueuePort::DownRamp) return kDownRamp;
  const auto number = static_cast<std::uint32_t>(port);
  return number < isa::kMeshPorts ? number : kQueues;
}

}  // namespace

ChannelState WaferView::channel(ChannelId id) const { return state_of(id, parts_.channels[id]); }

std::uint32_t WaferView::queued(ChannelId id, QueuePort port) const {
  const std::uint32_t number = queue_number(port);
  if (number == kQueues || (parts_.channels[id].queues >> number & 1) == 0) return 0;
  const auto [queue, lane] = parts_.table.queue(id, number);
  return queue->size(lane);
}

StandingWavelet WaferView::wavelet(ChannelId id, QueuePort port, std::uint32_t k) const {
  const auto [queue, lane] = parts_.table.queue(id, queue_number(port));
  const Standing standing = parts_.run_lists.look(*queue, lane, queue->popped(lane) + k);
  return {.data = parts_.words.value(standing),
          .hops = standing.hops,
          .control = standing.is_control()};
}

std::uint32_t WaferView::full_ports(ChannelId id, Cycle) const {
  const Channel& channel = parts_.channels[id];
  if (channel.routing == nullptr) return 0;
  const isa::SwitchPosition& current = channel.routing->positions[channel.position];
  const auto [from, lane] = parts_.table.queue(id, static_cast<std::uint32_t>(current.rx));
  const bool hidden = from->size(lane) > 0 && from->flags().head_has(LinkFlag::Hidden, lane);
  const bool drops = parts_.configuration.drops(id) && from->size(lane) > 0 &&
                     !parts_.run_lists.look(*from, lane, from->popped(lane)).is_control();
  std::uint32_t full = 0;
  for_each_port(hidden || drops ? current.tx & ~isa::bit(isa::Port::Ramp) : current.tx,
                [&](isa::Port port) {
                  if (is_full(channel, port)) full |= isa::bit(port);
                });
  return full;
}

bool WaferView::is_full(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp) {
    return parts_.table[channel.router].queue[kDownRamp]->totals().back().has(
        parts_.table.lane(channel));
  }
  if (!parts_.grid.mesh().neighbour(channel.pe, port)) return false;
  const auto link = static_cast<std::uint32_t>(port);
  const Lanes room =
      read_wire(parts_.table[channel.router].room_behind[link], parts_.table.shifts()[link]);
  return !room.has(parts_.table.lane(channel));
}

std::uint64_t WaferView::dropped(ChannelId id) const { return parts_.configuration.dropped(id); }

StreamEndId WaferView::stream_in(ChannelId, isa::Port) const { return kNoStream; }

std::vector<WaitingThread> WaferView::waiting(PeId pe, Cycle) const {
  std::vector<WaitingThread> result;
  for (std::uint32_t k = 0; k < parts_.threads.count(pe); ++k) {
    const Thread& thread = parts_.threads[ThreadId{pe, k}];
    if (thread.state == Thread::State::Free) continue;
    const Flow& flow = *thread.flow;
    const bool moves = thread.state == Thread::State::Moving;
    WaitingThread waiting{.thread = {pe, k}, .issued = moves ? parts_.issue.issued(thread) : 0};
    for (std::size_t source = 0; source < kInputs; ++source) {
      if (!flow.takes_wavelet(source, waiting.issued)) continue;
      const ChannelId in = parts_.channels.find(pe, flow.in[source]);
      if (parts_.down_ramps.head(in) != Transport::Head::Data) {
        waiting.inputs[source] = flow.in[source];
      }
    }
    const std::uint64_t end =
        std::min<std::uint64_t>(waiting.issued + flow.elements_per_issue, flow.length);
    if (flow.sends_wavelet(end)) {
      const auto [up, lane] = parts_.table.queue(parts_.channels.find(pe, flow.out), kUpRamp);
      if (up->totals().back().has(lane)) waiting.output = flow.out;
    }
    wait_for_fifos(thread, waiting);
    result.push_back(waiting);
  }
  return result;
}

void WaferView::wait_for_fifos(const Thread& thread, WaitingThread& waiting) const {
  const Flow& flow = *thread.flow;
  const IssuePlanes& planes = parts_.issue.of(thread.pe);
  const std::uint32_t lane = parts_.grid.lane_of(thread.pe);
  for (const std::uint32_t number : flow.fifo_in) {
    if (number != kNoFifo && planes.fifos[number]->empty().has(lane)) waiting.empty = number;
  }
  const std::uint32_t to = flow.fifo_out;
  if (to != kNoFifo && planes.fifos[to]->full().has(lane)) waiting.full = to;
}

std::uint64_t WaferView::refused(PeId pe, std::uint32_t fifo) const {
  return parts_.fifos.refused(pe, fifo);
}

}  // namespace wse::vm::wafer
