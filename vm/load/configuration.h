// The writes of a program to the router of its PE: routes, positions, filters, the end of a
// teardown. Finds out what is written; when it may be and when it acts is the transport's business.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/filter.h"
#include "isa/semantics/state.h"
#include "vm/load/channel_map.h"

namespace wse::vm {

// A filter with its values, in the order of isa/machine/filter.h.
struct FilterSetting {
  isa::FilterShape shape;
  std::array<std::uint32_t, isa::kMaxFilterValues> values = {};
};

// A write of a PE about a colour.
struct ConfigurationWrite {
  enum class Kind : std::uint8_t { Routing, Position, Filter, TeardownExit, Advance };
  Kind kind = Kind::TeardownExit;
  ChannelId channel = kNoChannel;
  const isa::Routing* routing = nullptr;
  std::uint32_t position = 0;
  FilterSetting filter = {};
};

// Whether the instruction is about the router.
bool is_configuration(isa::Op op);

// The instructions of a program that are, each kind of operands once.
std::vector<isa::Instruction> configurations_of(std::span<const isa::Instruction> code);

inline std::uint32_t configured_colour(const isa::Instruction& i, const std::uint32_t* slots) {
  return i.colour_kind != 0 ? slots[i.colour] : i.colour;
}

// The filter with the values that it has at one PE. Errors: a value that is too large.
isa::Result<FilterSetting> filter_setting(const isa::FilterShape& shape,
                                          std::span<const std::uint32_t> values);
isa::Result<FilterSetting> filter_setting(const isa::NamedFilter& filter,
                                          const std::uint32_t* slots);

// Returns the write of the instruction, whose registers are in `state`.
ConfigurationWrite configuration_write(const isa::Instruction& instruction,
                                       const isa::PeState& state, const isa::Program& program);

}  // namespace wse::vm
