// A machine profile: every number of the machine, as data from profile_parameters.def.
//
// Code reads these members and contains no machine constant of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"
#include "isa/support/result.h"

namespace wse::isa {

struct Profile {
  std::string name;
#define PARAMETER(member, ...) std::uint32_t member = 0;
#include "isa/profile_parameters.def"
#undef PARAMETER
};

// Successive 16-bit words of memory lie in successive banks.
inline constexpr std::uint32_t kBankBytes = 2;

enum class Arbitration : std::uint32_t { Fixed, Rotate };
enum class IssueMode : std::uint32_t { Shared, Duplex };

struct ParameterInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view mark;
  std::string_view source;
  std::uint32_t Profile::* member;
};

std::span<const ParameterInfo> profile_parameters();
std::vector<std::string> profile_names();

// The profile of that name, or nothing.
std::optional<Profile> find_profile(std::string_view name);

// Refuses profiles that no machine can have (a queue too short for full rate, a rate of zero ...).
Status check(const Profile& profile);

// What an instruction costs: cycles that it holds the issue slot, cycles that it takes, and the
// elements per issue cycle that its SIMD class allows (vector instructions).
struct Cost {
  std::uint32_t slots = 0;
  std::uint32_t cycles = 0;
  std::uint32_t simd = 0;
};
Cost cost_of(const Profile& p, CostClass cost);

// The row of costs.def: its name and what belongs to it.
std::string_view name_of(CostClass cost);
std::string_view meaning_of(CostClass cost);

}  // namespace wse::isa
