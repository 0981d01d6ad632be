// Random instructions.
#include "tests/jit/random_code.h"

#include <cstring>

namespace wse::test_support {
namespace {

using isa::Instruction;

constexpr std::uint32_t kInstructions = 150;
constexpr std::uint32_t kLength = 12;
constexpr std::uint32_t kTableSize = 8;  // literals, slots
constexpr std::uint32_t kFewStops = 60;  // of so many rows that stop, one is taken
constexpr std::uint32_t kFewVectors = 6;

constexpr std::uint32_t Instruction::* kMembers[] = {
#define FIELD(letter, member, meaning) &Instruction::member,
#include "isa/instruction/fields.def"
#undef FIELD
};

// Numbers at which something ends or begins.
constexpr std::uint32_t kSpecial[] = {
    0,          1,          2,          31,         32,         0x7fff,     0x8000,
    0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
    0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x007fffff, 0x00800000, 0x7f7fffff,
    0x3c00,     0x7c00,     0x7e00,     0x7c01,     0x03ff,     0x0400,     0x7bff};

bool stops_at_once(const isa::InstructionInfo& row) {
  return row.format == isa::Format::Colour || row.format == isa::Format::WriteRouting ||
         row.format == isa::Format::WriteFilter || row.format == isa::Format::WritePosition ||
         row.format == isa::Format::TaskId;
}

}  // namespace

RandomCode::RandomCode(std::uint32_t seed) : random_(seed), memory_(kMemoryBytes) {
  image_.programs.emplace_back();
  isa::Program& program = image_.programs.back();
  program.name = "random";
  for (std::uint32_t k = 0; k < kTableSize; ++k) {
    program.literals.push_back(any_word());
    slots_.push_back(any_word());
    program.parameters.push_back({.name = "p" + std::to_string(k)});
    program.descriptors.emplace_back();
    program.routings.emplace_back();
    program.filters.emplace_back();
    program.prints.emplace_back();
    image_.marks.push_back("m");
  }
  for (isa::Descriptor& descriptor : resolved_) {
    descriptor = memory_descriptor();
    descriptors_.push_back(&descriptor);
  }
  resolved_.back() = {.kind = isa::DescriptorKind::FabricIn};
  resolved_.back().colour = 3;
  resolved_.back().length = 4;
  for (std::size_t k = 0; k < resolved_.size(); ++k) {
    program.descriptors[k].kind = resolved_[k].kind;
    program.descriptors[k].saves = resolved_[k].saves;
  }
  program_.program = &program;
  program_.data_bytes = kMemoryBytes;
  write_code();
  view_ = {.literals = program.literals.data(),
           .slots = slots_.data(),
           .descriptors = descriptors_.data(),
           .begins = program_.begins.data(),
           .code_words = static_cast<std::uint32_t>(program_.code.size())};
}

// Most have the same few lengths, so that instructions find operands that go together.
isa::Descriptor RandomCode::memory_descriptor() {
  isa::Descriptor d = {.kind = isa::DescriptorKind::Memory,
                       .address = 128 + 4 * random_.below(160),
                       .length = random_.one_in(4) ? random_.below(32) : kLength,
                       .stride = static_cast<std::int32_t>(random_.below(7)) - 3};
  if (random_.one_in(6)) {
    d.kind = isa::DescriptorKind::Circular;
    d.ring = 1 + random_.below(9);
    d.position = random_.below(d.ring);
  } else if (random_.one_in(4)) {
    d.further = 1;
    d.length = kLength / 4;
    d.inner[0] = {.extent = 4, .stride = 1 + static_cast<std::int32_t>(random_.below(3))};
  }
  d.saves = random_.one_in(8);
  return d;
}

std::uint32_t RandomCode::any_word() {
  return random_.one_in(3) ? random_.word() : kSpecial[random_.below(std::size(kSpecial))];
}

Instruction RandomCode::instruction(const isa::InstructionInfo& row) {
  Instruction i{.op = row.op};
  const isa::FormatInfo& format = isa::info(row.format);
  for (std::size_t k = 0; k < format.field_count; ++k) {
    const isa::FieldBits& bits = format.fields[k];
    i.*kMembers[bits.field] = random_.word() & bits.mask();
  }
  switch (i.scalar_operand()) {
    case isa::ScalarKind::Register: i.scalar %= isa::kRegisters; break;
    case isa::ScalarKind::Literal:
    case isa::ScalarKind::Slot: i.scalar %= kTableSize; break;
    case isa::ScalarKind::Immediate: break;
  }
  // Most accesses are within memory.
  if (format.operands.contains('@') && !random_.one_in(8)) {
    i.scalar_kind = static_cast<std::uint32_t>(isa::ScalarKind::Immediate);
    i.scalar = 4 * random_.below(kMemoryBytes / 4);
  }
  i.target %= kTableSize;  // of a mark, a print text, ...; jumps get theirs last
  i.colour %= isa::kMaxColours;
  i.colour_kind = i.completes_slot = 0;
  if (row.is_vector() && !random_.one_in(8)) i.asynchronous = 0;
  if (i.asynchronous != 0 || i.scalar_operand() != isa::ScalarKind::Register) i.mapped = 0;
  i.condition %= isa::kConditionCount;
  i.compared_type %= static_cast<std::uint32_t>(isa::Type::Colour);
  return i;
}

void RandomCode::write_code() {
  while (pcs_.size() < kInstructions) {
    const isa::InstructionInfo& row = isa::kInstructions[random_.below(isa::kInstructionCount)];
    if (stops_at_once(row) && !random_.one_in(kFewStops)) continue;
    if (row.is_vector() && !random_.one_in(kFewVectors)) continue;
    pcs_.push_back(static_cast<std::uint32_t>(program_.code.size()));
    program_.code.push_back(instruction(row));
    program_.begins.push_back(1);
    for (std::uint32_t word = 1; word < row.words(); ++word) {
      program_.code.emplace_back();
      program_.begins.push_back(0);
    }
  }
  program_.code.push_back({.op = isa::Op::Halt});  // nothing runs over the end
  program_.begins.push_back(1);
  for (const std::uint32_t pc : pcs_) {
    Instruction& i = program_.code[pc];
    const std::string_view operands = isa::info(isa::info(i.op).format).operands;
    if (operands.contains('L')) i.target = any_pc();
    if (operands.contains('X'))
      i.target = random_.below(static_cast<std::uint32_t>(resolved_.size()));
  }
}

isa::ScalarState& RandomCode::new_state() {
  for (std::byte& byte : memory_) byte = static_cast<std::byte>(random_.word());
  state_ = {};
  // Small numbers lead to loads that find something and to loops that end.
  for (std::uint32_t& r : state_.r) r = random_.one_in(2) ? any_word() : random_.below(64);
  state_.r[random_.below(isa::kRegisters)] = any_pc();  // for a return
  state_.d = &registers_;
  state_.memory = memory_.data();
  state_.memory_bytes = kMemoryBytes;
  state_.view = &view_;
  state_.pc = any_pc();
  state_.start_cycle = random_.word();
  return state_;
}

}  // namespace wse::test_support
