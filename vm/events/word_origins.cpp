// A list of origins for each queue.
#include "vm/events/word_origins.h"

#include "vm/load/channel_map.h"

namespace wse::vm {

void WordOrigins::stand(PeId pe, std::uint32_t colour, QueuePort port, std::uint32_t words) {
  if (words == 0) return;
  queues_[{pe, colour, port}].resize(words, 0);
  changed_(pe, colour, port, words);
}

void WordOrigins::put(PeId pe, std::uint32_t colour, QueuePort port, std::uint64_t origin) {
  std::deque<std::uint64_t>& queue = queues_[{pe, colour, port}];
  queue.push_back(origin);
  changed_(pe, colour, port, queue.size());
}

std::uint64_t WordOrigins::take(PeId pe, std::uint32_t colour, QueuePort port) {
  const auto queue = queues_.find({pe, colour, port});
  if (queue == queues_.end()) return 0;
  const std::uint64_t origin = queue->second.front();
  queue->second.pop_front();
  changed_(pe, colour, port, queue->second.size());
  if (queue->second.empty()) queues_.erase(queue);
  return origin;
}

void WordOrigins::move(const TraceEvent& event, const isa::Topology& mesh) {
  const bool from_ramp = event.from == isa::Port::Ramp;
  const std::uint64_t origin =
      take(event.pe, event.colour, from_ramp ? QueuePort::UpRamp : input_queue(event.from));
  for_each_port(event.to, [&](isa::Port port) {
    if (port == isa::Port::Ramp) return put(event.pe, event.colour, QueuePort::DownRamp, origin);
    const std::optional<PeId> there = mesh.neighbour(event.pe, port);
    if (there) put(*there, event.colour, input_queue(isa::opposite(port)), origin);
  });
}

}  // namespace wse::vm
