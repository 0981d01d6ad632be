// Looks at every descriptor and configuration of a program; a colour may come from a slot.
#include "vm/load/endpoints.h"

#include <fmt/format.h>

#include "vm/load/configuration.h"

namespace wse::vm {
namespace {

isa::Status no_colour(std::uint32_t colour) {
  return isa::fail(
      fmt::format(" names colour {}; colours are 0..{}", colour, isa::kMaxColours - 1));
}

isa::Status add_configured(const LoadedProgram& program, const isa::Instruction& i,
                           const std::uint32_t* slots, NamedColours& named) {
  const std::uint32_t colour = configured_colour(i, slots);
  if (colour >= isa::kMaxColours) return no_colour(colour);
  named.configured |= 1u << colour;
  if (i.op != isa::Op::SetFilter) return {};
  const isa::Result<FilterSetting> filter =
      filter_setting(program.program->filters[i.target], slots);
  return filter ? isa::Status{} : isa::fail(": " + filter.error());
}

}  // namespace

isa::Result<NamedColours> named_colours(const LoadedProgram& program, const std::uint32_t* slots) {
  NamedColours named;
  if (program.chooses_colours) named.endpoints = (1u << isa::kMaxColours) - 1;
  isa::Status status;
  for (const isa::DescriptorLiteral& literal : program.program->descriptors) {
    if (!isa::has_colour(literal.kind)) continue;
    const std::uint32_t colour = isa::value_of(literal.colour, slots);
    if (colour >= isa::kMaxColours) return std::unexpected(no_colour(colour).error());
    named.endpoints |= 1u << colour;
  }
  for (const isa::Instruction& i : program.configurations) {
    status = add_configured(program, i, slots, named);
    if (!status) return std::unexpected(status.error());
  }
  return named;
}

void add_channels(PeId pe, const ProgramInstance& instance, const NamedColours& named,
                  ChannelMap& channels) {
  channels.add_endpoints(pe, named.endpoints);
  channels.add_configured(pe, named.configured);
  channels.add_data_tasks(pe, named.data_tasks);
  for (const isa::Instruction& i : instance.program->configurations) {
    if (i.op != isa::Op::SetRoute) continue;
    channels.add_routing(pe, configured_colour(i, instance.slots),
                         instance.program->program->routings[i.target].routing);
  }
}

}  // namespace wse::vm
