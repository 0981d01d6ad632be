// Adds up what grows with the grid and with the placements. Must stay below the truth, so that
// nothing is refused that would work: tests/faults compares it with what is really allocated.
#include "vm/run/memory_need.h"

#include <bit>

#include "vm/ledger/line_cycles.h"
#include "vm/pe/core.h"
#include "vm/planes/messages/runs.h"
#include "vm/planes/refusal.h"
#include "vm/stepper/queue.h"

namespace wse::vm {
namespace {

// Of every PE: its places in agendas, tables and sums; rounded down.
constexpr std::uint64_t kBytesOfAPe = 96;

std::uint64_t pes_of(const isa::StridedRect& rect) {
  return static_cast<std::uint64_t>(rect.x.count()) * static_cast<std::uint64_t>(rect.y.count());
}

// The bytes of a queue of so many wavelets.
using QueueBytes = std::uint64_t (*)(std::uint32_t depth);

std::uint64_t stepper_bytes(std::uint32_t depth) { return Queues::bytes(depth); }
std::uint64_t wafer_bytes(std::uint32_t /*depth*/) { return sizeof(wafer::RunList); }

// At one PE: a queue for each side from which some position takes, and a down-ramp.
std::uint64_t queue_bytes_of(const isa::Routing& routing, const isa::Profile& profile,
                             QueueBytes bytes) {
  std::uint32_t sides = 0;
  bool delivers = false;
  for (const isa::SwitchPosition& position : routing.positions) {
    sides |= isa::bit(position.rx);
    delivers |= (position.tx & isa::bit(isa::Port::Ramp)) != 0;
  }
  const std::uint32_t up = sides & isa::bit(isa::Port::Ramp);
  return static_cast<std::uint64_t>(std::popcount(sides ^ up)) * bytes(profile.router_depth) +
         (up != 0 ? bytes(profile.up_ramp_depth) : 0) +
         (delivers ? bytes(profile.down_ramp_depth) : 0);
}

std::uint64_t routed_queue_bytes(const isa::Image& image, const isa::Profile& profile,
                                 QueueBytes queue_bytes) {
  const std::uint64_t most = std::uint64_t{image.topology().pes()} * isa::kMaxColours;
  std::uint64_t channels = 0;
  std::uint64_t bytes = 0;
  for (const isa::Route& route : image.routes) {
    channels += pes_of(route.rect);
    if (channels > most) break;  // two routes of one colour at one PE: refused when it is loaded
    bytes += pes_of(route.rect) * queue_bytes_of(route.routing, profile, queue_bytes);
  }
  return bytes;
}

}  // namespace

MemoryNeed memory_need(const isa::Image& image, const isa::Profile& profile,
                       TransportChoice transport) {
  const bool may_be_wafer =
      transport != TransportChoice::Stepper && wafer::refusal(image, profile).empty();
  const std::uint64_t all_pes = image.topology().pes();
  MemoryNeed need{
      .load_bytes = kBytesOfAPe * all_pes,
      .queue_bytes = routed_queue_bytes(image, profile, may_be_wafer ? wafer_bytes : stepper_bytes),
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

std::uint64_t line_bytes(const isa::Image& image) {
  constexpr std::uint64_t kOfAPe = LineCycles::kBytes;
  std::uint64_t bytes = 0;
  for (const isa::Placement& placement : image.placements) {
    const std::uint64_t rows = image.programs[placement.program].lines.size() + 2;
    bytes += pes_of(placement.rect) * (kOfAPe + rows * sizeof(LineCycles::Count));
  }
  return bytes;
}

}  // namespace wse::vm
