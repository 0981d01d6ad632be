// What every law asks of a run: it ends well, in exactly its cycles, with nothing left in the
// fabric, and keeps what its program says of itself. Never compares with a tolerance.
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

}  // namespace wse::test_laws
