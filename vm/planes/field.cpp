// Where anything can happen, and how that is shared out.
#include "vm/planes/field.h"

#include <algorithm>

#include "vm/support/shares.h"

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
  std::vector<std::uint32_t> ends =
      share_rows(placed, bands, most, [this](PeId pe) { return grid.block_of(pe) / grid.band(); });
  ends.pop_back();  // the last strip has what lies behind all blocks, too
  std::vector<PeRange> strips;
  PeId first = 0;
  for (const std::uint32_t band : ends) {
    const PeId end = grid.pe_of(band * grid.band(), 0);
    strips.push_back({first, end});
    first = end;
  }
  strips.push_back({first, grid.mesh().pes()});
  return strips;
}

void Field::share(std::span<const PeRange> strips) {
  if (strips.size() == 1) return;
  std::vector<std::uint32_t> ends;
  for (const PeRange& strip : strips.subspan(1)) ends.push_back(grid.block_of(strip.first));
  ends.push_back(grid.blocks());
  table.share(ends);
}

}  // namespace wse::vm::wafer
