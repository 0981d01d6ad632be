// The traps of traps.def: why a PE can stop the whole machine, and what usually helps.
#pragma once

#include <cstdint>
#include <string_view>

namespace wse::isa {

enum class Trap : std::uint8_t {
#define TRAP(name, ...) name,
#include "isa/instruction/traps.def"
#undef TRAP
};

struct TrapInfo {
  std::string_view text;
  std::string_view meaning;
  std::string_view remedy;
};

inline constexpr TrapInfo kTraps[] = {
#define TRAP(name, text, meaning, remedy) {text, meaning, remedy},
#include "isa/instruction/traps.def"
#undef TRAP
};

constexpr const TrapInfo& info(Trap trap) { return kTraps[static_cast<int>(trap)]; }

}  // namespace wse::isa
