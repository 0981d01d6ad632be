// The formulas, from the cost class and the operand types of a row.
#include "isa/machine/timing.h"

#include <algorithm>
#include <vector>

namespace wse::isa {

std::uint32_t port_rate(const Profile& profile, std::uint32_t simd, std::uint32_t read_bytes,
                        std::uint32_t written_bytes) {
  std::uint32_t rate = simd;
  if (read_bytes > 0) rate = std::min(rate, profile.read_port_bytes / read_bytes);
  if (written_bytes > 0) rate = std::min(rate, profile.write_port_bytes / written_bytes);
  return std::max(rate, 1u);
}

std::uint64_t issue_words(const Profile& profile, std::uint32_t simd, std::uint32_t element_bytes) {
  return std::min<std::uint64_t>(profile.banks, std::uint64_t{simd} * element_bytes / kBankBytes);
}

std::uint64_t compared_words(const Profile& profile, std::uint32_t simd,
                             std::uint32_t element_bytes) {
  return profile.bank_conflict_width != 0 ? issue_words(profile, simd, element_bytes) : 1;
}

bool banks_conflict(const Profile& profile, const SourceWords& first, const SourceWords& second) {
  std::vector<bool> ports(profile.bank_conflict_banks);
  const SourceWords* const sources[] = {&first, &second};
  for (const SourceWords* source : sources) {
    const std::uint64_t begin = source->address / kBankBytes;
    for (std::uint64_t word = begin; word < begin + source->words; ++word) {
      const std::uint64_t port = word % profile.banks % profile.bank_conflict_banks;
      if (source == &second && ports[port]) return true;
      if (source == &first) ports[port] = true;
    }
  }
  return false;
}

bool banks_always_conflict(const Profile& profile, std::uint64_t first_words,
                           std::uint64_t second_words) {
  return first_words + second_words > std::min(profile.banks, profile.bank_conflict_banks);
}

Cost descriptor_cost(const Profile& profile, CostClass cost, std::uint32_t further) {
  Cost price = cost_of(profile, cost);
  const Cost each = cost_of(profile, CostClass::DescriptorDimension);
  price.slots += further * each.slots;
  price.cycles += further * each.cycles;
  return price;
}

ScalarTiming scalar_timing(const Profile& profile, const InstructionInfo& row) {
  ScalarTiming timing{.cost = cost_of(profile, row.cost), .taken = std::nullopt};
  if (row.format == Format::Branch) timing.taken = cost_of(profile, CostClass::BranchTaken);
  return timing;
}

VectorTiming vector_timing(const Profile& profile, const InstructionInfo& row) {
  const std::uint32_t simd = cost_of(profile, row.cost).simd;
  std::uint32_t read_bytes = 0;
  std::uint32_t sources = 0;
  std::uint64_t words[2] = {};
  const std::string_view letters = info(row.format).operands;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    if (letters[k] != 'A' && letters[k] != 'B') continue;
    const std::uint32_t bytes = info(row.type_of(k)).bytes;
    read_bytes += bytes;
    words[sources++] = compared_words(profile, simd, bytes);
  }
  const bool conflicts = sources == 2 && banks_always_conflict(profile, words[0], words[1]);
  return {.start = profile.vector_start_cycles,
          .drain = profile.vector_drain_cycles,
          .memory_rate = port_rate(profile, simd, read_bytes, row.result_bytes()),
          .memory_issue_cycles = conflicts ? profile.bank_conflict_cycles : 1};
}

std::uint64_t FormTiming::cycles(const Profile& profile) const {
  const auto of = [&profile](CostClass cost, std::uint32_t count) {
    return std::uint64_t{count} * cost_of(profile, cost).cycles;
  };
  return of(CostClass::Simple, simple) + of(CostClass::Load, loads) + of(CostClass::Store, stores) +
         of(CostClass::BranchTaken, jumps) + of(CostClass::Call, calls) +
         of(CostClass::DescriptorLoad, descriptors);
}

}  // namespace wse::isa
