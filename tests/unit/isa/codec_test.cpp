// Instruction words: every row there and back with random fields, and nothing else is accepted.
// Must never name an instruction: the table is walked row by row.
#include "isa/instruction/codec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace wse::isa {
namespace {

using test_support::Random;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t Instruction::* kMembers[] = {
#define FIELD(letter, member, meaning) &Instruction::member,
#include "isa/instruction/fields.def"
#undef FIELD
};

std::uint32_t Instruction::* member_of(char letter) { return kMembers[kFieldLetters.find(letter)]; }

// A value that an instruction may have in that field.
std::uint32_t legal_value(char letter, std::uint32_t mask, Random& random) {
  if (letter == 'A' || letter == 'B') return random.below(3);
  if (letter == 'c') return random.below(kConditionCount);
  if (letter == 'w') return random.below(std::size(kCompletionTexts));
  if (letter == 'y') {  // any type but a colour
    const std::uint32_t type = random.below(kTypeCount - 1);
    return type < static_cast<std::uint32_t>(Type::Colour) ? type : type + 1;
  }
  return random.word() & mask;
}

Instruction random_instruction(const InstructionInfo& row, Random& random) {
  Instruction i{.op = row.op};
  const FormatInfo& format = info(row.format);
  for (std::size_t k = 0; k < format.field_count; ++k) {
    const FieldBits& bits = format.fields[k];
    i.*kMembers[bits.field] = legal_value(kFieldLetters[bits.field], bits.mask(), random);
  }
  if (i.mapped != 0) i.scalar_kind = i.asynchronous = 0;
  if (i.scalar_operand() == ScalarKind::Register) i.scalar %= kRegisters;
  if (row.is_vector() && i.asynchronous == 0) i.microthread = i.completion = 0;
  if (i.completion == 0) i.completes_slot = i.completes = 0;
  if (i.completes_slot == 0) i.completes %= kTaskIds;
  return i;
}

Words words_of(const Instruction& instruction) {
  Words words;
  encode(instruction, words);
  return words;
}

TEST(IsaCodec, EveryRowThereAndBack) {
  Random random(1);
  for (const InstructionInfo& row : kInstructions) {
    for (int n = 0; n < 500; ++n) {
      const Instruction i = random_instruction(row, random);
      const Words words = words_of(i);
      ASSERT_EQ(words.size(), row.words()) << row.name;
      EXPECT_EQ(words[0] >> 24, row.opcode) << row.name;
      const auto back = decode(words);
      ASSERT_TRUE(back) << row.name;
      EXPECT_EQ(*back, i) << row.name;
    }
  }
}

TEST(IsaCodec, EncodeAppendsAndDecodeReadsTheFirst) {
  Random random(2);
  const Instruction first = random_instruction(info(Op::FMacS), random);
  const Instruction second = random_instruction(info(Op::Add32), random);
  Words words = words_of(first);
  encode(second, words);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(decode(words), first);
  EXPECT_EQ(decode(std::span(words).subspan(2)), second);
}

TEST(IsaCodec, RefusesBitsThatMustBeZero) {
  Random random(3);
  for (const InstructionInfo& row : kInstructions) {
    const FormatInfo& format = info(row.format);
    Words words = words_of(random_instruction(row, random));
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
        if ((format.zero_mask[w] & bit) == 0) continue;
        words[w] ^= bit;
        EXPECT_FALSE(decode(words)) << fmt::format("{} word {} bit {:#x}", row.name, w, bit);
        words[w] ^= bit;
      }
    }
    EXPECT_TRUE(decode(words));
  }
}

TEST(IsaCodec, RefusesUnknownOpcodes) {
  std::vector<bool> known(256, false);
  for (const InstructionInfo& row : kInstructions) known[row.opcode] = true;
  Random random(4);
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    if (known[opcode]) continue;
    EXPECT_FALSE(decode(Words{opcode << 24, 0}));
    EXPECT_FALSE(decode(Words{opcode << 24 | (random.word() & 0xffffff), random.word()}));
  }
}

TEST(IsaCodec, RefusesWhatIsCutOff) {
  EXPECT_FALSE(decode({}));
  Random random(5);
  for (const InstructionInfo& row : kInstructions) {
    if (row.words() != 2) continue;
    const Words words = words_of(random_instruction(row, random));
    EXPECT_FALSE(decode(std::span(words).first(1))) << row.name;
  }
}

// Sets one field to `value` and expects decode to refuse, or not.
void expect_field(const InstructionInfo& row, char letter, std::uint32_t value, bool accepted) {
  Random random(6);
  Instruction i = random_instruction(row, random);
  i.*member_of(letter) = value;
  if (letter == 'k') i.scalar = 0;
  const auto back = decode(words_of(i));
  EXPECT_EQ(back.has_value(), accepted) << row.name << " field " << letter << " = " << value;
}

bool has_field(const InstructionInfo& row, char letter) {
  return info(row.format).bits.find(letter) != std::string_view::npos;
}

