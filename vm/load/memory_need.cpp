// Adds up what grows with the grid and with the placements. Must stay below the truth, so that
// nothing is refused that would work: tests/faults compares it with what is really allocated.
#include "vm/load/memory_need.h"

#include "vm/pe/core.h"

namespace wse::vm {
namespace {

// Of every PE: its loads, its places in agendas, tables and sums; rounded down.
constexpr std::uint64_t kBytesOfAPe = 128;

}  // namespace

MemoryNeed memory_need(const isa::Image& image) {
  const std::uint64_t all_pes = image.topology().pes();
  MemoryNeed need{.load_bytes = kBytesOfAPe * all_pes};
  std::uint64_t placed_pes = 0;
  for (const isa::Placement& placement : image.placements) {
    const auto pes = static_cast<std::uint64_t>(placement.rect.x.count()) *
                     static_cast<std::uint64_t>(placement.rect.y.count());
    placed_pes += pes;
    if (placed_pes > all_pes) break;  // two programs on one PE: refused when it is loaded
    need.load_bytes += pes * sizeof(Core);
    need.data_bytes += pes * image.programs[placement.program].data_bytes();
  }
  return need;
}

}  // namespace wse::vm
