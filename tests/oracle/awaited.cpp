// Float arithmetic on registers, and the instruction behind it that wants the result.
#include <algorithm>
#include <set>

#include "isa/instruction/codec.h"
#include "tests/oracle/processor.h"

namespace wse::oracle {
namespace {

using isa::Format;

bool is_for_people(Format format) {
  return format == Format::Mark || format == Format::Print || format == Format::Assert;
}

// The general registers from which it takes something.
std::set<std::uint32_t> registers_of(const isa::Instruction& code) {
  std::set<std::uint32_t> read;
  const auto scalar = [&] {
    if (code.scalar_operand() == isa::ScalarKind::Register) read.insert(code.scalar);
  };
  const auto source = [&](isa::SourceKind kind, std::uint32_t number) {
    if (kind == isa::SourceKind::Register) read.insert(number);
    if (kind == isa::SourceKind::Scalar && code.mapped == 0) scalar();
  };
  switch (isa::info(code.op).format) {
    case Format::Reg4: read.insert(code.source_b); [[fallthrough]];
    case Format::Reg3:
    case Format::LoadIndexed:
    case Format::Store:
    case Format::Branch: read.insert(code.source_a); [[fallthrough]];
    case Format::Reg2:
    case Format::Load:
    case Format::DescriptorLoad:
    case Format::DescriptorStore:
    case Format::DescriptorSet:
    case Format::TaskId:
    case Format::WritePosition: scalar(); break;
    case Format::StoreIndexed: read = {code.source_a, code.source_b}; return scalar(), read;
    case Format::Return: read.insert(code.source_a); break;
    case Format::Vector3:
      if (code.mapped == 0) scalar();
      [[fallthrough]];
    case Format::Vector2: source(code.source_b_operand(), code.source_b); [[fallthrough]];
    case Format::Vector1: source(code.source_a_operand(), code.source_a); break;
    default: break;
  }
  return read;
}

}  // namespace

std::uint64_t Processor::latency_left(const isa::Instruction& code, const isa::InstructionInfo& row,
                                      std::span<const std::uint32_t> rest) const {
  if (row.flops == 0 || row.is_vector() || row.cost == isa::CostClass::Divide) return 0;
  std::optional<isa::Instruction> next = isa::decode(rest);
  while (next && is_for_people(isa::info(next->op).format)) {
    rest = rest.subspan(isa::info(next->op).words());
    next = isa::decode(rest);
  }
  if (!next || !registers_of(*next).contains(code.destination)) return 0;
  const std::uint32_t spent = isa::cost_of(profile_, row.cost).cycles;
  return profile_.float_latency_cycles - std::min(profile_.float_latency_cycles, spent);
}

}  // namespace wse::oracle
