// How fast an instruction issues: what its class, ports, strides, lines and banks let through.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"

namespace wse::oracle {
namespace {

bool accumulates(const Flight& flight) {
  return flight.destination.kind == Operand::Kind::Register &&
         std::ranges::any_of(flight.sources, [&](const Operand& source) {
           return source.kind == Operand::Kind::Register && source.reg == flight.destination.reg;
         });
}

}  // namespace

// Sets the smallest of the SIMD table, memory ports, stride and line rule, and fabric; then the
// bank rule.
void Processor::set_rate(Flight& flight) const {
  std::uint32_t rate = isa::cost_of(profile_, flight.row->cost).simd;
  std::uint32_t read_bytes = 0;
  const auto limit = [&rate](std::uint32_t most) { rate = std::min(rate, most); };
  const auto look_at = [&](const Operand& operand) {
    if (operand.is_fabric()) limit(operand.descriptor.options.packed ? 2 : 1);
    if (operand.kind == Operand::Kind::Fifo) limit(1);
    if (operand.kind != Operand::Kind::Memory) return;
    const auto banks = static_cast<std::int32_t>(profile_.banks);
    const std::int32_t stride =
        innermost_stride(operand.descriptor) * static_cast<std::int32_t>(operand.bytes / 2);
    const std::int32_t turn = (stride % banks + banks) % banks;
    if ((turn == 1 || turn == banks - 1) && stride != 1) limit(profile_.stride_odd_limit);
    if (turn == 0 && stride != 0) limit(profile_.stride_one_bank_limit);
    const std::int32_t apart = std::abs(innermost_stride(operand.descriptor));
    if (apart > 1 && profile_.stride_line_bytes > 0) {
      limit(std::max(
          1u, profile_.stride_line_bytes / (static_cast<std::uint32_t>(apart) * operand.bytes)));
    }
  };
  const std::uint32_t simd = rate;
  std::vector<std::set<std::uint64_t>> banks_of;
  for (const Operand& source : flight.sources) {
    look_at(source);
    if (source.kind != Operand::Kind::Memory) continue;
    read_bytes += source.bytes;
    const std::uint64_t first = address_of(source.descriptor, 0, source.bytes) / 2;
    const std::uint32_t half_words =
        profile_.bank_conflict_width == 1 ? simd * source.bytes / 2 : 1;
    std::set<std::uint64_t>& met = banks_of.emplace_back();
    for (std::uint32_t k = 0; k < std::min(half_words, profile_.banks); ++k) {
      met.insert((first + k) % profile_.banks % profile_.bank_conflict_banks);
    }
  }
  look_at(flight.destination);
  if (read_bytes > 0) limit(profile_.read_port_bytes / read_bytes);
  if (flight.destination.kind == Operand::Kind::Memory) {
    limit(profile_.write_port_bytes / flight.destination.bytes);
  }
  flight.rate = std::max(rate, 1u);
  const bool conflict =
      banks_of.size() == 2 && std::ranges::any_of(banks_of[0], [&](std::uint64_t bank) {
        return banks_of[1].contains(bank);
      });
  flight.issue_cycles = conflict ? profile_.bank_conflict_cycles : 1;
  if (profile_.float_latency_cycles > 0 && flight.row->flops > 0 && accumulates(flight)) {
    flight.rate = 1;
    flight.issue_cycles = std::max(flight.issue_cycles, profile_.float_latency_cycles);
  }
  const bool receives = std::ranges::any_of(flight.sources, &Operand::receives);
  flight.own_send_slot = profile_.issue == static_cast<std::uint32_t>(isa::IssueMode::Duplex) &&
                         flight.destination.kind == Operand::Kind::FabricOut && !receives;
}

}  // namespace wse::oracle
