// All that follows from the slots alone is found out once per instance.
#include "vm/load/binding.h"

#include <fmt/format.h>

#include "isa/image/placement_values.h"
#include "isa/semantics/state.h"
#include "isa/support/mutant.h"
#include "vm/load/endpoints.h"

namespace wse::vm {
namespace {

class Binder {
 public:
  explicit Binder(const Binding& binding) : b_(binding) {}

  isa::Status bind(const isa::Placement& placement) {
    const LoadedProgram& program = b_.programs[placement.program];
    isa::PlacementValues values(b_.image, placement);
    isa::Status status;
    isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      status = values.move_to(x, y);
      const PeId pe = b_.mesh.pe_at(x, y);
      if (status) status = bind_pe(pe, program, values.slots());
      if (status && program.program->seed) status = seed_pe(pe, values);
      return status.has_value();
    });
    return status;
  }

 private:
  isa::Status bind_pe(PeId pe, const LoadedProgram& program, std::span<const std::uint32_t> slots) {
    const auto [index, is_new] = b_.instances.add(program, slots);
    if (is_new) {
      const isa::Result<NamedColours> named = complete(b_.instances[index]);
      if (!named) {
        return isa::fail(fmt::format("program {} at PE({}, {}){}", program.program->name,
                                     b_.mesh.x_of(pe), b_.mesh.y_of(pe), named.error()));
      }
      named_.push_back(*named);
    }
    b_.instance_of[pe] = index;
    add_channels(pe, b_.instances[index], named_[index], b_.channels);
    return {};
  }

  isa::Status seed_pe(PeId pe, isa::PlacementValues& values) {
    const isa::Result<std::uint32_t> seed = values.seed();
    if (!seed) return std::unexpected(seed.error());
    if (b_.seeds.empty()) b_.seeds.assign(b_.mesh.pes(), isa::kRandomSeed);
    if (!isa::mutant(isa::Mutant::SeedIgnored)) b_.seeds[pe] = *seed;
    return {};
  }

  // Errors as those of named_colours().
  isa::Result<NamedColours> complete(ProgramInstance& instance) {
    isa::Result<NamedColours> named = named_colours(*instance.program, instance.slots);
    if (!named) return named;
    const isa::Result<const TaskTable*> tasks = b_.instances.bind_tasks(instance, b_.profile);
    if (!tasks) return isa::fail(": " + tasks.error());
    instance.tasks = *tasks;
    named->data_tasks = static_cast<std::uint32_t>((*tasks)->data());
    return named;
  }

  const Binding& b_;
  std::vector<NamedColours> named_;  // by instance
};

}  // namespace

isa::Status bind(const Binding& binding) {
  Binder binder(binding);
  isa::Status status;
  for (const isa::Placement& placement : binding.image.placements) {
    if (status) status = binder.bind(placement);
  }
  binding.instances.forget_places();
  return status;
}

}  // namespace wse::vm