TEST(IsaCodec, RefusesFieldsOutOfRange) {
  for (const InstructionInfo& row : kInstructions) {
    for (const char letter : {'A', 'B'}) {
      if (!has_field(row, letter)) continue;
      expect_field(row, letter, 2, true);
      expect_field(row, letter, 3, false);
    }
    if (has_field(row, 'c')) {
      expect_field(row, 'c', kConditionCount - 1, true);
      expect_field(row, 'c', kConditionCount, false);
    }
    if (has_field(row, 'y')) {
      expect_field(row, 'y', kTypeCount - 1, true);
      expect_field(row, 'y', kTypeCount, false);
      expect_field(row, 'y', static_cast<std::uint32_t>(Type::Colour), false);
    }
  }
}

TEST(IsaCodec, RefusesScalarRegistersThatDoNotExist) {
  Random random(7);
  for (const InstructionInfo& row : kInstructions) {
    if (!has_field(row, 'k')) continue;
    Instruction i = random_instruction(row, random);
    i.mapped = 0;
    i.scalar_kind = static_cast<std::uint32_t>(ScalarKind::Register);
    i.scalar = kRegisters - 1;
    EXPECT_TRUE(decode(words_of(i))) << row.name;
    i.scalar = kRegisters;
    EXPECT_FALSE(decode(words_of(i))) << row.name;
    i.scalar_kind = static_cast<std::uint32_t>(ScalarKind::Literal);
    EXPECT_TRUE(decode(words_of(i))) << row.name;
  }
}

TEST(IsaCodec, AMicrothreadWithoutAsyncIsRefused) {
  Random random(8);
  for (const InstructionInfo& row : kInstructions) {
    if (!row.is_vector()) continue;
    Instruction i = random_instruction(row, random);
    i.mapped = 0;
    i.asynchronous = 0;
    i.microthread = 3;
    EXPECT_FALSE(decode(words_of(i))) << row.name;
    i.asynchronous = 1;
    EXPECT_TRUE(decode(words_of(i))) << row.name;
  }
}

TEST(IsaCodec, WhatIsMappedNamesARegisterAndIsTheMainThreads) {
  Random random(12);
  for (const InstructionInfo& row : kInstructions) {
    if (!row.is_vector()) continue;
    Instruction i = random_instruction(row, random);
    const auto accepted = [&i](std::uint32_t asynchronous, ScalarKind kind) {
      i.mapped = 1;
      i.asynchronous = asynchronous;
      i.microthread = i.completion = i.completes_slot = i.completes = 0;
      i.scalar_kind = static_cast<std::uint32_t>(kind);
      i.scalar = kDescriptorRegisters - 1;
      return decode(words_of(i)).has_value();
    };
    EXPECT_TRUE(accepted(0, ScalarKind::Register)) << row.name;
    EXPECT_FALSE(accepted(1, ScalarKind::Register)) << row.name;
    EXPECT_FALSE(accepted(0, ScalarKind::Immediate)) << row.name;
    EXPECT_FALSE(accepted(0, ScalarKind::Literal)) << row.name;
    EXPECT_FALSE(accepted(0, ScalarKind::Slot)) << row.name;
  }
}

TEST(IsaCodec, OnlyWhatIsAsynchronousCompletes) {
  Random random(10);
  for (const InstructionInfo& row : kInstructions) {
    if (!row.is_vector()) continue;
    Instruction i = random_instruction(row, random);
    i.mapped = 0;
    const auto accepted = [&i](std::uint32_t asynchronous, std::uint32_t completion,
                               std::uint32_t slot, std::uint32_t completes) {
      i.asynchronous = asynchronous;
      i.microthread = 0;
      i.completion = completion;
      i.completes_slot = slot;
      i.completes = completes;
      return decode(words_of(i)).has_value();
    };
    EXPECT_TRUE(accepted(1, 1, 0, 63)) << row.name;
    EXPECT_TRUE(accepted(1, 2, 1, 0x3fff)) << row.name;
    EXPECT_FALSE(accepted(0, 1, 0, 63)) << row.name;
    EXPECT_FALSE(accepted(1, 3, 0, 63)) << row.name;
    EXPECT_FALSE(accepted(1, 1, 0, 64)) << row.name;
    EXPECT_FALSE(accepted(1, 0, 0, 1)) << row.name;
    EXPECT_FALSE(accepted(1, 0, 1, 0)) << row.name;
  }
}

