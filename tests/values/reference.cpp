// Draws operands by their types and asks the reference of the table.
#include "tests/values/reference.h"

#include <algorithm>
#include <array>
#include <span>

#include "tests/support/float_operands.h"
#include "tests/support/soft_float.h"
#include "tests/support/soft_half.h"

namespace wse::values {
namespace {

using namespace test_support;
using isa::OperandType;

Word same(Word a) { return a; }
Word negated(Word a) { return a ^ 0x80000000u; }
Word absolute(Word a) { return a & 0x7fffffffu; }
Word same_half(Word a) { return a & 0xffffu; }
Word negated_half(Word a) { return (a ^ 0x8000u) & 0xffffu; }
Word absolute_half(Word a) { return a & 0x7fffu; }

bool greater(Word a, Word b) { return soft_less(b, a); }
bool less_equal(Word a, Word b) { return soft_less(a, b) || soft_equal(a, b); }
bool greater_equal(Word a, Word b) { return less_equal(b, a); }
bool not_equal(Word a, Word b) { return !soft_equal(a, b); }

Word add_mixed(Word half, Word single) { return soft_add(soft_half_to_single(half), single); }
Word multiply_add_mixed(Word single, Word b, Word c) {
  return soft_multiply_add(single, soft_half_to_single(b), soft_half_to_single(c));
}

Word sign_extended(Word a) { return (a & 0xffffu) | (a >> 15 & 1 ? 0xffff0000u : 0); }
Word single_from_int16(Word a) { return soft_from_int32(sign_extended(a)); }
Word single_to_int16(Word a) {
  const auto wide = static_cast<std::int32_t>(soft_single_to_int32(a));
  return static_cast<Word>(std::clamp(wide, -32768, 32767)) & 0xffffu;
}

template <class Result>
Word apply(Result (*function)(Word), const std::array<Word, 3>& o) {
  return function(o[0]);
}
template <class Result>
Word apply(Result (*function)(Word, Word), const std::array<Word, 3>& o) {
  return function(o[0], o[1]);
}
template <class Result>
Word apply(Result (*function)(Word, Word, Word), const std::array<Word, 3>& o) {
  return function(o[0], o[1], o[2]);
}

struct Reference {
  std::string_view mnemonic;
  Word (*result)(const std::array<Word, 3>& operands);
};

constexpr Reference kReferences[] = {
#define REFERENCE(mnemonic, function) \
  {mnemonic, [](const std::array<Word, 3>& operands) { return apply(&function, operands); }},
#include "tests/values/references.def"
#undef REFERENCE
};

const Reference* find(std::string_view mnemonic) {
  const auto row = std::ranges::find(kReferences, mnemonic, &Reference::mnemonic);
  return row == std::end(kReferences) ? nullptr : row;
}

bool is_half(const isa::InstructionInfo& row, std::size_t k) {
  return isa::info(row.types.source[k]).bytes == 2;
}

class Draws {
 public:
  explicit Draws(std::uint32_t seed) : singles_(seed), halves_(seed + 1), random_(seed + 2) {}

  std::array<Word, 3> next(const isa::InstructionInfo& row) {
    const OperandType* type = row.types.source;
    if (source_count(row) == 1) return {unary(type[0]), 0, 0};
    std::array<Word, 3> o{};
    o[0] = type[0] == OperandType::F16 ? halves_.any() : singles_.any();
    if (type[0] == OperandType::F16 && type[1] == OperandType::F32) {
      o[1] = singles_.near(soft_half_to_single(o[0]));
    } else if (type[0] == OperandType::F16) {
      o[1] = halves_.near(o[0]);
      o[2] = halves_.factor(o[0], o[1]);
    } else if (type[1] == OperandType::F16) {
      o[1] = halves_.any();
      o[2] = halves_.any();
      const Word product = soft_multiply(soft_half_to_single(o[1]), soft_half_to_single(o[2]));
      o[0] = singles_.near(product);
    } else {
      o[1] = singles_.near(o[0]);
      if (source_count(row) == 3) {
        o[1] = singles_.any();
        o[2] = singles_.factor(o[0], o[1]);
      }
    }
    return o;
  }

  // The operand as a register may hold it.
  Word dirty(const isa::InstructionInfo& row, std::size_t k, Word word) {
    return is_half(row, k) ? halves_.dirty(word) : word;
  }

 private:
  Word unary(OperandType type) {
    if (type == OperandType::F16) return halves_.any();
    if (type == OperandType::F32) return single();
    return isa::info(type).bytes == 2 ? integer() & 0xffffu : integer();
  }
  // Any, or a middle between two f16 or beside it, or a number of the size of an i32 or i16.
  Word single() {
    switch (random_.below(4)) {
      case 0:
        return (soft_half_to_single(random_.word() & 0xffffu) | 0x1000u) + random_.below(3) - 1;
      case 1: return (random_.word() & 0x807fffffu) | (125 + random_.below(36)) << 23;
      default: return singles_.any();
    }
  }
  // Any, or so long that the last bit of an f32 is a tie or lies beside one.
  Word integer() {
    const Word word = random_.word() >> random_.below(31);
    if (random_.below(2) == 0) return random_.below(2) == 0 ? word : Word{0} - word;
    const Word dropped = 1 + random_.below(7);
    return (random_.word() >> (8 - dropped) >> dropped << dropped | 1u << (dropped - 1)) +
           random_.below(3) - 1;
  }

  SingleOperands singles_;
  HalfOperands halves_;
  Random random_;
};

// The reference sees clean operands, the instruction those of registers.
void append(Block& block, const isa::InstructionInfo& row, const Reference& reference, Draws& draws,
            const std::array<Word, 3>& operands) {
  block.expected.push_back(reference.result(operands));
  for (std::size_t k = 0; k < 3; ++k) {
    block.operand[k].push_back(draws.dirty(row, k, operands[k]));
  }
}

}  // namespace

bool has_reference(std::string_view mnemonic) { return find(mnemonic) != nullptr; }

std::size_t source_count(const isa::InstructionInfo& row) {
  return static_cast<std::size_t>(
      std::ranges::count_if(isa::info(row.format).operands, [](char letter) {
        return std::string_view("abSAB").find(letter) != std::string_view::npos;
      }));
}

Block special_block(const isa::InstructionInfo& row) {
  const Reference& reference = *find(row.mnemonic);
  const std::size_t sources = source_count(row);
  Draws draws(1);
  Block block;
  const auto specials = [&row, sources](std::size_t k) -> std::span<const Word> {
    if (k >= sources) return std::span(kSpecialSingles).first(1);
    if (is_half(row, k)) return kSpecialHalves;
    return kSpecialSingles;
  };
  for (const Word a : specials(0)) {
    for (const Word b : specials(1)) {
      for (const Word c : specials(2)) append(block, row, reference, draws, {a, b, c});
    }
  }
  return block;
}

Block random_block(const isa::InstructionInfo& row, std::uint32_t seed, std::size_t count) {
  const Reference& reference = *find(row.mnemonic);
  Draws draws(seed);
  Block block;
  for (std::size_t n = 0; n < count; ++n) append(block, row, reference, draws, draws.next(row));
  return block;
}

}  // namespace wse::values
