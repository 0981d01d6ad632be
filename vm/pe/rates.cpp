// The issue rate, from the profile's SIMD table, memory ports, stride rule and bank rule.
#include "vm/pe/rates.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "isa/timing.h"

namespace wse::vm {
namespace {

constexpr std::uint32_t kBankBytes = 2;  // successive 16-bit words lie in successive banks

// The stride rule, for each memory operand: strides in 16-bit words, modulo the number of banks.
std::uint32_t stride_limit(const isa::Profile& profile, const Operand& operand,
                           std::uint32_t element_bytes, std::uint32_t simd) {
  const std::int64_t words = std::int64_t{operand.descriptor.stride} * (element_bytes / kBankBytes);
  if (words == 0 || words == 1) return simd;
  const std::int64_t banks = profile.banks;
  const std::int64_t step = ((words % banks) + banks) % banks;
  if (step == 0) return profile.stride_one_bank_limit;
  if (step == 1 || step == banks - 1) return profile.stride_odd_limit;
  return simd;
}

// Two memory sources conflict if their first addresses lie in banks that are equal modulo half the
// number of banks.
bool banks_conflict(const isa::Profile& profile, const Operands& operands) {
  if (!operands.source[0].is_memory() || !operands.source[1].is_memory()) return false;
  if (isa::mutant(isa::Mutant::BankRule)) return false;
  const auto half_bank = [&profile](const Operand& operand) {
    return operand.descriptor.address / kBankBytes % profile.banks % (profile.banks / 2);
  };
  return half_bank(operands.source[0]) == half_bank(operands.source[1]);
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
  const bool fabric = operands.destination.is_fabric() || operands.source[0].is_fabric() ||
                      operands.source[1].is_fabric();
  const std::uint32_t ports = isa::port_rate(profile, simd, read_bytes, written_bytes);
  const std::uint32_t conflict =
      banks_conflict(profile, operands) ? profile.bank_conflict_cycles : 1;
  return {.elements_per_issue = fabric ? 1 : std::min(elements, ports),
          .cycles_per_issue = conflict};
}

}  // namespace wse::vm
