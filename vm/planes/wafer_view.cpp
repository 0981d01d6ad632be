// Answers about queues come from planes, about wavelets from run lists.
#include "vm/planes/wafer_view.h"

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
  const Standing standing = parts_.runs.look(*queue, lane, queue->popped(lane) + k);
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
                     !parts_.runs.look(*from, lane, from->popped(lane)).is_control();
  std::uint32_t full = 0;
  for_each_port(hidden || drops ? current.tx & ~isa::bit(isa::Port::Ramp) : current.tx,
                [&](isa::Port port) {
                  if (is_full(channel, port)) full |= isa::bit(port);
                });
  return full;
}

bool WaferView::is_full(const Channel& channel, isa::Port port) const {
  if (port == isa::Port::Ramp) {
    return parts_.table[channel.router].queue[kDownRamp]->is_full(parts_.table.lane(channel));
  }
  if (!parts_.grid.mesh().neighbour(channel.pe, port)) return false;
  const RouterTable::Behind behind = parts_.table.behind(
      parts_.table[channel.router], parts_.table.lane(channel), static_cast<std::uint32_t>(port));
  return behind.queue->is_full(behind.lane);
}

std::uint64_t WaferView::dropped(ChannelId id) const { return parts_.configuration.dropped(id); }

StreamEndId WaferView::stream_in(ChannelId, isa::Port) const { return kNoStream; }

std::vector<WaitingThread> WaferView::waiting(PeId pe, Cycle) const {
  return parts_.slots.waiting(pe);
}

std::uint64_t WaferView::refused(PeId pe, std::uint32_t fifo) const {
  return parts_.fifos.refused(pe, fifo);
}

}  // namespace wse::vm::wafer
