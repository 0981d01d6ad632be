// The cycles of a critical path, added up: by kind, term, colour and line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/image/image.h"
#include "vm/path/critical_path.h"

namespace wse::vm {

// A term of a model of a collective, which is the sum of some kinds: README.md says of which.
enum class PathTerm : std::uint8_t { Contention, Distance, Depth };
inline constexpr std::array<std::string_view, 3> kPathTermTexts = {"contention", "distance",
                                                                   "depth"};

constexpr PathTerm term_of(StepKind kind) {
  switch (kind) {
    case StepKind::Issue:
    case StepKind::Queue:
    case StepKind::Room:
    case StepKind::Slot:
    case StepKind::Bank: return PathTerm::Contention;
    case StepKind::Link: return PathTerm::Distance;
    default: return PathTerm::Depth;
  }
}

struct PathTables {
  std::array<Cycle, kPathTermTexts.size()> terms{};
  std::vector<std::pair<std::uint8_t, Cycle>> colours{};   // ascending
  std::vector<std::pair<isa::SourceLine, Cycle>> lines{};  // most cycles first
};
PathTables path_tables(const CriticalPath& path);

// Returns "a.wsa:7", or "?:7" if nobody knows the file.
std::string place_text(const isa::Image& image, const isa::SourceLine& line);

// Returns the name of the step's colour, fit for a line of text; nothing if it has none.
std::optional<std::string> colour_text(const isa::Image& image, const PathStep& step);

}  // namespace wse::vm
