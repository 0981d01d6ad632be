// Lays an image out on a mesh: first who runs what, then one mapping for all data, then the values.
#include "vm/load/loaded.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "isa/codec.h"
#include "isa/placement_values.h"
#include "vm/configuration.h"

namespace wse::vm {
namespace {

constexpr std::size_t kDataAlignment = 8;

isa::Result<LoadedProgram> load_program(const isa::Program& program, const isa::Profile& profile) {
  LoadedProgram loaded{.program = &program,
                       .code = {},
                       .begins = {},
                       .configurations = {},
                       .entry = 0,
                       .main = 0,
                       .data_bytes = program.data_bytes(),
                       .queues = {}};
  const std::uint64_t needed = loaded.data_bytes + program.code_bytes();
  if (needed > profile.memory_bytes) {
    return isa::fail(fmt::format("program {} needs {} bytes of PE memory, {} has {}", program.name,
                                 needed, profile.name, profile.memory_bytes));
  }
  loaded.code.resize(program.code.size());
  loaded.begins.resize(program.code.size());
  for (std::size_t pc = 0; pc < program.code.size();) {
    loaded.code[pc] = *isa::decode(std::span(program.code).subspan(pc));  // verified images decode
    loaded.begins[pc] = 1;
    pc += isa::info(loaded.code[pc].op).words();
  }
  loaded.configurations = configurations_of(loaded.code);
  if (profile.queue_colours != 0 && chooses_colours(loaded.code)) {
    loaded.queues = isa::colour_uses(program);
  }
  const auto main = std::ranges::find(program.tasks, isa::TaskKind::Main, &isa::Task::kind);
  if (main == program.tasks.end()) {
    return isa::fail(fmt::format("program {} has no task main", program.name));
  }
  loaded.entry = main->entry;
  loaded.main = static_cast<std::uint32_t>(main - program.tasks.begin());
  return loaded;
}

// What a program names at one PE: the colours of its descriptors become endpoints there; what it
// writes into the router gets its queues.
class Endpoints {
 public:
  Endpoints(const LoadedProgram& loaded, const isa::Topology& mesh, ChannelMap& channels)
      : loaded_(loaded),
        program_(*loaded.program),
        any_colour_(chooses_colours(loaded.code)),
        mesh_(mesh),
        channels_(channels) {}

  isa::Status add(PeId pe, const std::uint32_t* slots) {
    for (std::uint32_t colour = 0; any_colour_ && colour < isa::kMaxColours; ++colour) {
      channels_.add_endpoint(pe, colour);
    }
    for (const isa::DescriptorLiteral& literal : program_.descriptors) {
      if (!isa::has_colour(literal.kind)) continue;
      const std::uint32_t colour = isa::value_of(literal.colour, slots);
      if (colour >= isa::kMaxColours) return no_colour(pe, colour);
      channels_.add_endpoint(pe, colour);
    }
    for (const isa::Instruction& i : loaded_.configurations) {
      if (isa::Status status = add_configured(pe, i, slots); !status) return status;
    }
    return {};
  }

 private:
  isa::Status no_colour(PeId pe, std::uint32_t colour) const {
    return isa::fail(fmt::format("program {} at PE({}, {}) names colour {}; colours are 0..{}",
                                 program_.name, mesh_.x_of(pe), mesh_.y_of(pe), colour,
                                 isa::kMaxColours - 1));
  }

  isa::Status add_configured(PeId pe, const isa::Instruction& i, const std::uint32_t* slots) {
    const std::uint32_t colour = configured_colour(i, slots);
    if (colour >= isa::kMaxColours) return no_colour(pe, colour);
    channels_.add_configured(pe, colour);
    if (i.op == isa::Op::SetRoute) {
      channels_.add_routing(pe, colour, program_.routings[i.target].routing);
    }
    if (i.op != isa::Op::SetFilter) return {};
    const isa::Result<FilterSetting> filter = filter_setting(program_.filters[i.target], slots);
    if (filter) return {};
    return isa::fail(fmt::format("program {} at PE({}, {}): {}", program_.name, mesh_.x_of(pe),
                                 mesh_.y_of(pe), filter.error()));
  }

