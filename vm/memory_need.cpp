// Adds up what grows with the grid and with the placements. Must stay below the truth, so that
// nothing is refused that would work: tests/faults compares it with what is really allocated.
#include "vm/memory_need.h"

#include <bit>

#include "vm/pe/core.h"
#include "vm/stepper/queue.h"

namespace wse::vm {
namespace {

// Of every PE: its loads, its places in agendas, tables and sums; rounded down.
constexpr std::uint64_t kBytesOfAPe = 128;

std::uint64_t pes_of(const isa::StridedRect& rect) {
  return static_cast<std::uint64_t>(rect.x.count()) * static_cast<std::uint64_t>(rect.y.count());
}

// At one PE: a queue for each side from which some position takes, and a down-ramp.
std::uint64_t queues_of(const isa::Routing& routing) {
  std::uint32_t sides = 0;
  bool delivers = false;
  for (const isa::SwitchPosition& position : routing.positions) {
    sides |= isa::bit(position.rx);
    delivers |= (position.tx & isa::bit(isa::Port::Ramp)) != 0;
  }
  return static_cast<std::uint64_t>(std::popcount(sides)) + (delivers ? 1 : 0);
}

std::uint64_t routed_queues(const isa::Image& image) {
  const std::uint64_t most = std::uint64_t{image.topology().pes()} * isa::kMaxColours;
  std::uint64_t channels = 0;
  std::uint64_t queues = 0;
  for (const isa::Route& route : image.routes) {
    channels += pes_of(route.rect);
    if (channels > most) break;  // two routes of one colour at one PE: refused when it is loaded
    queues += pes_of(route.rect) * queues_of(route.routing);
  }
  return queues;
}

}  // namespace

MemoryNeed memory_need(const isa::Image& image, const isa::Profile& profile) {
  const std::uint64_t all_pes = image.topology().pes();
  MemoryNeed need{
      .load_bytes = kBytesOfAPe * all_pes,
      .queue_bytes = routed_queues(image) * queue_places(profile) * sizeof(Wavelet),
  };
  std::uint64_t placed_pes = 0;
  for (const isa::Placement& placement : image.placements) {
    const std::uint64_t pes = pes_of(placement.rect);
    placed_pes += pes;
    if (placed_pes > all_pes) break;  // two programs on one PE: refused when it is loaded
    need.load_bytes += pes * sizeof(Core);
    need.data_bytes += pes * image.programs[placement.program].data_bytes();
  }
  return need;
}

}  // namespace wse::vm
