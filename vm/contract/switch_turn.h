// The effect of a command of a control wavelet, or of an advance, on a switch; or why there is
// none.
#pragma once

#include <cstdint>

#include "isa/image/image.h"
#include "isa/machine/control_word.h"

namespace wse::vm {

enum class Turn : std::uint8_t {
  Made,       // the position changed
  TornDown,   // the command suspends the colour
  NoCommand,  // routers before have taken all commands off
  Nop,        // the first command is `nop`, and others follow
  OnePosition,
  LastPosition,   // nothing follows it, and the switch is no ring
  FirstPosition,  // `rst` where the switch is in position 0
};

inline constexpr std::uint32_t kTurns = static_cast<std::uint32_t>(Turn::FirstPosition) + 1;

// Returns why an advance changed nothing.
inline Turn idle_advance(const isa::Routing& routing) {
  return routing.positions.size() == 1 ? Turn::OnePosition : Turn::LastPosition;
}

// Returns the effect of command 0 of the control wavelet; `changed`: it moved the switch.
inline Turn turn_of(const isa::Routing& routing, std::uint32_t word, bool changed) {
  if (changed) return Turn::Made;
  switch (isa::command_of(word, 0).command) {
    case isa::Command::Teardown: return Turn::TornDown;
    case isa::Command::Advance: return idle_advance(routing);
    case isa::Command::Reset:
      return routing.positions.size() == 1 ? Turn::OnePosition : Turn::FirstPosition;
    case isa::Command::Nop: break;
  }
  for (std::uint32_t k = 0; k < isa::kControlCommands; ++k) {
    if (isa::command_of(word, k) != isa::RouterCommand{}) return Turn::Nop;
  }
  return Turn::NoCommand;
}

}  // namespace wse::vm