  const LoadedProgram& loaded_;
  const isa::Program& program_;
  bool any_colour_;
  const isa::Topology& mesh_;
  ChannelMap& channels_;
};

}  // namespace

bool chooses_colours(std::span<const isa::Instruction> code) {
  return std::ranges::any_of(code, [](const isa::Instruction& i) {
    return i.op == isa::Op::SetColour || i.op == isa::Op::FetchDescriptor;
  });
}

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

isa::Result<Loaded> Loaded::load(const isa::Image& image, const isa::Profile& profile,
                                 const isa::Topology& mesh, ChannelMap& channels) {
  Loaded loaded;
  isa::Status status = loaded.load_programs(image, profile);
  if (status) status = loaded.place(image, mesh);
  if (status) status = loaded.map_memory();
  if (status) status = loaded.bind(image, profile, mesh, channels);
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
  program_.assign(mesh.pes(), kNoProgram);
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      std::uint32_t& program = program_[mesh.pe_at(x, y)];
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
  data_offset_.resize(mesh.pes());
  slot_offset_.resize(mesh.pes());
  std::size_t slots = 0;
  for (PeId pe = 0; pe < mesh.pes(); ++pe) {
    data_offset_[pe] = data_bytes_;
    slot_offset_[pe] = slots;
    if (program_[pe] == kNoProgram) continue;
    placed_.push_back(pe);
    const LoadedProgram& program = programs_[program_[pe]];
    data_bytes_ += (program.data_bytes + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
    slots += program.program->slot_count();
  }
  slots_.resize(slots);
  task_table_.resize(mesh.pes());
  return {};
}

isa::Status Loaded::map_memory() {
  const std::size_t bytes = std::max<std::size_t>(data_bytes_, 1);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return isa::fail(
        fmt::format("out of memory: {} bytes for the data of {} PEs", bytes, placed_.size()));
  }
  memory_ = std::unique_ptr<std::byte, Unmap>(static_cast<std::byte*>(memory), Unmap{bytes});
  return {};
}

isa::Status Loaded::bind(const isa::Image& image, const isa::Profile& profile,
                         const isa::Topology& mesh, ChannelMap& channels) {
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    isa::PlacementValues values(image, placement);
    const isa::Program& program = image.programs[placement.program];
    Endpoints endpoints(programs_[placement.program], mesh, channels);
    isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      const PeId pe = mesh.pe_at(x, y);
      status = values.move_to(x, y);
      if (!status) return false;
      std::ranges::copy(values.slots(),
                        slots_.begin() + static_cast<std::ptrdiff_t>(slot_offset_[pe]));
      status = endpoints.add(pe, slots(pe));
      if (status) status = bind_tasks(program, pe, profile, mesh, channels);
      return status.has_value();
    });
    if (!status) return status;
  }
  return status;
}

// A table for every program and every choice of ids that its parameters make.
isa::Status Loaded::bind_tasks(const isa::Program& program, PeId pe, const isa::Profile& profile,
                               const isa::Topology& mesh, ChannelMap& channels) {
  std::vector<std::uint32_t> key = {program_[pe]};
  for (const isa::Task& task : program.tasks) {
    if (task.id.is_slot) key.push_back(isa::value_of(task.id, slots(pe)));
  }
  const auto next = static_cast<std::uint32_t>(task_tables_.size());
  const auto [known, is_new] = task_table_of_.try_emplace(std::move(key), next);
  if (is_new) {
    isa::Result<TaskTable> table = TaskTable::bind(program, slots(pe), profile);
    if (!table) {
      return isa::fail(fmt::format("program {} at PE({}, {}): {}", program.name, mesh.x_of(pe),
                                   mesh.y_of(pe), table.error()));
    }
    task_tables_.push_back(std::move(*table));
  }
  task_table_[pe] = known->second;
  for_each_id(task_tables_[known->second].data(),
              [&](std::uint32_t colour) { channels.add_data_task(pe, colour); });
  return {};
}

}  // namespace wse::vm
