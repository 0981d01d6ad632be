// values COUNT: every f32 and f16 instruction on all special values and on COUNT random operands,
// in its scalar form and its vector form for every level that this host has, against the reference,
// bit for bit. Exit code 1 if one differs.
//
// Compiled together with isa/semantics/ranges.cpp once for each compiler and level of optimisation.
// Must use no machine, only the functions that every engine calls.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "isa/semantics/execute.h"
#include "isa/semantics/ranges.h"
#include "tests/values/reference.h"

namespace wse::values {
namespace {

constexpr std::size_t kBlock = 10'000;
constexpr std::size_t kRange = 32;  // elements with one scalar

using Execute = Word (*)(Word a, Word b, Word c);

// The scalar form on registers; 1 if a branch is taken.
template <isa::Op op>
Word execute_scalar(Word a, Word b, Word c) {
  constexpr isa::Format kFormat = isa::info(op).format;
  constexpr std::uint32_t kResult = 1;
  isa::ScalarState state;
  isa::Instruction instruction{.op = op, .destination = kResult, .source_a = 2, .source_b = 3};
  instruction.scalar = 4;  // a register, as scalar_kind 0 says
  instruction.target = 1;
  state.r[2] = a;
  state.r[3] = b;
  state.r[4] = kFormat == isa::Format::Reg2 ? a : kFormat == isa::Format::Reg4 ? c : b;
  if constexpr (kFormat == isa::Format::Branch) {
    return isa::semantics::branch<op>(state, instruction) ? 1 : 0;
  } else {
    isa::semantics::act<op>(state, instruction);
    return state.r[kResult];
  }
}

template <isa::Op op>
constexpr Execute execute_of() {
  constexpr isa::Format kFormat = isa::info(op).format;
  if constexpr (kFormat == isa::Format::Reg2 || kFormat == isa::Format::Reg3 ||
                kFormat == isa::Format::Reg4 || kFormat == isa::Format::Branch) {
    return execute_scalar<op>;
  } else {
    return nullptr;
  }
}

constexpr Execute kExecute[] = {
#define INSTRUCTION(name, ...) execute_of<isa::Op::name>(),
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

// Words as an array of elements of so many bytes.
std::vector<std::byte> packed(const std::vector<Word>& words, std::size_t bytes) {
  std::vector<std::byte> array(words.size() * bytes);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::memcpy(array.data() + k * bytes, &words[k], bytes);
  }
  return array;
}

std::vector<Word> run_scalar(const isa::InstructionInfo& row, const Block& block) {
  std::vector<Word> results(block.size());
  const Execute execute = kExecute[static_cast<std::size_t>(row.op)];
  for (std::size_t k = 0; k < block.size(); ++k) {
    results[k] = execute(block.operand[0][k], block.operand[1][k], block.operand[2][k]);
  }
  return results;
}

// One range for the block; with a scalar operand a range around each element, as long as the loops
// over vectors take.
std::vector<Word> run_vector(const isa::InstructionInfo& row, const Block& block,
                             isa::RangeFunction function) {
  const std::size_t bytes[] = {row.result_bytes(), row.source_bytes(0), row.source_bytes(1)};
  std::vector<std::byte> to(block.size() * bytes[0]);
  std::vector<std::byte> a = packed(block.operand[0], bytes[1]);
  std::vector<std::byte> b = packed(block.operand[1], bytes[2]);
  const auto range = [&bytes](std::vector<std::byte>& array, int which, std::size_t k) {
    return isa::ElementRange{array.data() + k * bytes[which],
                             static_cast<std::ptrdiff_t>(bytes[which])};
  };
  const bool has_scalar = row.format == isa::Format::Vector3;
  const std::size_t count = has_scalar ? std::min(kRange, block.size()) : block.size();
  std::vector<Word> results(block.size());
  for (std::size_t k = 0; k < block.size(); ++k) {
    const std::size_t first = std::min(k, block.size() - count);
    if (has_scalar || k == 0) {
      function(range(to, 0, first), range(a, 1, first), range(b, 2, first), block.operand[2][k],
               count);
    }
    std::memcpy(&results[k], to.data() + k * bytes[0], bytes[0]);
  }
  return results;
}

// False, and a line that says where, if a result differs.
bool is_expected(const isa::InstructionInfo& row, const Block& block,
                 const std::vector<Word>& results) {
  const auto differing = std::ranges::mismatch(results, block.expected);
  if (differing.in1 == results.end()) return true;
  const auto k = static_cast<std::size_t>(differing.in1 - results.begin());
  std::printf("%.*s (%.*s) of 0x%08x, 0x%08x, 0x%08x gives 0x%08x, not 0x%08x\n",
              static_cast<int>(row.mnemonic.size()), row.mnemonic.data(),
              static_cast<int>(row.name.size()), row.name.data(), block.operand[0][k],
              block.operand[1][k], block.operand[2][k], results[k], block.expected[k]);
  return false;
}

bool agrees(const isa::InstructionInfo& row, const Block& block) {
  if (!row.is_vector()) return is_expected(row, block, run_scalar(row, block));
  return std::ranges::all_of(isa::kHostLevels, [&](isa::HostLevel level) {
    if (!isa::has_level(level)) return true;
    return is_expected(row, block, run_vector(row, block, isa::range_function(row.op, level)));
  });
}

bool has_floats(const isa::InstructionInfo& row) {
  const bool computes = kExecute[static_cast<std::size_t>(row.op)] != nullptr || row.is_vector();
  return computes && (isa::is_float(row.types.result) ||
                      std::ranges::any_of(row.types.source, [](isa::OperandType type) {
                        return isa::is_float(type);
                      }));
}

// The forms of one instruction: rows of the same mnemonic, which compute the same.
using Forms = std::vector<const isa::InstructionInfo*>;

std::vector<Forms> forms_with_floats() {
  std::vector<Forms> all;
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (!has_floats(row)) continue;
    const auto same = std::ranges::find_if(
        all, [&row](const Forms& forms) { return forms.front()->mnemonic == row.mnemonic; });
    (same == all.end() ? all.emplace_back() : *same).push_back(&row);
  }
  return all;
}

bool all_agree(const Forms& forms, const Block& block) {
  return std::ranges::all_of(
      forms, [&block](const isa::InstructionInfo* row) { return agrees(*row, block); });
}

bool check(const Forms& forms, std::size_t count) {
  const isa::InstructionInfo& row = *forms.front();
  if (!has_reference(row.mnemonic)) {
    std::printf("%.*s has no line in tests/values/references.def\n",
                static_cast<int>(row.mnemonic.size()), row.mnemonic.data());
    return false;
  }
  if (!all_agree(forms, special_block(row))) return false;
  for (std::size_t done = 0; done < count; done += kBlock) {
    const auto seed = static_cast<std::uint32_t>(1 + done);
    if (!all_agree(forms, random_block(row, seed, std::min(kBlock, count - done)))) return false;
  }
  return true;
}

int check_all(std::size_t count) {
  const std::vector<Forms> all = forms_with_floats();
  const auto wrong =
      std::ranges::count_if(all, [count](const Forms& forms) { return !check(forms, count); });
  const auto levels = std::ranges::count_if(isa::kHostLevels, isa::has_level);
  std::printf("%zu instructions on %zu random operands each, %td of %zu levels, %td wrong\n",
              all.size(), count, levels, std::size(isa::kHostLevels), wrong);
  return all.empty() || wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace wse::values

int main(int argc, char** argv) {
  const long long count = argc == 2 ? std::atoll(argv[1]) : 0;
  if (count <= 0) {
    std::fputs("usage: values COUNT\n", stderr);
    return 2;
  }
  return wse::values::check_all(static_cast<std::size_t>(count));
}
