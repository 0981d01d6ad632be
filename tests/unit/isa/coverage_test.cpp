// Every row of instructions.def is named by a hand-written expectation. Adding a row without one
// fails here, and says which.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

bool is_named_in(const std::vector<ValueCase>& cases, const InstructionInfo& row) {
  return std::ranges::any_of(
      cases, [&row](const ValueCase& expectation) { return expectation.mnemonic == row.mnemonic; });
}

bool computes(const InstructionInfo& row) {
  return row.is_vector() || row.format == Format::Reg2 || row.format == Format::Reg3 ||
         row.format == Format::Reg4;
}

TEST(IsaCoverage, EveryRowHasAnExpectation) {
  const std::vector<Op> effects = effect_rows();
  for (const InstructionInfo& row : kInstructions) {
    const bool named = computes(row)                  ? is_named_in(value_cases(), row)
                       : row.format == Format::Branch ? is_named_in(branch_cases(), row)
                                                      : std::ranges::count(effects, row.op) > 0;
    EXPECT_TRUE(named) << row.name << " (" << row.mnemonic << ") has no line in "
                       << (computes(row) || row.format == Format::Branch
                               ? "tests/unit/isa/values.def"
                               : "kOtherEffects of tests/unit/isa/effects_test.cpp");
  }
}

// A branch needs both outcomes.
TEST(IsaCoverage, EveryBranchIsTakenAndNotTaken) {
  for (const InstructionInfo& row : kInstructions) {
    if (row.format != Format::Branch) continue;
    for (const bool taken : {true, false}) {
      EXPECT_TRUE(std::ranges::any_of(branch_cases(),
                                      [&](const ValueCase& expectation) {
                                        return expectation.mnemonic == row.mnemonic &&
                                               expectation.taken == taken;
                                      }))
          << row.mnemonic << (taken ? " taken" : " not taken");
    }
  }
}

}  // namespace
}  // namespace wse::isa
