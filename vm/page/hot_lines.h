// The lines of a profile at which most cycles of a cause are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "vm/profile/profile.h"

namespace wse::vm {

// A line that may belong to several programs, such as the roles of one text: it counts once.
struct HotLine {
  std::size_t row = 0;       // the first of its rows in the profile
  std::uint64_t cycles = 0;  // in all of its rows
  std::uint64_t sum = 0;     // over all lines
};

class HotLines {
 public:
  // The profile must live longer.
  explicit HotLines(const Profile& profile) : profile_(profile) {}

  // Returns the line with the most cycles of a cause; nothing if the profile knows no causes, or no
  // line has such cycles.
  std::optional<HotLine> with_most(std::string_view cause) const;
  // Returns the line with the most cycles of all causes.
  std::optional<HotLine> longest() const;
  // Returns "heat.wsa:12".
  std::string place(const HotLine& line) const;
  // Returns "fmuls c, a, b": the text of the line without the space around it.
  std::string_view words(const HotLine& line) const;

 private:
  using Cycles = std::vector<std::uint64_t>;  // by row
  std::optional<HotLine> most_of(const Cycles& cycles) const;
  // Texts of one name may be several.
  using Place = std::tuple<std::string_view, std::uint32_t, std::string_view>;
  Place place_of(std::size_t row) const {
    return {profile_.lines[row].file, profile_.lines[row].line, profile_.lines[row].text};
  }

  const Profile& profile_;
};

}  // namespace wse::vm
