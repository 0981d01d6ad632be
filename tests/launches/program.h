// Random programs whose tasks a host launches, and random launches of them.
//
// Each text is also a program that launches nothing (ONE = 1): a clock of every PE, words that go
// round through its own router on the last colour and the last microthreads, activates the same
// tasks in the same cycles. A clock has the lowest priority everywhere, so that it delays nobody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vm/run/array_part.h"

namespace wse::test_launches {

inline constexpr std::uint32_t kMostLaunches = 8;  // of one PE
inline constexpr std::uint32_t kFirstId = 24;      // of the tasks

// One launch: a task, its arguments, where, and what the host does before it.
struct Order {
  std::uint32_t task = 0;
  std::int32_t count = 0;
  float factor = 0;
  vm::PeRect region{};
  std::uint32_t wait_cycles = 0;  // on the quiet machine
  std::uint32_t stop_cycles = 0;  // 0: none; the host stops on the way every so many cycles
  bool with_next = false;         // the next order is launched in the same cycle
};

struct Plan {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string text;
  std::vector<Order> orders;
};

// Returns a program and its launches; a seed always gives the same.
Plan random_plan(std::uint32_t seed);

// Arrays of every PE that must be alike, however the program was run.
const std::vector<std::string>& compared_arrays();

}  // namespace wse::test_launches
