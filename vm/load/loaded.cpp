// Lays an image out on a mesh: first who runs what, then one mapping for all data, then the values.
#include "vm/load/loaded.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/load/binding.h"
#include "vm/support/large_pages.h"

namespace wse::vm {

isa::Attempt<Loaded> Loaded::load(const isa::Image& image, const isa::Profile& profile,
                                  const isa::Topology& mesh, ChannelMap& channels) {
  Loaded loaded;
  loaded.instance_.assign(mesh.pes(), kNoProgram);
  isa::Attempt<void> status = loaded.load_programs(image, profile);
  if (status) status = loaded.place(image, mesh);
  if (status) status = loaded.map_memory(image, mesh);
  if (status) {
    status = bind({image, profile, mesh, loaded.programs_, loaded.instances_, loaded.instance_,
                   loaded.seeds_, channels});
  }
  if (!status) return std::unexpected(status.error());
  return loaded;
}

isa::Status Loaded::load_programs(const isa::Image& image, const isa::Profile& profile) {
  for (const isa::Program& program : image.programs) {
    isa::Result<LoadedProgram> loaded = load_program(program, profile);
    if (!loaded) return std::unexpected(loaded.error());
    loaded->number = static_cast<std::uint32_t>(programs_.size());
    programs_.push_back(std::move(*loaded));
  }
  return {};
}

isa::Status Loaded::place(const isa::Image& image, const isa::Topology& mesh) {
  std::vector<std::uint32_t> program_of(mesh.pes(), kNoProgram);
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      std::uint32_t& program = program_of[mesh.pe_at(x, y)];
      if (program != kNoProgram) {
        status = isa::fail(fmt::format("two programs at PE({}, {}): {} and {}", x, y,
                                       image.programs[program].name,
                                       image.programs[placement.program].name));
        return false;
      }
      program = placement.program;
      return true;
    });
    if (!status) return status;
  }
  for (PeId pe = 0; pe < mesh.pes(); ++pe) {
    if (program_of[pe] != kNoProgram) placed_.push_back(pe);
  }
  return {};
}

isa::Attempt<void> Loaded::map_memory(const isa::Image& image, const isa::Topology& mesh) {
  regions_ = data_regions(image, programs_);
  data_offset_.resize(mesh.pes());
  for (const DataRegion& region : regions_) {
    std::size_t offset = region.offset;
    for (const std::uint32_t placement : region.placements) {
      isa::for_each(image.placements[placement].rect, [&](std::uint32_t x, std::uint32_t y) {
        data_offset_[mesh.pe_at(x, y)] = offset;
        offset += region.stride;
      });
    }
  }
  const std::size_t bytes = std::max<std::size_t>(bytes_of(regions_), 1);
  std::optional<PeMemory> memory = PeMemory::map(bytes);
  if (!memory) {
    return isa::out_of_memory(
        fmt::format(": {} bytes for the data of {} PEs", bytes, placed_.size()));
  }
  memory_ = std::move(*memory);
  return {};
}

void Loaded::expect_writes() {
  for (DataRegion& region : regions_) region.shares = false;
  prefer_large_pages(memory_.data(), memory_.data() + bytes_of(regions_));
}

}  // namespace wse::vm
