// What a run of the oracle gives, and what it met on its way.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/instruction/instruction.h"
#include "isa/instruction/traps.h"
#include "isa/machine/fabric.h"
#include "tests/oracle/conditions.h"
#include "tests/oracle/cuts.h"
#include "tests/oracle/lines.h"
#include "tests/oracle/tally.h"

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

// The end of a vector instruction, or a halt, which has the number of no thread.
struct Finish {
  Cycle cycle = 0;
  std::uint32_t thread = 0;
  auto operator<=>(const Finish&) const = default;
};
inline constexpr std::uint32_t kHalt = ~0u;

// The numbers of one PE, its ramps and its links.
// Cycles in which a PE does one thing: from the end of the run before it up to `until`.
struct ActivityRun {
  Activity activity = Activity::Idle;
  Cycle until = 0;
};

// A wavelet that left over that port.
struct LinkMove {
  Cycle cycle = 0;
  std::uint32_t port = 0;
};

struct PeNumbers {
#define PE_COUNTED(name) std::uint64_t name = 0;
#include "isa/machine/pe_counters.def"
#undef PE_COUNTED
  std::uint64_t ramp_down = 0;                     // wavelets that its router gave it
  std::array<std::uint64_t, isa::kPorts> links{};  // wavelets that left, by port
  std::vector<LinkMove> moves;                     // of all wavelets that left, and to its ramp
  std::map<std::uint32_t, Cycle> first_marks;      // by number
  std::vector<ActivityRun>
      activities;  // from cycle 0 on, if it has a program; some may lie after the end

  PeNumbers() { halted_at = 0xffffffff; }
};

struct Outcome {
  End end = End::Halted;
  std::optional<TrapPlace> trap;  // the smallest (cycle, PE)
  Cycle cycles = 0;
#define COUNTED(type, name, group, shown, joined) std::uint64_t name = 0;
#define TOTALLED(name, group, shown, joined) std::uint64_t name = 0;
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  std::array<std::uint64_t, kActivities> pe_cycles{};
  std::vector<PeNumbers> pes;                         // row by row
  LineCycles lines;                                   // of all PEs with a program
  std::map<std::uint32_t, std::vector<Cycle>> marks;  // by number; unordered
  std::vector<std::vector<Finish>> finishes;          // by PE; unordered
  std::vector<std::vector<std::uint8_t>> memory;      // by PE; empty where no wavelet can come
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      positions;                                     // not 0, by PE, colour
  std::vector<std::vector<std::uint32_t>> streamed;  // by stream, what left; PEs row by row

  Tally tally;
  std::map<std::pair<Cut, std::uint32_t>, std::uint64_t> cuts;  // of long messages; by PE
  bool blocked = false;                                         // a wavelet in front had to wait
  std::array<std::uint64_t, isa::kInstructionCount> ops{};      // how often each was executed
  std::map<std::string, std::uint64_t> met;                     // how often: commands, kinds

  std::vector<Happening> happenings;  // cycles ascend

  void raise(const TrapPlace& place) {
    const bool earlier =
        !trap || place.cycle < trap->cycle || (place.cycle == trap->cycle && place.pe < trap->pe);
    if (earlier) trap = place;
  }
};

}  // namespace wse::oracle
