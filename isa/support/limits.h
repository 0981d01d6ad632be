// How large an image can be, from limits.def: one table for the assembler, the reader and ISA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wse::isa {

enum class Limit : std::uint8_t {
#define LIMIT(name, most, meaning) name,
#include "isa/support/limits.def"
#undef LIMIT
};

struct LimitInfo {
  std::string_view name;
  std::size_t most;
  std::string_view meaning;
};

inline constexpr LimitInfo kLimits[] = {
#define LIMIT(name, most, meaning) {#name, most, meaning},
#include "isa/support/limits.def"
#undef LIMIT
};

constexpr const LimitInfo& info(Limit limit) { return kLimits[static_cast<int>(limit)]; }
constexpr std::size_t most(Limit limit) { return info(limit).most; }

inline constexpr std::uint32_t kMaxGridSide = most(Limit::GridSide);
inline constexpr std::uint32_t kMaxColours = most(Limit::Colours);
inline constexpr std::uint32_t kMaxPositions = most(Limit::Positions);
inline constexpr std::size_t kFormulaDepth = most(Limit::FormulaDepth);

// "5 switch positions of a route, at most 4 are possible"
std::string breach_text(Limit limit, std::size_t count);

}  // namespace wse::isa
