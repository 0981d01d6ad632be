// Expands isa_values.def and the instruction table into what the tests of meanings walk over.
#include "tests/unit/isa/cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace wse::isa {
namespace {

using Execute = Step (*)(ScalarState&, const Instruction&, const CostTable&);

constexpr Execute kExecute[] = {
#define INSTRUCTION(name, ...) execute<Op::name>,
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

}  // namespace

const std::vector<ValueCase>& value_cases() {
  static const std::vector<ValueCase> kCases = {
#define VALUE(mnemonic, result, ...) {#mnemonic, result, false, {__VA_ARGS__}, __LINE__},
#define BRANCH(mnemonic, taken, a, s)
#include "tests/unit/isa/values.def"
#undef VALUE
#undef BRANCH
  };
  return kCases;
}

const std::vector<ValueCase>& branch_cases() {
  static const std::vector<ValueCase> kCases = {
#define VALUE(mnemonic, result, ...)
#define BRANCH(mnemonic, taken, a, s) {#mnemonic, 0, taken, {a, s}, __LINE__},
#include "tests/unit/isa/values.def"
#undef VALUE
#undef BRANCH
  };
  return kCases;
}

std::string place_of(const ValueCase& expectation) {
  std::string operands;
  for (const Word word : expectation.operands) {
    operands += fmt::format("{}{:#010x}", operands.empty() ? "" : ", ", word);
  }
  return fmt::format("isa_values.def:{}: {}({})", expectation.line, expectation.mnemonic, operands);
}

std::size_t source_count(const InstructionInfo& row) {
  return static_cast<std::size_t>(std::ranges::count_if(info(row.format).operands, [](char letter) {
    return std::string_view("abSAB").find(letter) != std::string_view::npos;
  }));
}

const InstructionInfo* row_of(std::string_view mnemonic, bool vector) {
  const auto row = std::ranges::find_if(kInstructions, [&](const InstructionInfo& info) {
    return info.mnemonic == mnemonic && info.is_vector() == vector;
  });
  return row == std::end(kInstructions) ? nullptr : row;
}

Bench::Bench() {
  for (Word k = 0; k < kRegisters; ++k) state.r[k] = 0xa0000000u + k;
  for (Word k = 0; k < kMemoryBytes / 4; ++k) set_word(4 * k, 0xb0000000u + k);
  literals = {0xc0000000u, 0xc0000001u};
  slots = {3, 4, 10, 20, 0xd0000000u};
  descriptors.resize(1);
  state.pc = 100;
  state.memory = memory.data();
  state.memory_bytes = kMemoryBytes;
  state.d = &d;
  state.view = &view;
}

Step Bench::run(const Instruction& instruction) {
  static const CostTable kCosts(*find_profile("wse2"));
  std::vector<Descriptor> resolved;
  for (const DescriptorLiteral& literal : descriptors) {
    resolved.push_back(resolve(literal, slots.data()));
  }
  std::vector<const Descriptor*> by_number;
  for (const Descriptor& descriptor : resolved) by_number.push_back(&descriptor);
  view.literals = literals.data();
  view.slots = slots.data();
  view.descriptors = by_number.data();
  const Step step = kExecute[static_cast<int>(instruction.op)](state, instruction, kCosts);
  for (std::size_t k = 0; k < kDescriptorRegisters; ++k) d.own(k);  // `resolved` goes
  return step;
}

Word Bench::word_at(std::uint32_t address, std::size_t bytes) const {
  Word word = 0;
  std::memcpy(&word, memory.data() + address, bytes);
  return word;
}

void Bench::set_word(std::uint32_t address, Word word, std::size_t bytes) {
  std::memcpy(memory.data() + address, &word, bytes);
}

std::string Bench::changes_since(const Bench& before) const {
  std::string text;
  const auto compare = [&text](std::string_view name, auto was, auto is) {
    if (was != is) text += fmt::format(" {} {:#x} -> {:#x}", name, was, is);
  };
  const ScalarState& old = before.state;
  for (std::size_t k = 0; k < kRegisters; ++k) {
    compare(fmt::format("r{}", k), old.r[k], state.r[k]);
    if (before.d[k] != d[k]) text += fmt::format(" d{}", k);
  }
  for (std::uint32_t address = 0; address < kMemoryBytes; address += 4) {
    compare(fmt::format("memory[{}]", address), before.word_at(address), word_at(address));
  }
  compare("pc", old.pc, state.pc);
  compare("slots", old.slots_charged, state.slots_charged);
  compare("cycles", old.cycles_charged, state.cycles_charged);
  compare("instructions", old.instructions, state.instructions);
  compare("flops", old.flops, state.flops);
  return text;
}

void expect_charge(const Bench& bench, std::uint64_t cycles) {
  EXPECT_EQ(bench.state.slots_charged, cycles);
  EXPECT_EQ(bench.state.cycles_charged, cycles);
  EXPECT_EQ(bench.state.instructions, 1u);
  EXPECT_EQ(bench.state.flops, 0u);
}

}  // namespace wse::isa
