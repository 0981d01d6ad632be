// Lays an image out on a mesh: first who runs what, then one mapping for all data, then the values.
#include "vm/load/loaded.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/load/binding.h"

namespace wse::vm {
namespace {}  // namespace

isa::Result<Loaded> Loaded::load(const isa::Image& image, const isa::Profile& profile,
                                 const isa::Topology& mesh, ChannelMap& channels) {
  Loaded loaded;
  loaded.instance_.assign(mesh.pes(), kNoProgram);
  isa::Status status = loaded.load_programs(image, profile);
  if (status) status = loaded.place(image, mesh);
  if (status) status = loaded.map_memory();
  if (status) {
    status = bind(
        {image, profile, mesh, loaded.programs_, loaded.instances_, loaded.instance_, channels});
  }
  if (!status) return std::unexpected(status.error());
  return loaded;
}

isa::Status Loaded::load_programs(const isa::Image& image, const isa::Profile& profile) {
  for (const isa::Program& program : image.programs) {
    isa::Result<LoadedProgram> loaded = load_program(program, profile);
    if (!loaded) return std::unexpected(loaded.error());
    programs_.push_back(std::move(*loaded));
  }
  return {};
}

isa::Status Loaded::place(const isa::Image& image, const isa::Topology& mesh) {
  std::vector<std::uint32_t> program_of(mesh.pes(), kNoProgram);
  data_offset_.resize(mesh.pes());
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    const std::size_t stride = programs_[placement.program].data_stride;
    const auto pes = static_cast<std::size_t>(placement.rect.x.count() * placement.rect.y.count());
    const bool large = pes * stride >= kLargePlacement;
    if (large) begin_page();
    isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh.pe_at(x, y);
      std::uint32_t& program = program_of[pe];
      if (program != kNoProgram) {
        status = isa::fail(fmt::format("two programs at PE({}, {}): {} and {}", x, y,
                                       image.programs[program].name,
                                       image.programs[placement.program].name));
        return false;
      }
      program = placement.program;
      data_offset_[pe] = data_bytes_;
      data_bytes_ += stride;
      return true;
    });
    if (!status) return status;
    if (large) begin_page();
  }
  for (PeId pe = 0; pe < mesh.pes(); ++pe) {
    if (program_of[pe] != kNoProgram) placed_.push_back(pe);
  }
  return {};
}

void Loaded::begin_page() {
  const std::size_t page = PeMemory::page_bytes();
  data_bytes_ = (data_bytes_ + page - 1) / page * page;
}

isa::Status Loaded::map_memory() {
  std::optional<PeMemory> memory = PeMemory::map(std::max<std::size_t>(data_bytes_, 1));
  if (!memory) {
    return isa::fail(
        fmt::format("out of memory: {} bytes for the data of {} PEs", data_bytes_, placed_.size()));
  }
  memory_ = std::move(*memory);
  return {};
}

}  // namespace wse::vm
