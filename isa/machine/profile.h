// A machine profile: every number of the machine, as data from profile_parameters.def and, of the
// profiles that are no wafers, profile_cm200.def.
//
// Code reads these members and contains no machine constant of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction/instruction.h"
#include "isa/support/result.h"

namespace wse::isa {

// Which table says where the numbers of a profile come from: profile_parameters.def of a wafer,
// profile_cm200.def of a CM-200. A machine of a user's own has that of its base.
enum class Family : std::uint8_t { Wafer, Cm200 };

struct Profile {
  std::string name;
  Family family = Family::Wafer;
#define PARAMETER(member, ...) std::uint32_t member = 0;
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
};

// Successive 16-bit words of memory lie in successive banks.
inline constexpr std::uint32_t kBankBytes = 2;

enum class Arbitration : std::uint32_t { Fixed, Rotate };
enum class IssueMode : std::uint32_t { Shared, Duplex };

// Bounds that several rows of the table share.
inline constexpr std::uint32_t kMostCycles = 1u << 24;  // of one step: 20 ms on the wafer
inline constexpr std::uint32_t kMostRate = 1u << 24;    // the longest vector in one cycle
inline constexpr std::uint32_t kMostQueued = 0xffff;    // places are counted in 16 bits

// Where a number comes from. Marks: doc, meas, paper, ours.
struct Origin {
  std::string_view mark;
  std::string_view source;
};

struct ParameterInfo {
  std::string_view name;
  std::string_view unit;
  std::uint32_t least;
  std::uint32_t most;
  Origin wafer;
  std::uint32_t Profile::* member;

  constexpr bool is_mask() const { return unit.starts_with("mask"); }  // shown in hexadecimal
};

inline constexpr ParameterInfo kParameters[] = {
#define PARAMETER(member, unit, least, most, wse2, wse3, model, mark, source) \
  {#member, unit, least, most, {mark, source}, &Profile::member},
#include "isa/machine/profile_parameters.def"
#undef PARAMETER
};

constexpr const ParameterInfo& info(std::uint32_t Profile::* member) {
  std::size_t index = 0;
  while (kParameters[index].member != member) ++index;
  return kParameters[index];
}

// Whether a field of type T can hold every value of the parameter.
template <class T>
constexpr bool fits(std::uint32_t Profile::* member) {
  return info(member).most <= std::numeric_limits<T>::max();
}

// Whether a mask of type T has a bit for each of the things that the parameter counts.
template <class T>
constexpr bool fits_mask(std::uint32_t Profile::* member) {
  return info(member).most <= static_cast<std::uint32_t>(std::numeric_limits<T>::digits);
}

// Where the number comes from that the profiles of a family have.
const Origin& origin(Family family, const ParameterInfo& parameter);

// A value of the parameter, and those that it may have: "1..65535".
std::string number_text(const ParameterInfo& parameter, std::uint32_t value);
std::string range_text(const ParameterInfo& parameter);

std::vector<std::string> profile_names();

// The profile of that name, or nothing.
std::optional<Profile> find_profile(std::string_view name);

// Refuses what lies beyond the bounds of the table, and what does not go together (a queue too
// short for full rate ...). Every profile that is not one of the table's own must pass it once:
// later code relies on the bounds.
Status check(const Profile& profile);

// The cost of an instruction: cycles that it holds the issue slot, cycles that it takes, and the
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
