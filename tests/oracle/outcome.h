// What a run of the oracle gives, and what it met on its way.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/traps.h"

namespace wse::oracle {

using Cycle = std::uint64_t;

enum class End : std::uint8_t { Halted, Deadlock, Trap, CycleLimit };
inline constexpr std::string_view kEndTexts[] = {"halted", "deadlock", "trap", "cycle_limit"};

struct TrapPlace {
  Cycle cycle = 0;
  std::uint32_t pe = 0;
  isa::Trap trap = isa::Trap::BadInstruction;
};

// What a PE did in a cycle, the first that fits.
enum class Activity : std::uint8_t { Busy, MemoryStall, WaitOutput, WaitInput, Idle };
inline constexpr std::size_t kActivities = 5;

struct Outcome {
  End end = End::Halted;
  std::optional<TrapPlace> trap;  // the smallest (cycle, PE)
  Cycle cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t elements = 0;
  std::uint64_t flops = 0;
  std::uint64_t wavelets = 0;  // issued into up-ramps
  std::uint64_t hops = 0;
  std::array<std::uint64_t, kActivities> pe_cycles{};
  std::vector<std::vector<std::uint8_t>> memory;  // data of every PE, by PE

  bool blocked = false;                      // a wavelet that was in front had to wait
  std::map<std::string, std::uint64_t> met;  // how often: instructions, commands, kinds

  void raise(const TrapPlace& place) {
    const bool earlier =
        !trap || place.cycle < trap->cycle || (place.cycle == trap->cycle && place.pe < trap->pe);
    if (earlier) trap = place;
  }
};

}  // namespace wse::oracle
