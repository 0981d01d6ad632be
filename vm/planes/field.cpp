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

// The blocks of a strip, or of some; the last one of a wafer ends after all blocks.
RouterTable::Blocks blocks_of(const Grid& grid, const PeRange& pes) {
  if (pes.first == pes.end) return {};
  const auto after = [&grid](PeId pe) {
    return pe == grid.mesh().pes() ? grid.blocks() : grid.block_of(pe);
  };
  return {pes.first == 0 ? 0 : grid.block_of(pes.first), after(pes.end)};
}

}  // namespace

Field::Field(const Parts& parts, std::span<const PeRange> strips, const PeRange& own)
    : grid(parts.mesh, used_box(parts)),
      channels(parts.image, parts.mesh, parts.channels, own),
      table(grid, parts.profile, channels, blocks_of(grid, own)),
      issue(grid) {
  if (strips.size() == 1) return;
  std::vector<std::uint32_t> ends;
  for (const PeRange& strip : strips) ends.push_back(blocks_of(grid, strip).end);
  table.share(ends);
}

std::vector<PeRange> Field::cut(const Parts& parts, std::uint32_t most) {
  const Grid grid(parts.mesh, used_box(parts));
  const std::uint32_t bands = grid.blocks() / grid.band();
  std::vector<std::uint32_t> ends = share_rows(
      parts.placed, bands, most, [&grid](PeId pe) { return grid.block_of(pe) / grid.band(); });
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

}  // namespace wse::vm::wafer
