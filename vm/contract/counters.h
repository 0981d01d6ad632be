// The counters of a run. Definitions: isa/machine/counters.def.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

// The activity of a PE in a cycle; the first that fits.
enum class Activity : std::uint8_t { Busy, MemoryStall, WaitOutput, WaitInput, Idle };
inline constexpr std::size_t kActivities = 5;

// How two values of one counter become one: `joined` of counters.def.
template <class T>
void join_sum(T& counter, T other) {
  counter += other;
}
template <class T>
void join_most(T& counter, T other) {
  counter = std::max(counter, other);
}

// Takes what a counter had before off it; the most of several is told as it is.
template <class T>
void take_off_sum(T& counter, T before) {
  counter -= before;
}
template <class T>
void take_off_most(T&, T) {}
// Begins the most of several anew.
template <class T>
void renew_sum(T&) {}
template <class T>
void renew_most(T& counter) {
  counter = 0;
}

struct Counters {
#define COUNTED(type, name, group, shown, joined) type name = 0;
#define TOTALLED(name, group, shown, joined)
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  std::array<std::uint64_t, kActivities> pe_cycles = {};
  Cycle latest_finish = 0;  // the last cycle in which anything happened, plus 1

  void finished(Cycle cycle) {
    if (cycle > latest_finish) latest_finish = cycle;
  }
  // Moves so many cycles that are, or will be, counted as busy to memory stalls.
  void stalled(std::uint64_t cycles) { move(Activity::Busy, Activity::MemoryStall, cycles); }
  // They were busy after all.
  void not_stalled(std::uint64_t cycles) { move(Activity::MemoryStall, Activity::Busy, cycles); }

  // Passes all of them (vm/support/state_archive.h).
  template <class Archive>
  void pass(Archive& archive) {
#define COUNTED(type, name, group, shown, joined) archive.number(name);
#define TOTALLED(name, group, shown, joined)
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
    for (std::uint64_t& cycles : pe_cycles) archive.number(cycles);
    archive.number(latest_finish);
  }

  // Joins the counters of both.
  void add(const Counters& other) {
#define COUNTED(type, name, group, shown, joined) join_##joined(name, other.name);
#define TOTALLED(name, group, shown, joined)
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
    for (std::size_t k = 0; k < kActivities; ++k) pe_cycles[k] += other.pe_cycles[k];
    finished(other.latest_finish);
  }
  // Leaves what was counted since they were `before`, but for the latest finish and the counters
  // that are the most of several, which renew() began anew then.
  void take_off(const Counters& before) {
#define COUNTED(type, name, group, shown, joined) take_off_##joined(name, before.name);
#define TOTALLED(name, group, shown, joined)
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
    for (std::size_t k = 0; k < kActivities; ++k) pe_cycles[k] -= before.pe_cycles[k];
  }
  void renew() {
#define COUNTED(type, name, group, shown, joined) renew_##joined(name);
#define TOTALLED(name, group, shown, joined)
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  }

 private:
  void move(Activity from, Activity to, std::uint64_t cycles) {
    pe_cycles[static_cast<std::size_t>(from)] -= cycles;
    pe_cycles[static_cast<std::size_t>(to)] += cycles;
  }
};

}  // namespace wse::vm
