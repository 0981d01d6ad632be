// Configuration instructions, from their operands to what the transport gets.
#include "vm/load/configuration.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/semantics/control.h"

namespace wse::vm {

bool is_configuration(isa::Op op) {
  return isa::info(isa::info(op).format).operands.starts_with('C');
}

std::vector<isa::Instruction> configurations_of(std::span<const isa::Instruction> code) {
  std::vector<isa::Instruction> found;
  for (const isa::Instruction& i : code) {
    if (!is_configuration(i.op)) continue;
    const bool known = std::ranges::any_of(found, [&i](const isa::Instruction& other) {
      return i.op == other.op && i.colour_kind == other.colour_kind && i.colour == other.colour &&
             i.target == other.target;
    });
    if (!known) found.push_back(i);
  }
  return found;
}

isa::Result<FilterSetting> filter_setting(const isa::FilterShape& shape,
                                          std::span<const std::uint32_t> values) {
  for (const std::uint32_t value : values) {
    if (value <= isa::kMaxFilterValue) continue;
    return isa::fail(fmt::format("a value of a {} filter is {}; the largest is {}",
                                 isa::info(shape.kind).text, static_cast<std::int32_t>(value),
                                 isa::kMaxFilterValue));
  }
  FilterSetting setting{.shape = shape};
  std::ranges::copy(values, setting.values.begin());
  return setting;
}

isa::Result<FilterSetting> filter_setting(const isa::NamedFilter& filter,
                                          const std::uint32_t* slots) {
  std::vector<std::uint32_t> values;
  for (const isa::SlotValue& value : filter.values) values.push_back(isa::value_of(value, slots));
  return filter_setting(filter.shape, values);
}

ConfigurationWrite configuration_write(const isa::Instruction& i, const isa::PeState& state,
                                       const isa::Program& program) {
  using Kind = ConfigurationWrite::Kind;
  switch (i.op) {
    case isa::Op::SetRoute:
      return {.kind = Kind::Routing, .routing = &program.routings[i.target].routing};
    case isa::Op::SetSwitchPosition:
      return {.kind = Kind::Position, .position = isa::semantics::scalar_operand(state, i)};
    case isa::Op::SetFilter:  // its values were checked when the program was loaded
      return {.kind = Kind::Filter,
              .filter = *filter_setting(program.filters[i.target], state.view->slots)};
    default: return {.kind = Kind::TeardownExit};
  }
}

}  // namespace wse::vm
