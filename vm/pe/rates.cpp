// The issue rate, from the profile's SIMD table, memory ports, stride rule and bank rule.
#include "vm/pe/rates.h"

#include <algorithm>

#include "isa/machine/timing.h"
#include "isa/support/mutant.h"
#include "vm/pe/element_path.h"

namespace wse::vm {
namespace {

// Elements with gaps between them that lie within one line, if lines bound an issue.
std::uint32_t line_limit(const isa::Profile& profile, std::int64_t stride,
                         std::uint32_t element_bytes, std::uint32_t simd) {
  const bool has_gaps = stride != 1 && stride != -1;
  if (profile.stride_line_bytes == 0 || !has_gaps || isa::mutant(isa::Mutant::StrideLine)) {
    return simd;
  }
  const std::int64_t apart = (stride < 0 ? -stride : stride) * element_bytes;
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, profile.stride_line_bytes / apart));
}

// The stride rule, for each memory operand: strides in 16-bit words, modulo the number of banks;
// of several dimensions the innermost counts.
std::uint32_t stride_limit(const isa::Profile& profile, const Operand& operand,
                           std::uint32_t element_bytes, std::uint32_t simd) {
  const std::int64_t stride = operand.descriptor.innermost_stride();
  const std::int64_t words = stride * (element_bytes / isa::kBankBytes);
  if (words == 0 || words == 1 || isa::mutant(isa::Mutant::StrideRule)) return simd;
  simd = std::min(simd, line_limit(profile, stride, element_bytes, simd));
  const std::int64_t banks = profile.banks;
  const std::int64_t step = ((words % banks) + banks) % banks;
  if (step == 0) return std::min(simd, profile.stride_one_bank_limit);
  if (step == banks - 1 && isa::mutant(isa::Mutant::StrideBack)) return simd;
  if (step == 1 || step == banks - 1) return std::min(simd, profile.stride_odd_limit);
  return simd;
}

// Two memory sources conflict if words of them lie in banks that are equal modulo the machine's
// number: the first ones, or any that an issue of the SIMD class has.
bool banks_conflict(const isa::Profile& profile, std::uint32_t simd,
                    const isa::InstructionInfo& row, const Operands& operands) {
  if (!operands.source[0].is_memory() || !operands.source[1].is_memory()) return false;
  if (isa::mutant(isa::Mutant::BankRule)) return false;
  isa::SourceWords words[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint32_t bytes = row.source_bytes(k);
    const ElementPath path(operands.source[k].descriptor, bytes);
    words[k].address = static_cast<std::uint64_t>(path.run_at(0).first);
    if (!isa::mutant(isa::Mutant::BankWidth)) {
      words[k].words = isa::compared_words(profile, simd, bytes);
    }
  }
  return isa::banks_conflict(profile, words[0], words[1]);
}

// In a sum in a register each element needs the one before it.
bool is_serial(const isa::InstructionInfo& row, const Operands& operands) {
  return row.flops > 0 && !isa::mutant(isa::Mutant::SumsTogether) &&
         std::ranges::any_of(operands.source, [](const Operand& source) {
           return source.kind == Operand::Kind::Register;
         });
}

}  // namespace

Rate rate_of(const isa::Profile& profile, std::uint32_t simd, const isa::InstructionInfo& row,
             const Operands& operands) {
  std::uint32_t elements = simd;
  std::uint32_t read_bytes = 0;
  std::uint32_t written_bytes = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Operand& source = operands.source[k];
    if (!source.is_memory()) continue;
    read_bytes += row.source_bytes(k);
    elements = std::min(elements, stride_limit(profile, source, row.source_bytes(k), simd));
  }
  if (operands.destination.is_memory()) {
    written_bytes = row.result_bytes();
    elements = std::min(elements, stride_limit(profile, operands.destination, written_bytes, simd));
  }
  if (!isa::mutant(isa::Mutant::PortRule)) {
    elements = std::min(elements, isa::port_rate(profile, simd, read_bytes, written_bytes));
  }
  for (const Operand* operand : operands.all()) {
    if (operand->is_stream()) elements = std::min(elements, operand->is_packed() ? 2u : 1u);
  }
  const bool conflict = banks_conflict(profile, simd, row, operands);
  const std::uint32_t cycles = conflict ? profile.bank_conflict_cycles : 1;
  if (profile.float_latency_cycles == 0 || !is_serial(row, operands)) {
    return {.elements_per_issue = elements, .cycles_per_issue = cycles};
  }
  return {.elements_per_issue = 1,
          .cycles_per_issue = std::max(cycles, profile.float_latency_cycles)};
}

}  // namespace wse::vm
