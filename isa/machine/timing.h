// The cycles of an instruction, from the tables: the formulas of TIMING.md.
//
// They hold for an instruction that has the issue slot and its wavelets when it wants them. Must
// never contain a number of the machine, nor a rule that the machine applies differently.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/machine/profile.h"

namespace wse::isa {

// Elements per issue that the SIMD class and the memory ports allow, for bytes per element.
std::uint32_t port_rate(const Profile& profile, std::uint32_t simd, std::uint32_t read_bytes,
                        std::uint32_t written_bytes);

// 16-bit words of one source that an issue of the SIMD class has; no more than there are banks.
std::uint64_t issue_words(const Profile& profile, std::uint32_t simd, std::uint32_t element_bytes);

// Counts the words of an issue whose banks are compared with those of the other source.
std::uint64_t compared_words(const Profile& profile, std::uint32_t simd,
                             std::uint32_t element_bytes);

// The first words of an issue of a memory source.
struct SourceWords {
  std::uint64_t address = 0;  // in bytes
  std::uint64_t words = 1;    // that are compared
};
// Whether issues of two memory sources conflict.
bool banks_conflict(const Profile& profile, const SourceWords& first, const SourceWords& second);
// Whether they do wherever they begin, if so many words of each are compared.
bool banks_always_conflict(const Profile& profile, std::uint64_t first_words,
                           std::uint64_t second_words);

// Returns the price of a load, fetch or store of a descriptor with so many dimensions beyond the
// first.
Cost descriptor_cost(const Profile& profile, CostClass cost, std::uint32_t further);

struct ScalarTiming {
  Cost cost;
  std::optional<Cost> taken;  // of a branch that is taken
};
ScalarTiming scalar_timing(const Profile& profile, const InstructionInfo& row);

// A vector instruction of n elements takes start + ceil(n / rate) + drain cycles.
struct VectorTiming {
  std::uint32_t start = 0;
  std::uint32_t drain = 0;
  std::uint32_t memory_rate = 1;          // all operands in memory, without gaps, their banks apart
  std::uint32_t memory_issue_cycles = 1;  // of an issue of these
  std::uint32_t fabric_rate = 1;          // one operand is a fabric: a wavelet per cycle

  std::uint64_t cycles(std::uint64_t elements, std::uint32_t rate) const {
    return start + (elements + rate - 1) / rate + drain;
  }
  std::uint64_t memory_cycles(std::uint64_t elements) const {
    return start + (elements + memory_rate - 1) / memory_rate * memory_issue_cycles + drain;
  }
};
VectorTiming vector_timing(const Profile& profile, const InstructionInfo& row);

// A form of the language that becomes several instructions (forms.def).
struct FormTiming {
  std::string_view text;
  std::string_view code;
  std::uint32_t simple;
  std::uint32_t loads;
  std::uint32_t stores;
  std::uint32_t jumps;
  std::uint32_t calls;
  std::uint32_t descriptors;

  std::uint64_t cycles(const Profile& profile) const;
};
inline constexpr FormTiming kForms[] = {
#define FORM(...) {__VA_ARGS__},
#include "isa/machine/forms.def"
#undef FORM
};

}  // namespace wse::isa
