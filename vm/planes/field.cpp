// Where anything can happen, and how that is shared out.
#include "vm/planes/field.h"

#include <algorithm>

namespace wse::vm::wafer {
namespace {

Box used_box(const Field::Parts& parts) {
  auto placed = parts.placed.begin();
  return Box::around(parts.mesh, {0, parts.mesh.pes()}, [&](PeId pe) {
    while (placed != parts.placed.end() && *placed < pe) ++placed;
    const bool has_program = placed != parts.placed.end() && *placed == pe;
    return has_program || parts.channels.colours(pe) != 0;
  });
}

}  // namespace

Field::Field(const Parts& parts)
    : grid(parts.mesh, used_box(parts)),
      channels(parts.image, parts.mesh, parts.channels),
      table(grid, parts.profile, channels),
      issue(grid) {}

std::vector<PeRange> Field::cut(std::span<const PeId> placed, std::uint32_t most) const {
  const std::uint32_t bands = grid.blocks() / grid.band();
  const std::uint32_t count = std::clamp(most, 1u, std::max(1u, bands));
  std::vector<PeRange> strips;
  std::uint32_t band = 0;
  PeId first = 0;
  for (std::uint32_t k = 0; k + 1 < count; ++k) {
    // After the band of the last PE that is its share; a band for each strip at least.
    const std::size_t share = placed.size() * (k + 1) / count;
    const std::uint32_t wanted =
        share == 0 ? 0 : grid.block_of(placed[share - 1]) / grid.band() + 1;
    band = std::clamp(wanted, band + 1, bands - (count - k - 1));
    const PeId end = grid.pe_of(band * grid.band(), 0);
    strips.push_back({first, end});
    first = end;
  }
  strips.push_back({first, grid.mesh().pes()});
  return strips;
}

}  // namespace wse::vm::wafer
