// Which registers an instruction reads, from the letters of its format.
#include "isa/instruction/awaited.h"

#include <optional>

#include "isa/instruction/codec.h"

namespace wse::isa {
namespace {

bool takes_time(Format format) {
  return format != Format::Mark && format != Format::Print && format != Format::Assert;
}

bool scalar_is(const Instruction& i, std::uint32_t number) {
  return i.mapped == 0 && i.scalar_operand() == ScalarKind::Register && i.scalar == number;
}

bool source_is(SourceKind kind, std::uint32_t source, const Instruction& i, std::uint32_t number) {
  if (kind == SourceKind::Scalar) return scalar_is(i, number);
  return kind == SourceKind::Register && source == number;
}

}  // namespace

bool reads_register(const Instruction& i, std::uint32_t number) {
  const Format format = info(i.op).format;
  if (format == Format::LoadIndexed && i.source_a == number) return true;
  if (format == Format::StoreIndexed && i.source_b == number) return true;
  for (const char letter : info(format).operands) {
    switch (letter) {
      case 'a':
        if (i.source_a == number) return true;
        break;
      case 'b':
        if (i.source_b == number) return true;
        break;
      case 'A':
        if (source_is(i.source_a_operand(), i.source_a, i, number)) return true;
        break;
      case 'B':
        if (source_is(i.source_b_operand(), i.source_b, i, number)) return true;
        break;
      case 'S':
      case 'T':
      case '@':
        if (scalar_is(i, number)) return true;
        break;
      default: break;
    }
  }
  return false;
}

bool is_awaited(const Instruction& i, std::span<const std::uint32_t> rest) {
  if (!may_be_awaited(info(i.op))) return false;
  while (const std::optional<Instruction> next = decode(rest)) {
    const InstructionInfo& row = info(next->op);
    if (takes_time(row.format)) return reads_register(*next, i.destination);
    rest = rest.subspan(row.words());
  }
  return false;
}

}  // namespace wse::isa
