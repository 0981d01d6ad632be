// Late starts, to show what a program owes to luck: the begin of each PE and each asynchronous
// start are late by some cycles, drawn from the seed, the PE, the thread and the cycle of the
// start. So they are the same on every engine and transport and for any number of threads.
//
// Must never depend on anything else that a run does.
#pragma once

#include <cstdint>

#include "vm/contract/boundary.h"
#include "vm/support/split_mix.h"
#include "vm/support/time.h"

namespace wse::vm {

struct Jitter {
  static constexpr std::uint64_t kUsual = 16;        // cycles, where nobody says how many
  static constexpr std::uint64_t kMost = 1'000'000;  // cycles

  std::uint64_t seed = 0;
  std::uint64_t cycles = kUsual;  // at most so many late, up to kMost

  bool operator==(const Jitter&) const = default;

  // Returns by how many cycles the thread is late that would start in cycle `start`.
  Cycle lateness(ThreadId thread, Cycle start) const {
    const std::uint64_t of_pe = split_mix(split_mix(seed) ^ thread.pe);
    return split_mix(split_mix(of_pe ^ thread.thread) ^ start) % (cycles + 1);
  }
};

}  // namespace wse::vm
