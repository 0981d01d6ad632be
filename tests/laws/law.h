// What laws ask of a run: when its marks were; that it ends well, in exactly its cycles, with
// nothing left in the fabric, and keeps what its program says of itself. Never compares with a
// tolerance.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/simulation.h"

namespace wse::test_laws {

inline void expect_law(const test_support::Simulation& simulation, std::uint64_t cycles) {
  EXPECT_EQ(simulation.record.status, vm::RunStatus::Halted) << simulation.record.message;
  EXPECT_EQ(simulation.record.cycles, cycles);
  EXPECT_EQ(simulation.record.message, "");
  EXPECT_EQ(simulation.record.wavelets_left, 0u);
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
}

// The cycle of the first mark of that name; kNever without one.
inline vm::Cycle first(const test_support::Simulation& simulation, const std::string& mark) {
  const auto found = simulation.record.marks.find(mark);
  return found == simulation.record.marks.end() ? vm::kNever : found->second.first;
}

}  // namespace wse::test_laws
