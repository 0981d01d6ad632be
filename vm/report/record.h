// The record of a run: how it ended and what it counted. Names and meanings are those of the JSON.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vm/counters.h"

namespace wse::vm {

enum class RunStatus : std::uint8_t { Halted, Deadlock, Trap, CycleLimit, Interrupted };

constexpr std::string_view text(RunStatus status) {
  constexpr std::string_view kTexts[] = {"halted", "deadlock", "trap", "cycle_limit",
                                         "interrupted"};
  return kTexts[static_cast<int>(status)];
}

struct MarkRecord {
  Cycle first = kNever;
  Cycle last = 0;
  std::uint64_t count = 0;
};

struct Record {
  RunStatus status = RunStatus::Halted;
  std::string message;  // empty if there is nothing to say
  Cycle cycles = 0;     // the latest finish: last cycle in which anything happened, plus 1
  double wall_seconds = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string machine;
  std::uint64_t placed_pes = 0;  // with a program
  Counters counters;  // instructions, elements, flops, wavelets, hops, max_distance, pe_cycles
  std::uint64_t links_used = 0;         // directed links with at least one hop
  std::uint64_t max_ramp_wavelets = 0;  // most deliveries at one PE
  std::uint64_t max_link_load = 0;      // most wavelets over one directed link
  std::uint64_t wavelets_left = 0;      // in queues and ramps at the end
  std::map<std::string, MarkRecord> marks;
};

}  // namespace wse::vm
