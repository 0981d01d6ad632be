// What a run counts. Definitions: see Record in vm/report/record.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "vm/time.h"

namespace wse::vm {

// What a PE did in a cycle; the first that fits.
enum class Activity : std::uint8_t { Busy, MemoryStall, WaitOutput, WaitInput, Idle };
inline constexpr std::size_t kActivities = 5;

struct Counters {
  std::uint64_t instructions = 0;
  std::uint64_t elements = 0;
  std::uint64_t flops = 0;
  std::uint64_t wavelets = 0;
  std::uint64_t hops = 0;
  std::uint32_t max_distance = 0;
  std::array<std::uint64_t, kActivities> pe_cycles = {};
  Cycle latest_finish = 0;  // the last cycle in which anything happened, plus 1

  void finished(Cycle cycle) {
    if (cycle > latest_finish) latest_finish = cycle;
  }
  // So many cycles that are, or will be, counted as busy were memory stalls.
  void stalled(std::uint64_t cycles) { move(Activity::Busy, Activity::MemoryStall, cycles); }
  // They were busy after all.
  void not_stalled(std::uint64_t cycles) { move(Activity::MemoryStall, Activity::Busy, cycles); }

  // Of both together.
  void add(const Counters& other) {
    instructions += other.instructions;
    elements += other.elements;
    flops += other.flops;
    wavelets += other.wavelets;
    hops += other.hops;
    max_distance = std::max(max_distance, other.max_distance);
    for (std::size_t k = 0; k < kActivities; ++k) pe_cycles[k] += other.pe_cycles[k];
    finished(other.latest_finish);
  }

 private:
  void move(Activity from, Activity to, std::uint64_t cycles) {
    pe_cycles[static_cast<std::size_t>(from)] -= cycles;
    pe_cycles[static_cast<std::size_t>(to)] += cycles;
  }
};

}  // namespace wse::vm
