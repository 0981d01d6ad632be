// Judges by the formulas of initial data alone: none is computed.
#include "vm/load/data_regions.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isa/image/placement_values.h"
#include "vm/load/pe_memory.h"

namespace wse::vm {
namespace {

// Below, nothing is won: to copy a page at its first write takes longer than to fill it at once.
constexpr std::size_t kLeastShared = std::size_t{16} << 20;

// The host has a limit on mappings, and units are to be few beside what they save.
constexpr std::size_t kMostUnits = 256;
constexpr std::size_t kFewestUnits = 16;
constexpr std::size_t kSmallestUnit = std::size_t{1} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

bool is_common(const isa::Formula& formula) {
  return !isa::uses(formula, isa::FormulaOp::X) && !isa::uses(formula, isa::FormulaOp::Y) &&
         !isa::uses(formula, isa::FormulaOp::Parameter);
}

bool is_common(const isa::Symbol& symbol) {
  return (!symbol.initial || is_common(*symbol.initial)) &&
         std::ranges::all_of(symbol.formulas, [](const isa::ListedFormula& listed) {
           return is_common(listed.formula);
         });
}

// Returns whether the data of its own that a PE writes leave the better part of its pages alone.
bool leaves_pages(const DataRegion& region) {
  const std::size_t page = PeMemory::page_bytes();
  std::size_t own = 0;
  for (const isa::Symbol* symbol : region.own) own += symbol->bytes() + page;
  return !region.common.empty() && 2 * own <= region.stride;
}

// Its common data save more than they cost.
bool is_worth(const DataRegion& region) {
  return leaves_pages(region) && region.bytes() >= kLeastShared &&
         region.bytes() >= kFewestUnits * region.unit_bytes();
}

// Without placements yet.
template <class IsCommon>
DataRegion region_of(std::uint32_t program, const LoadedProgram& loaded, IsCommon common) {
  DataRegion region;
  region.program = program;
  region.stride = loaded.data_stride;
  for (const isa::Symbol& symbol : loaded.program->symbols) {
    if (symbol.has_initial()) (common(symbol) ? region.common : region.own).push_back(&symbol);
  }
  return region;
}

// The PEs of one placement: what is the same at all of them, or else in each of its columns.
DataRegion region_of_placement(const isa::Image& image, std::uint32_t number,
                               const LoadedProgram& loaded) {
  const isa::Placement& placement = image.placements[number];
  const auto columns = static_cast<std::size_t>(placement.rect.x.count());
  const isa::PlacementValues values(image, placement);
  const auto made = [&](std::size_t period, auto common) {
    DataRegion region = region_of(placement.program, loaded, common);
    region.placements = {number};
    region.pes = columns * static_cast<std::size_t>(placement.rect.y.count());
    region.period = period;
    return region;
  };
  DataRegion alike =
      made(1, [&](const isa::Symbol& symbol) { return values.is_same_at_all_pes(symbol); });
  if (is_worth(alike)) return alike;
  DataRegion by_row =
      made(columns, [&](const isa::Symbol& symbol) { return values.is_same_in_a_column(symbol); });
  return is_worth(by_row) ? by_row : alike;
}

std::vector<DataRegion> regions_without_offsets(const isa::Image& image,
                                                std::span<const LoadedProgram> programs) {
  std::vector<DataRegion> of_programs;
  for (std::uint32_t k = 0; k < programs.size(); ++k) {
    of_programs.push_back(
        region_of(k, programs[k], [](const isa::Symbol& symbol) { return is_common(symbol); }));
  }
  std::vector<DataRegion> of_placements;
  for (std::uint32_t k = 0; k < image.placements.size(); ++k) {
    const isa::Placement& placement = image.placements[k];
    const std::size_t pes = static_cast<std::size_t>(placement.rect.x.count()) *
                            static_cast<std::size_t>(placement.rect.y.count());
    DataRegion& region = of_programs[placement.program];
    if (!leaves_pages(region) && pes * region.stride >= kLeastShared) {
      of_placements.push_back(region_of_placement(image, k, programs[placement.program]));
      continue;
    }
    region.placements.push_back(k);
    region.pes += pes;
  }
  std::ranges::move(of_placements, std::back_inserter(of_programs));
  return of_programs;
}

}  // namespace

std::size_t DataRegion::unit_bytes() const {
  const std::size_t wanted = std::max(kSmallestUnit, bytes() / kMostUnits + 1);
  return rounded_up(wanted, std::lcm(period * stride, PeMemory::page_bytes()));
}

std::vector<DataRegion> data_regions(const isa::Image& image,
                                     std::span<const LoadedProgram> programs) {
  std::vector<DataRegion> regions = regions_without_offsets(image, programs);
  std::size_t offset = 0;
  for (DataRegion& region : regions) {
    region.shares = is_worth(region);
    const std::size_t to = region.shares ? PeMemory::page_bytes() : 1;
    region.offset = rounded_up(offset, to);
    offset = rounded_up(region.offset + region.bytes(), to);
  }
  return regions;
}

std::size_t bytes_of(std::span<const DataRegion> regions) {
  return regions.empty() ? 0 : regions.back().offset + regions.back().bytes();
}

}  // namespace wse::vm
