// Filters between a router and its PE: which wavelets of a colour the PE gets.
//
// The values of a filter differ from PE to PE, so an image keeps them as formulas (`.filter`) or as
// constants and parameter slots (`.filtering` of a program), in the order of this drawing:
//
//     range    least, most              passes iff least <= bits 31:16 <= most; control passes
//     counter  max, limit, start        passes iff counter <= max; after `limit` it continues with
//     0 sparse   max, limit, start, then  as counter, but after its first round the limit is `then`
#pragma once

#include <cstdint>
#include <string_view>

namespace wse::isa {

enum class FilterKind : std::uint8_t { None, Range, Counter, Sparse };
inline constexpr std::uint32_t kFilterKinds = 4;

// Which wavelets move the counter.
enum class FilterCounts : std::uint8_t { Data, Control, Both };
inline constexpr std::uint32_t kFilterCounts = 3;

struct FilterShape {
  FilterKind kind = FilterKind::None;
  FilterCounts counts = FilterCounts::Data;
  bool control_filtered = false;  // else every control wavelet passes

  bool operator==(const FilterShape&) const = default;
};

struct FilterKindInfo {
  std::string_view text;
  std::uint32_t values;
  std::string_view names[4];
};

inline constexpr FilterKindInfo kFilterKindTexts[kFilterKinds] = {
    {"none", 0, {}},
    {"range", 2, {"least", "most"}},
    {"counter", 3, {"max", "limit", "start"}},
    {"sparse", 4, {"max", "limit", "start", "then"}},
};
inline constexpr std::string_view kFilterCountsTexts[kFilterCounts] = {"data", "control", "both"};

inline constexpr std::uint32_t kMaxFilterValues = 4;
inline constexpr std::uint32_t kMaxFilterValue = 0xffff;  // counters and index bits have 16 bits

constexpr const FilterKindInfo& info(FilterKind kind) {
  return kFilterKindTexts[static_cast<int>(kind)];
}

}  // namespace wse::isa
