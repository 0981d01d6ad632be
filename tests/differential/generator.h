// Random programs for small meshes, as text, each with the machine that it runs on.
//
// A program is a number of flows, each on a colour of its own, and events that use them in one
// order everywhere, so that most programs end. Some get a mistake, or a receiver that wants too
// much.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/machine/profile.h"
#include "vm/contract/jitter.h"

namespace wse::differential {

struct Generated {
  std::string text;
  isa::Profile profile;
  bool may_be_refused = false;  // the machine was not made for the text
  std::uint32_t strips = 1;     // into which the machine is cut, at most
  std::optional<vm::Jitter> jitter = {};
  bool stops_too = false;   // runs to the end and to a part of it, not to one of them
  bool at_borders = false;  // cuts of long messages are looked for at borders of the wafer
  // All machines run so many cycles, and none of them fewer; without it, to the end and in part.
  std::optional<std::uint64_t> limit = {};

  // Cycles after which a run is stopped.
  std::uint64_t max_cycles() const { return limit.value_or(kMostCycles); }
  static constexpr std::uint64_t kMostCycles = 6000;
};

// On a machine made of the profile of that name; empty: of any.
Generated generate(std::uint32_t seed, std::string_view profile = "");

// On a mesh of four rows, most of them with wavelets that go through all.
Generated generate_tall(std::uint32_t seed);

// On a machine of which any number may be anything within its bounds.
Generated generate_any_machine(std::uint32_t seed);

// On a mesh, with nothing that the wafer leaves to the stepper; some in the middle of a wide one.
Generated generate_plain(std::uint32_t seed);

// Programs of that kind in copies beside each other, on at most so many PEs if one copy has no
// more: PEs that do alike.
Generated generate_alike(std::uint32_t seed, std::uint32_t most);

// On a mesh, with words, control wavelets, FIFOs and tasks of one colour, in any order.
Generated generate_mixed(std::uint32_t seed);

// On a wide mesh, with long messages that are cut in the middle beside borders of blocks.
Generated generate_borders(std::uint32_t seed);

// Messages in a hypercube of 1 to 6 dimensions, on such a machine.
Generated generate_hypercube(std::uint32_t seed);

}  // namespace wse::differential
