// Every line of isa_values.def on the scalar rows, with the last operand of every kind.
// Must never touch a vector row: vector_test.cpp does.
#include <gtest/gtest.h>

#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

constexpr std::uint32_t kDestination = 5;

// The instruction `row` on operands in r1, r2 and a scalar operand of the given kind.
Instruction prepare(Bench& bench, const InstructionInfo& row, const std::vector<Word>& operands,
                    ScalarKind kind) {
  Instruction i{.op = row.op, .destination = kDestination, .source_a = 1};
  if (row.format == Format::Reg4) i.source_b = 2;
  if (row.format == Format::Branch) i.destination = 0;
  for (std::size_t k = 0; k + 1 < operands.size(); ++k) bench.state.r[k + 1] = operands[k];
  const Word last = operands.back();
  i.scalar_kind = static_cast<std::uint32_t>(kind);
  switch (kind) {
    case ScalarKind::Register:
      bench.state.r[3] = last;
      i.scalar = 3;
      break;
    case ScalarKind::Immediate: i.scalar = last & ((1u << kScalarBits) - 1); break;
    case ScalarKind::Literal:
      bench.literals[1] = last;
      i.scalar = 1;
      break;
    case ScalarKind::Slot:
      bench.slots[4] = last;
      i.scalar = 4;
      break;
  }
  return i;
}

bool fits(ScalarKind kind, Word value) {
  const auto number = static_cast<std::int32_t>(value);
  return kind != ScalarKind::Immediate || (number >= kImmediateMin && number <= kImmediateMax);
}

constexpr ScalarKind kKinds[] = {ScalarKind::Register, ScalarKind::Immediate, ScalarKind::Literal,
                                 ScalarKind::Slot};

// Copies what a bench compares, so that everything an instruction may not touch is checked too.
void copy(const Bench& from, Bench& to) {
  std::copy(std::begin(from.state.r), std::end(from.state.r), to.state.r);
  to.memory = from.memory;
}

void expect_value(const ValueCase& expectation, const InstructionInfo& row, ScalarKind kind) {
  Bench bench;
  Bench after;
  const Instruction i = prepare(bench, row, expectation.operands, kind);
  copy(bench, after);
  const Cost cost = cost_of(*find_profile("wse2"), row.cost);
  after.state.r[kDestination] = expectation.result;
  after.state.pc += row.words();
  after.state.slots_charged = cost.slots;
  after.state.cycles_charged = cost.cycles;
  after.state.instructions = 1;
  after.state.flops = row.flops;
  ASSERT_EQ(bench.run(i), Step::Next) << place_of(expectation);
  EXPECT_EQ(bench.changes_since(after), "") << place_of(expectation);
}

TEST(IsaScalar, ComputesWhatTheTableSays) {
  for (const ValueCase& expectation : value_cases()) {
    const InstructionInfo* row = row_of(expectation.mnemonic, false);
    ASSERT_NE(row, nullptr) << place_of(expectation);
    ASSERT_EQ(expectation.operands.size(), source_count(*row)) << place_of(expectation);
    for (const ScalarKind kind : kKinds) {
      if (fits(kind, expectation.operands.back())) expect_value(expectation, *row, kind);
    }
  }
}

TEST(IsaScalar, ReadsEveryOperandBeforeItWrites) {
  for (const ValueCase& expectation : value_cases()) {
    const InstructionInfo* row = row_of(expectation.mnemonic, false);
    ASSERT_NE(row, nullptr) << place_of(expectation);
    for (std::uint32_t shared = 1; shared <= 3; ++shared) {
      Bench bench;
      Instruction i = prepare(bench, *row, expectation.operands, ScalarKind::Register);
      i.destination = shared;  // one of the sources, or a register that the row does not read
      ASSERT_EQ(bench.run(i), Step::Next);
      EXPECT_EQ(bench.state.r[shared], expectation.result) << place_of(expectation);
    }
  }
}

TEST(IsaScalar, OneRegisterCanBeEveryOperand) {
  Bench bench;
  bench.state.r[7] = 9;
  ASSERT_EQ(bench.run({.op = Op::Mul32, .destination = 7, .source_a = 7, .scalar = 7}), Step::Next);
  EXPECT_EQ(bench.state.r[7], 81u);
}

TEST(IsaScalar, DivisionByZeroTrapsAndChangesNothing) {
  for (const Op op :
       {Op::DivideSigned32, Op::RemainderSigned32, Op::DivideUnsigned32, Op::RemainderUnsigned32}) {
    for (const Word a : {0u, 1u, 0x80000000u}) {
      Bench bench;
      Bench before;
      bench.state.r[2] = before.state.r[2] = a;
      const auto immediate = static_cast<std::uint32_t>(ScalarKind::Immediate);
      const Instruction i{
          .op = op, .destination = 1, .source_a = 2, .scalar_kind = immediate, .scalar = 0};
      ASSERT_EQ(bench.run(i), Step::Trap);
      EXPECT_EQ(bench.state.trap, Trap::DivisionByZero);
      EXPECT_EQ(bench.changes_since(before), "");
    }
  }
}

void expect_branch(const ValueCase& expectation, const InstructionInfo& row, ScalarKind kind) {
  Bench bench;
  Bench after;
  Instruction i = prepare(bench, row, expectation.operands, kind);
  i.target = 7;
  copy(bench, after);
  const CostClass cost_class = expectation.taken ? CostClass::BranchTaken : CostClass::Branch;
  const Cost cost = cost_of(*find_profile("wse2"), cost_class);
  after.state.pc = expectation.taken ? 7 : after.state.pc + 2;
  after.state.slots_charged = cost.slots;
  after.state.cycles_charged = cost.cycles;
  after.state.instructions = 1;
  ASSERT_EQ(bench.run(i), Step::Next) << place_of(expectation);
  EXPECT_EQ(bench.changes_since(after), "") << place_of(expectation);
}

TEST(IsaScalar, BranchesAsTheTableSays) {
  for (const ValueCase& expectation : branch_cases()) {
    const InstructionInfo* row = row_of(expectation.mnemonic, false);
    ASSERT_NE(row, nullptr) << place_of(expectation);
    ASSERT_EQ(row->format, Format::Branch) << place_of(expectation);
    for (const ScalarKind kind : kKinds) {
      if (fits(kind, expectation.operands.back())) expect_branch(expectation, *row, kind);
    }
  }
}

TEST(IsaScalar, AVectorInstructionIsAStopPoint) {
  for (const InstructionInfo& row : kInstructions) {
    if (!row.is_vector()) continue;
    Bench bench;
    const Bench before;
    EXPECT_EQ(bench.run({.op = row.op}), Step::Stop) << row.name;
    EXPECT_EQ(bench.changes_since(before), "") << row.name;
  }
}

}  // namespace
}  // namespace wse::isa