// Any words: refused, or an instruction that encodes to the very same words.
TEST(IsaCodec, DecodesOnlyWhatEncodeMakes) {
  Random random(9);
  int accepted = 0;
  for (int n = 0; n < 300'000; ++n) {
    const std::uint32_t opcode = kInstructions[random.below(kInstructionCount)].opcode;
    const std::uint32_t sparse = random.one_in(2) ? random.word() : 0xffffffff;
    const Words words = {opcode << 24 | (random.word() & sparse & random.word() & 0xffffff),
                         random.word() & sparse & random.word() & random.word()};
    const auto i = decode(words);
    if (!i) continue;
    ++accepted;
    const Words again = words_of(*i);
    EXPECT_TRUE(std::equal(again.begin(), again.end(), words.begin())) << info(i->op).name;
  }
  EXPECT_GT(accepted, 30'000);
}

TEST(IsaCodec, ImmediatesAreSigned) {
  const std::pair<std::uint32_t, std::int32_t> kCases[] = {
      {0, 0}, {1, 1}, {0x1fff, 8191}, {0x2000, -8192}, {0x3fff, -1}};
  for (const auto& [bits, value] : kCases) {
    const Instruction i{.op = Op::Mov32, .scalar_kind = 1, .scalar = bits};
    EXPECT_EQ(i.immediate(), value);
    EXPECT_EQ(decode(words_of(i))->immediate(), value);
  }
  EXPECT_EQ(kImmediateMin, -8192);
  EXPECT_EQ(kImmediateMax, 8191);
}

// ---- formats.def, as its drawing says

TEST(IsaFormat, EveryBitHasOneOwner) {
  for (const FormatInfo& format : kFormats) {
    std::uint32_t owned[] = {0xff000000u | format.zero_mask[0], format.zero_mask[1]};
    for (std::size_t k = 0; k < format.field_count; ++k) {
      const FieldBits& bits = format.fields[k];
      const std::uint32_t mask = bits.mask() << bits.shift;
      EXPECT_EQ(owned[bits.word] & mask, 0u) << format.name;
      owned[bits.word] |= mask;
    }
    EXPECT_EQ(owned[0], 0xffffffffu) << format.name;
    EXPECT_EQ(owned[1], format.words == 2 ? 0xffffffffu : 0u) << format.name;
  }
}

TEST(IsaFormat, FieldsAreWideEnough) {
  const auto width = [](char letter) -> std::uint32_t {
    switch (letter) {
      case 'd':
      case 'a':
      case 'b':
      case 'c':
      case 'y': return 4;
      case 'D':
      case 'K':
      case 'e':
      case 'm':
      case 'v': return 1;
      case 'w':
      case 'A':
      case 'B':
      case 'k': return 2;
      case 'u': return 3;
      case 'C':
      case 's':
      case 'i': return kScalarBits;
      default: return 8;  // t: that or more
    }
  };
  for (const FormatInfo& format : kFormats) {
    for (std::size_t k = 0; k < format.field_count; ++k) {
      const char letter = kFieldLetters[format.fields[k].field];
      const std::uint32_t surplus = format.fields[k].width - width(letter);
      EXPECT_TRUE(letter == 't' ? surplus <= 24 : surplus == 0) << format.name << letter;
    }
  }
}

TEST(IsaFormat, Reg3IsAsDrawn) {
  const Words words = words_of(
      {.op = Op::Add32, .destination = 0xd, .source_a = 0xa, .scalar_kind = 2, .scalar = 0x1234});
  EXPECT_EQ(words, Words{0x13'd'a'0000u | 2u << 14 | 0x1234u});
}

TEST(IsaFormat, Vector3IsAsDrawn) {
  const Words words = words_of({.op = Op::VFMacS,
                                .destination = 0xd,
                                .destination_kind = 1,
                                .source_a = 0xa,
                                .source_a_kind = 2,
                                .source_b = 0xb,
                                .source_b_kind = 1,
                                .scalar_kind = 3,
                                .scalar = 0x3fff,
                                .asynchronous = 1,
                                .microthread = 5,
                                .completion = 2,
                                .completes_slot = 1,
                                .completes = 0x123});
  // opcode D dddd AA aaaa BB bbbb m uuu ww v | kk s...s -- i...i
  const std::uint32_t first = 0x98u << 24 | 1u << 23 | 0xdu << 19 | 2u << 17 | 0xau << 13 |
                              1u << 11 | 0xbu << 7 | 1u << 6 | 5u << 3 | 2u << 1 | 1u;
  EXPECT_EQ(words, (Words{first, 3u << 30 | 0x3fffu << 16 | 0x123u}));
}

// The letters of `operands` say what the assembler reads; each needs its field.
TEST(IsaFormat, OperandsHaveTheirFields) {
  for (const FormatInfo& format : kFormats) {
    for (const char operand : format.operands) {
      const std::string_view fields = operand == 'S'   ? "ks"
                                      : operand == 'T' ? "ks"
                                      : operand == 'D' ? "Dd"
                                      : operand == 'A' ? "Aa"
                                      : operand == 'B' ? "Bb"
                                      : operand == 'U' ? "u"
                                      : operand == '?' ? "c"
                                      : operand == '@' ? "ks"
                                      : operand == 'C' ? "KC"
                                      : operand == 'd' ? "d"
                                      : operand == 'E' ? "d"
                                      : operand == 'F' ? "a"
                                      : operand == 'a' ? "a"
                                      : operand == 'b' ? "b"
                                                       : "t";
      for (const char field : fields) {
        EXPECT_NE(format.bits.find(field), std::string_view::npos) << format.name << field;
      }
    }
  }
}

}  // namespace
}  // namespace wse::isa
